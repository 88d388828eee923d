// Preparation of features: scaling, missing values, categories and labels.

#include <algorithm>
#include <cmath>

#include "core/heap_sort.h"
#include "core/strings.h"
#include "import/onnx/families.h"
#include "import/onnx/rare_rows/ml/scores.h"
#include "model/executor/operands.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

/// Returns a list of one number, or of one for each feature, as a tensor that broadcasts to x.
Tensor read_per_feature(const Attributes& attrs, const std::string& name, const Tensor& x, DType dtype) {
  const std::span<const double> numbers = attrs.numbers(name);
  check(numbers.size() == 1 || (x.rank() > 0 && numbers.size() == static_cast<std::size_t>(x.shape().back())),
        "attribute \"", name, "\" has ", numbers.size(), " values for an input of shape ", x.shape());
  // Integers are exact in the list of doubles, not in float32.
  return dtype == DType::kInt32 ? tensor1d(attrs.integers(name)) : tensor1d(read_floats(attrs, name));
}

Tensor scale(const Call& call) {
  Tensor x = as_dtype(call[0], DType::kFloat32);
  if (call.attrs().has("offset")) x = sub(x, read_per_feature(call.attrs(), "offset", x, DType::kFloat32));
  if (call.attrs().has("scale")) x = mul(x, read_per_feature(call.attrs(), "scale", x, DType::kFloat32));
  return x;
}

/// Divides each row by its greatest value, the sum of its magnitudes, or its length.
Tensor normalize(const Call& call) {
  const Tensor x = as_dtype(call[0], DType::kFloat32);
  check_shape(x.rank() == 1 || x.rank() == 2, "expected rows [N,C] or one row [C], got ", x.shape());
  const std::string_view norm = call.attrs().string("norm", "MAX");
  check(norm == "MAX" || norm == "L1" || norm == "L2", "attribute \"norm\" is \"", norm, "\"");
  const ReduceAttrs rows{.axes = Dims{x.rank() - 1}, .keep_dims = true};
  const Tensor divisor = norm == "MAX"  ? max(x, rows)
                         : norm == "L1" ? sum(abs(x), rows)
                                        : sqrt(sum(square(x), rows));
  return where(equal(divisor, Tensor::scalar(0.0F)), x, div(x, divisor));
}

Tensor binarize(const Call& call) {
  const Tensor& x = call[0];
  const auto threshold = static_cast<float>(call.attrs().number("threshold", 0));
  return cast(greater(as_dtype(x, DType::kFloat32), Tensor::scalar(threshold)), {x.dtype()});
}

/// Replaces a value that stands for a missing one.
Tensor impute(const Call& call) {
  const Tensor& x = call[0];
  const bool is_float = x.dtype() == DType::kFloat32;
  const Tensor values = read_per_feature(
      call.attrs(), is_float ? "imputed_value_floats" : "imputed_value_int64s", x, x.dtype());
  if (!is_float) {
    const std::int32_t missing = call.attrs().integer("replaced_value_int64", 0);
    return where(equal(x, Tensor::scalar(missing)), values, x);
  }
  const auto missing = static_cast<float>(call.attrs().number("replaced_value_float", 0));
  const Tensor is_missing = std::isnan(missing) ? is_nan(x) : equal(x, Tensor::scalar(missing));
  return where(is_missing, values, x);
}

/// Takes columns: input 1 has their indices.
Tensor extract_columns(const Call& call) {
  const Tensor x = call[0].rank() == 1 ? expand_dims(call[0], {0}) : call[0];
  check_shape(x.rank() > 0, "expected an input of rank 1 or more");
  const Tensor columns = reshape(as_indices(call.value(1)), {Shape{-1}});
  for (const std::int32_t column : columns.values<std::int32_t>())
    check(column >= 0 && column < x.shape().back(), "it has no column ", column, ": its shape is ",
          x.shape());
  return gather(x, columns, {.axis = x.rank() - 1});
}

/// Joins columns as float32. Inputs that are wider than "inputdimensions" says are cut, others get zeros.
Tensor join_features(const Call& call) {
  const std::vector<std::int32_t> widths = call.attrs().integers("inputdimensions");
  check(widths.size() == static_cast<std::size_t>(call.size()), "attribute \"inputdimensions\" has ",
        widths.size(), " values for ", call.size(), " inputs");
  Tensors columns;
  for (int i = 0; i < call.size(); ++i) {
    Tensor x = as_dtype(call[i], DType::kFloat32);
    x = x.rank() == 1 ? expand_dims(x, {0}) : x;
    check_shape(x.rank() == 2, "input ", i, " has the shape ", call[i].shape(), ", expected [N,C] or [C]");
    const std::int32_t width = widths[static_cast<std::size_t>(i)];
    check(width >= 0, "attribute \"inputdimensions\" has ", width);
    if (width < x.dim(1)) x = slice(x, {.begin = {0, 0}, .size = {-1, width}});
    if (width > x.dim(1)) x = pad(x, {.before = {0, 0}, .after = {0, width - x.dim(1)}});
    columns.push_back(std::move(x));
  }
  return columns.size() == 1 ? columns[0] : concat(columns, {.axis = 1});
}

