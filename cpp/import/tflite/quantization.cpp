// Values of quantized tensors in a graph: stored - zero point, as float32.

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/memory/narrow_integers.h"
#include "core/memory/sparse_weight.h"
#include "import/tflite/internal_rows.h"
#include "import/tflite/reader.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr std::int32_t kRelu = 1;
constexpr std::int32_t kReluN1To1 = 2;
constexpr std::int32_t kRelu6 = 3;

/// The lowest and highest values of a quantized tensor in the graph, after a fused activation.
struct Bounds {
  double low;
  double high;
};

float get_scale(const TensorDef& tensor) {
  const std::vector<float>& scales = tensor.quantization.scales;
  check(scales.size() == 1 && scales[0] > 0 && std::isfinite(scales[0]), "its values have ", scales.size(),
        " scales, the first ", scales.empty() ? 0 : scales[0], ", where one positive number was expected");
  return scales[0];
}

Bounds get_bounds(const TensorDef& tensor, std::int32_t activation = 0) {
  const auto [lowest, highest] = get_range(tensor.type);
  const double zero = zero_point(tensor.quantization);
  Bounds bounds{lowest - zero, highest - zero};
  const auto stored = [&](double real) { return std::floor(real / get_scale(tensor) + 0.5); };
  if (activation == kRelu || activation == kRelu6) bounds.low = std::max(bounds.low, 0.0);
  if (activation == kReluN1To1) bounds.low = std::max(bounds.low, stored(-1));
  if (activation == kReluN1To1) bounds.high = std::min(bounds.high, stored(1));
  if (activation == kRelu6) bounds.high = std::min(bounds.high, stored(6));
  return bounds;
}

/// True if the op gets and returns values of the output's scale.
bool keeps_scale(const OpRow& row) {
  return row.quantized == Quantized::kSame || row.quantized == Quantized::kRounded;
}

void add_scales(Attributes& attrs, Tensor scales, const Bounds& bounds) {
  add_number(attrs, "low", bounds.low);
  add_number(attrs, "high", bounds.high);
  Attributes::Value value;
  value.name = "scales";
  value.tensor = std::move(scales);
  attrs.add(std::move(value));
}

/// Returns an OHWI filter in the layout of the engine's kernels.
Tensor permute_filter(const Tensor& filter, Filter layout) {
  if (layout == Filter::kNone) return filter;
  if (layout == Filter::kMatrix) return transpose(filter, {Dims{1, 0}});
  check_shape(filter.rank() == 4, "expected a filter [out, height, width, in], got ", filter.shape());
  return transpose(filter, {layout == Filter::kOhwi ? Dims{1, 2, 3, 0} : Dims{1, 2, 0, 3}});
}

}  // namespace

Tensor convert_constant(const TensorDef& def, const Tensor& stored, ValueForm form, Filter filter) {
  if (form == ValueForm::kNarrow && (filter == Filter::kOhwi || filter == Filter::kMatrix)) {
    const NarrowIntegers* narrow = NarrowIntegers::of(stored);
    const int rank = filter == Filter::kMatrix ? 2 : 4;
    if (narrow && narrow->bits() == 8 && stored.rank() == rank) {
      Shape shape;
      for (int i = 1; i <= rank; ++i) shape.push_back(stored.dim(i % rank));
      return NarrowIntegers::transpose(*narrow, shape);
    }
  }
  Tensor value = stored;
  if (form == ValueForm::kNumbers) value = as_dtype(stored, DType::kFloat32);
  if (form == ValueForm::kBias || (form == ValueForm::kReal && is_quantized(def)))
    value = dequantize(def, stored);
  if (form == ValueForm::kGraph && is_quantized(def)) value = remove_zero_point(def, stored);
  value = permute_filter(value, filter);
  if (form == ValueForm::kNarrow) return NarrowIntegers::compress(value);
  if (def.sparsity && filter == Filter::kOhwi && value.dtype() == DType::kFloat32)
    value = SparseWeight::compress(value);
  // Computed now, so that the steps in between are freed.
  const bool is_read =
      value.dtype() != DType::kString && value.elements() > 0 && !value.storage()->stays_packed();
  if (is_read) static_cast<void>(value.data<std::byte>());
  return value;
}

Ref GraphReader::find(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter) {
  if (tensor < 0) return {Ref::kAbsent, 0};
  const Ref ref = scope.values[static_cast<std::size_t>(tensor)];
  if (!ref.is_absent()) return convert(scope, tensor, form);
  check(is_constant(scope, tensor), "tensor ", tensor, ", \"", scope.names[static_cast<std::size_t>(tensor)],
        "\", is neither a constant nor computed by an earlier node");
  return find_constant(scope, tensor, form, filter);
}

Ref GraphReader::find_converted(const NameScope& scope, std::int32_t tensor, ValueForm form,
                                Filter filter) const {
  for (const Converted& one : scope.converted[static_cast<std::size_t>(tensor)]) {
    if (one.form == form && one.filter == filter) return one.ref;
  }
  return {Ref::kAbsent, 0};
}

Ref GraphReader::keep_converted(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter,
                                Ref ref) {
  scope.converted[static_cast<std::size_t>(tensor)].push_back({form, filter, ref});
  return ref;
}

Ref GraphReader::convert(NameScope& scope, std::int32_t tensor, ValueForm form) {
  const Ref ref = scope.values[static_cast<std::size_t>(tensor)];
  const TensorDef& def = get_tensor(scope, tensor);
  const bool is_quantized = tflite::is_quantized(def);
  const bool has_scale =
      form == ValueForm::kBias && def.type == ElementType::kInt32 && !def.quantization.scales.empty();
  if (form == ValueForm::kGraph || (!is_quantized && !has_scale && form != ValueForm::kNumbers)) return ref;
  if (const Ref known = find_converted(scope, tensor, form, Filter::kNone); !known.is_absent()) return known;
  Ref result = ref;
  if (has_scale) {
    result = add_internal(scope, tensor, internal::kLoadRow, {ref},
                          internal::make_attributes({{"zero", zero_point(def.quantization)}}));
  }
  if (!is_quantized && !has_scale) {
    result = add_internal(scope, tensor, internal::kToFloatRow, {ref});
  } else if (form == ValueForm::kReal || has_scale) {
    result = add_internal(scope, tensor, internal::kDequantizeRow, {result},
                          internal::make_attributes({{"scale", get_scale(def)}}));
  } else {
    result = add_internal(scope, tensor, internal::kStoreRow, {ref},
                          internal::make_attributes({{"zero", zero_point(def.quantization)}}));
    if (form == ValueForm::kNumbers) result = add_internal(scope, tensor, internal::kToFloatRow, {result});
  }
  return keep_converted(scope, tensor, form, Filter::kNone, result);
}

Ref GraphReader::rescale(NameScope& scope, std::int32_t tensor, const TensorDef& to) {
  const TensorDef& from = get_tensor(scope, tensor);
  const Ref ref = find(scope, tensor, ValueForm::kGraph);
  if (!is_quantized(from) || has_same_values(from, to)) return ref;
  const Ref result = add_internal(scope, tensor, internal::kRescaleRow, {ref});
  add_scales(scope.block.nodes[result.node].attrs, Tensor::scalar(get_scale(from) / get_scale(to)),
             get_bounds(to));
  return result;
}

bool GraphReader::has_quantized(const NameScope& scope, std::span<const std::int32_t> tensors) const {
  return std::any_of(tensors.begin(), tensors.end(), [&](std::int32_t tensor) {
    return tensor >= 0 && is_quantized(get_tensor(scope, tensor));
  });
}

bool GraphReader::gathers_integers(const NameScope& scope, const OperatorDef& op) const {
  if (op.inputs.empty() || op.inputs[0] < 0 || op.outputs.empty()) return false;
  const TensorDef& table = get_tensor(scope, op.inputs[0]);
  return is_quantized(table) && table.quantization.scales.size() == 1 && is_constant(scope, op.inputs[0]) &&
         has_same_values(table, get_tensor(scope, op.outputs[0]));
}