/// The positions of keys. Of equal keys the last counts, as LabelEncoder's documentation says.
template <class Key>
class KeyIndex {
 public:
  KeyIndex() = default;
  explicit KeyIndex(std::span<const Key> keys) : count_(static_cast<std::int32_t>(keys.size())) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == keys[i]) {
        entries_.emplace_back(keys[i], static_cast<std::int32_t>(i));
      } else {
        nan_ = static_cast<std::int32_t>(i);
      }
    }
    heap_sort(entries_);
  }

  /// Returns the position of a key, or the number of keys if it is unknown. All NaN are one key.
  std::int32_t find(const Key& key) const {
    if (!(key == key)) return nan_ >= 0 ? nan_ : count_;
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), std::pair(key, INT32_MAX));
    if (after == entries_.begin() || std::prev(after)->first != key) return count_;
    return std::prev(after)->second;
  }

 private:
  std::vector<std::pair<Key, std::int32_t>> entries_;
  std::int32_t nan_ = -1;
  std::int32_t count_ = 0;
};

std::vector<std::string_view> read_texts(const Tensor& x) {
  const Strings strings(x);
  std::vector<std::string_view> texts;
  texts.reserve(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) texts.push_back(strings[i]);
  return texts;
}

/// Keys of one of the types of tensors.
class KeyTable {
 public:
  explicit KeyTable(Tensor keys) : keys_(std::move(keys)) {
    switch (keys_.dtype()) {
      case DType::kString: texts_ = KeyIndex<std::string_view>(read_texts(keys_)); return;
      case DType::kInt32: integers_ = KeyIndex<std::int32_t>(keys_.values<std::int32_t>()); return;
      default: break;
    }
    check(keys_.dtype() == DType::kFloat32, "its keys are ", get_name(keys_.dtype()));
    floats_ = KeyIndex<float>(keys_.values<float>());
  }

  DType dtype() const { return keys_.dtype(); }
  std::size_t size() const { return keys_.elements(); }
  /// Returns, for each element of x, the position of the key that is equal to it, or the number of keys. x
  /// has the dtype of the keys.
  Tensor find(const Tensor& x) const {
    Tensor found({x.shape(), DType::kInt32});
    auto* to = found.mutable_data<std::int32_t>();
    if (dtype() == DType::kString) {
      for (const std::string_view text : read_texts(x)) *to++ = texts_.find(text);
    } else if (dtype() == DType::kInt32) {
      for (const std::int32_t value : x.values<std::int32_t>()) *to++ = integers_.find(value);
    } else {
      for (const float value : x.values<float>()) *to++ = floats_.find(value);
    }
    return found;
  }

 private:
  Tensor keys_;  ///< has the bytes of the texts
  KeyIndex<std::string_view> texts_;
  KeyIndex<std::int32_t> integers_;
  KeyIndex<float> floats_;
};

Tensor make_texts(std::span<const std::string> texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return make_string_tensor(views, {static_cast<std::int32_t>(views.size())});
}

Tensor make_text(std::string_view text) { return make_string_tensor(std::span(&text, 1), {1}); }

/// Reads the list `prefix`strings, `prefix`int64s, `prefix`floats or `prefix`tensor. Returns an empty tensor
/// if there is none.
Tensor read_list(const Attributes& attrs, const std::string& prefix) {
  if (attrs.has(prefix + "strings")) return make_texts(attrs.strings(prefix + "strings"));
  if (attrs.has(prefix + "int64s")) return tensor1d(attrs.integers(prefix + "int64s"));
  if (attrs.has(prefix + "floats")) return tensor1d(read_floats(attrs, prefix + "floats"));
  const Tensor tensor = attrs.tensor(prefix + "tensor");
  return tensor ? reshape(tensor, {Shape{-1}}) : tensor;
}

Tensor read_default(const Attributes& attrs, DType dtype) {
  if (const Tensor tensor = attrs.tensor("default_tensor"); tensor) return tensor;
  if (dtype == DType::kString) return make_text(attrs.string("default_string", "_Unused"));
  if (dtype == DType::kInt32) return Tensor::scalar(attrs.integer("default_int64", -1));
  return Tensor::scalar(static_cast<float>(attrs.number("default_float", -0.0)));
}

/// The values of keys, and that of all other keys.
struct Mapping {
  Mapping(const Attributes& attrs, const Tensor& from, const Tensor& to) : keys(from) {
    check(keys.size() == to.elements(), "it has ", keys.size(), " keys and ", to.elements(), " values");
    const Tensor otherwise = read_default(attrs, to.dtype());
    check(otherwise.elements() == 1 && otherwise.dtype() == to.dtype(), "its default is ",
          get_name(otherwise.dtype()), " of shape ", otherwise.shape(), ", and its values are ",
          get_name(to.dtype()));
    values = concat({to, reshape(otherwise, {Shape{1}})}, {.axis = 0});
  }

  KeyTable keys;
  Tensor values;  ///< the last is the default
};

Tensor look_up(std::span<const Mapping> mappings, const Tensor& x) {
  for (const Mapping& mapping : mappings) {
    if (mapping.keys.dtype() == x.dtype()) return gather(mapping.values, mapping.keys.find(x), {.axis = 0});
  }
  fail("the input is ", get_name(x.dtype()), ", and the keys are ", get_name(mappings[0].keys.dtype()));
}

/// A LabelEncoder.
struct LabelEncoder {
  explicit LabelEncoder(const Attributes& attrs) {
    if (attrs.has("classes_strings")) {
      // The first version of the op has a list of texts, whose indices are the integers.
      const Tensor texts = make_texts(attrs.strings("classes_strings"));
      const auto count = static_cast<std::int32_t>(texts.elements());
      const Tensor numbers = range({.step = 0, .int_step = 1, .count = count, .dtype = DType::kInt32});
      mappings = {Mapping(attrs, texts, numbers), Mapping(attrs, numbers, texts)};
      return;
    }
    const Tensor keys = read_list(attrs, "keys_");
    const Tensor values = read_list(attrs, "values_");
    check(keys && values, "it has no keys or no values");
    mappings.emplace_back(attrs, keys, values);
  }

  std::vector<Mapping> mappings;
};

Tensor encode_labels(const Call& call) {
  const Tensor& x = call.value(0);
  return look_up(prepare<LabelEncoder>(call).mappings, x);
}

/// A CategoryMapper.
struct CategoryMapper {
  explicit CategoryMapper(const Attributes& attrs)
      : mappings(make_mappings(attrs, make_texts(attrs.strings("cats_strings")),
                               tensor1d(attrs.integers("cats_int64s")))) {}

  static std::vector<Mapping> make_mappings(const Attributes& attrs, const Tensor& texts,
                                            const Tensor& numbers) {
    return {Mapping(attrs, texts, numbers), Mapping(attrs, numbers, texts)};
  }

  std::vector<Mapping> mappings;
};

Tensor map_categories(const Call& call) {
  const Tensor& x = call.value(0);
  return look_up(prepare<CategoryMapper>(call).mappings, x);
}

/// The categories of a OneHotEncoder.
struct OneHotEncoder {
  explicit OneHotEncoder(const Attributes& attrs)
      : keys(attrs.has("cats_strings") ? make_texts(attrs.strings("cats_strings"))
                                       : tensor1d(attrs.integers("cats_int64s"))),
        keeps_unknown(attrs.flag("zeros", true)) {}

  KeyTable keys;
  bool keeps_unknown;  ///< unknown elements become zeros
};

/// Writes each element as a row with a one at the position of its category.
Tensor encode_one_hot(const Call& call) {
  const Tensor& x = call.value(0);
  const auto& model = prepare<OneHotEncoder>(call);
  const bool is_text = x.dtype() == DType::kString;
  check(is_text == (model.keys.dtype() == DType::kString), "the input is ", get_name(x.dtype()),
        ", and the categories are ", get_name(model.keys.dtype()));
  const auto count = static_cast<std::int32_t>(model.keys.size());
  const Tensor found = model.keys.find(is_text ? x : as_dtype(x, DType::kInt32));
  if (!model.keeps_unknown) {
    const std::span<const std::int32_t> positions = found.values<std::int32_t>();
    const auto unknown = std::find(positions.begin(), positions.end(), count);
    check(unknown == positions.end(), "element ", unknown - positions.begin(),
          " of the input is in no category");
  }
  return one_hot(found, {.depth = count, .dtype = DType::kFloat32});
}

/// Returns the tensor in place of a map for each row, which no tensor can be.
Tensor mapped(const Call& call) { return call[0]; }

constexpr Row kRows[] = {
    {"ArrayFeatureExtractor", extract_columns},
    {"Binarizer", binarize},
    {"CategoryMapper", map_categories},
    {"FeatureVectorizer", join_features},
    {"Imputer", impute},
    {"LabelEncoder", encode_labels},
    {"Normalizer", normalize},
    {"OneHotEncoder", encode_one_hot},
    {"Scaler", scale},
    {"ZipMap", mapped},
};

}  // namespace

std::span<const Row> feature_rows() { return kRows; }

}  // namespace tenure::onnx