bool GraphReader::is_weighted(const NameScope& scope, const OperatorDef& op, const OpRow& row) const {
  const bool sums_products =
      row.quantized == Quantized::kWeighted || row.quantized == Quantized::kIntegerWeighted;
  if (!sums_products || op.inputs.size() < 2) return false;
  const std::size_t x = row.filter == Filter::kOhwiToHwoi ? 2 : 0;
  return x < op.inputs.size() && has_quantized(scope, std::span(op.inputs).subspan(x, 1)) &&
         has_quantized(scope, std::span(op.inputs).subspan(1, 1)) &&
         has_quantized(scope, std::span(op.outputs).first(1));
}

void GraphReader::check_activation(const NameScope& scope, const OperatorDef& op, const OpRow& row) const {
  // Recurrent ops compute in real numbers.
  if (!row.states.empty() || !is_quantized(get_tensor(scope, op.outputs[0]))) return;
  const std::int32_t activation = read_activation(op, row);
  check(activation >= 0 && activation <= kRelu6, "its fused activation is number ", activation,
        ", its output is quantized: only NONE (0), RELU (1), RELU_N1_TO_1 (2) and RELU6 (3) are supported");
}

bool GraphReader::clamps_outputs(const NameScope& scope, const OperatorDef& op, const OpRow& row) const {
  return keeps_scale(row) && read_activation(op, row) > 0 && is_quantized(get_tensor(scope, op.outputs[0]));
}

bool GraphReader::is_integer_weighted(const NameScope& scope, const OperatorDef& op, const OpRow& row) const {
  if (row.quantized != Quantized::kIntegerWeighted || !is_weighted(scope, op, row)) return false;
  const TensorDef& x = get_tensor(scope, op.inputs[0]);
  const TensorDef& filter = get_tensor(scope, op.inputs[1]);
  const std::vector<std::int32_t>& zeros = filter.quantization.zeros;
  const bool has_bias = op.inputs.size() > 2 && op.inputs[2] >= 0;
  return (x.type == ElementType::kInt8 || x.type == ElementType::kUint8) &&
         filter.type == ElementType::kInt8 && is_constant(scope, op.inputs[1]) &&
         std::all_of(zeros.begin(), zeros.end(), [](std::int32_t zero) { return zero == 0; }) &&
         (!has_bias || get_tensor(scope, op.inputs[2]).type == ElementType::kInt32);
}

void GraphReader::read_inputs(NameScope& scope, const OperatorDef& op, const OpRow& row, Node& node) {
  const bool is_weighted = this->is_weighted(scope, op, row);
  const bool is_integer = is_integer_weighted(scope, op, row);
  const TensorDef& result = get_tensor(scope, op.outputs[0]);
  const bool keeps_scale =
      tflite::keeps_scale(row) && (is_quantized(result) || to_dtype(result.type) != DType::kFloat32);
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const std::int32_t tensor = op.inputs[i];
    if (tensor < 0) {
      node.inputs.push_back({Ref::kAbsent, 0});
      continue;
    }
    Filter filter = i == 1 && is_constant(scope, tensor) ? row.filter : Filter::kNone;
    if (filter == Filter::kMatrix && !is_integer) filter = Filter::kNone;
    if (filter != Filter::kNone) add_number(node.attrs, kPermuted, 1);
    if (is_weighted) {
      const bool is_quantized = tflite::is_quantized(get_tensor(scope, tensor));
      // The bias has integers of the products' scale. Other integers are shapes.
      const bool is_bias = !is_quantized && i >= 2;
      const ValueForm form = is_integer && i == 1     ? ValueForm::kNarrow
                             : is_bias && !is_integer ? ValueForm::kNumbers
                                                      : ValueForm::kGraph;
      node.inputs.push_back(find(scope, tensor, form, filter));
    } else if (keeps_scale) {
      node.inputs.push_back(is_quantized(result) && is_quantized(get_tensor(scope, tensor))
                                ? rescale(scope, tensor, result)
                                : find(scope, tensor, ValueForm::kGraph, filter));
    } else {
      // The constants of recurrent layers in 32 bits are biases, those of other ops are shapes and indices.
      const bool is_bias = !row.states.empty() && is_constant(scope, tensor);
      const bool is_wide = row.code == kQuantize && !is_quantized(get_tensor(scope, tensor));
      const ValueForm form = row.quantized == Quantized::kStored ? ValueForm::kStored
                             : is_bias || is_wide                ? ValueForm::kBias
                                                                 : ValueForm::kReal;
      node.inputs.push_back(find(scope, tensor, form, filter));
    }
  }
}

void GraphReader::set_outputs(NameScope& scope, const OperatorDef& op, const OpRow& row,
                              std::uint32_t index) {
  const TensorDef& first = get_tensor(scope, op.outputs[0]);
  const bool is_weighted = this->is_weighted(scope, op, row);
  const bool keeps_scale = tflite::keeps_scale(row);
  Tensor scales;
  std::int32_t activation = clamps_outputs(scope, op, row) ? read_activation(op, row) : 0;
  if (is_weighted) {
    const TensorDef& x = get_tensor(scope, op.inputs[row.filter == Filter::kOhwiToHwoi ? 2 : 0]);
    const TensorDef& filter = get_tensor(scope, op.inputs[1]);
    std::vector<float> factors = filter.quantization.scales;
    const float x_scale = get_scale(x);
    const float scale = get_scale(first);
    for (float& factor : factors) factor = factor * x_scale / scale;
    const auto count = static_cast<std::int32_t>(factors.size());
    scales = Tensor::from(std::span<const float>(factors), count == 1 ? Shape{} : Shape{count});
    activation = read_activation(op, row);
  }
  if (is_integer_weighted(scope, op, row)) {
    add_scales(scope.block.nodes[index].attrs, std::move(scales), get_bounds(first, activation));
    scope.values[static_cast<std::size_t>(op.outputs[0])] = {index, 0};
    return;
  }
  for (std::uint32_t i = 0; i < op.outputs.size(); ++i) {
    const std::int32_t tensor = op.outputs[i];
    const TensorDef& def = get_tensor(scope, tensor);
    if (row.quantized == Quantized::kStored && is_quantized(def)) {
      scope.values[static_cast<std::size_t>(tensor)] =
          add_internal(scope, tensor, internal::kLoadRow, {{index, i}},
                       internal::make_attributes({{"zero", zero_point(def.quantization)}}));
      continue;
    }
    Tensor own = scales;
    if (keeps_scale && is_quantized(def)) {
      check(is_quantized(first), "output ", i, " is quantized, output 0 is not");
      own = Tensor::scalar(get_scale(def) / get_scale(first));
      if (row.quantized == Quantized::kSame && activation == 0 && has_same_values(first, def)) {
        scope.values[static_cast<std::size_t>(tensor)] = {index, i};
        continue;
      }
    }
    set_result(scope, tensor, {index, i}, std::move(own), keeps_scale, activation);
  }
}

void GraphReader::set_result(NameScope& scope, std::int32_t tensor, Ref ref, Tensor scales,
                             bool is_fractional, std::int32_t activation) {
  const TensorDef& def = get_tensor(scope, tensor);
  Ref& value = scope.values[static_cast<std::size_t>(tensor)];
  if (!is_quantized(def)) {
    value = ref;
    return;
  }
  const Bounds bounds = get_bounds(def, activation);
  if (scales && !is_fractional) {
    value = add_internal(scope, tensor, internal::kRescaleRow, {ref});
    add_scales(scope.block.nodes[value.node].attrs, std::move(scales), bounds);
    return;
  }
  const double scale = scales ? scales.data<float>()[0] : get_scale(def);
  value =
      add_internal(scope, tensor, internal::kQuantizeRow, {ref},
                   internal::make_attributes({{"scale", scale}, {"low", bounds.low}, {"high", bounds.high}}));
}

}  // namespace tenure::tflite
