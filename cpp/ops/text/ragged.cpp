#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"
#include "ops/text/row_partitions.h"

namespace tenure::host {
namespace {

using Ints = std::vector<std::int32_t>;
using IntSpan = std::span<const std::int32_t>;

constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

/// Throws unless `splits` are valid for `count` values. Row i of a ragged dimension is [splits[i], splits[i +
/// 1]).
void check_splits(IntSpan splits, std::int64_t count) {
  check(!splits.empty(), "Ragged splits may not be empty");
  check(splits[0] >= 0, "Ragged splits must be non-negative");
  check(splits.back() <= count, "Ragged splits must not point past values");
  check(std::is_sorted(splits.begin(), splits.end()), "Ragged splits must be sorted in ascending order");
}

std::string format_index(std::size_t index, const Shape& shape) {
  std::string result;
  for (const std::int32_t stride : shape.strides()) {
    append(result, text(result.empty() ? "" : ",", index / static_cast<std::size_t>(stride)));
    index %= static_cast<std::size_t>(stride);
  }
  return result;
}

/// Returns an element of a vector; a scalar stands for all elements.
double value_at(const Tensor& x, std::size_t row) {
  const std::size_t i = x.rank() == 0 ? 0 : row;
  return x.dtype() == DType::kInt32 ? x.data<std::int32_t>()[i] : double{x.data<float>()[i]};
}

std::int64_t range_size(double start, double limit, double delta) {
  check(delta != 0, "Requires delta != 0");
  if ((delta > 0 && limit < start) || (delta < 0 && limit > start)) return 0;
  const double size = std::ceil(std::abs((limit - start) / delta));
  check(size <= static_cast<double>(kMaxInt32), "Requires ((limit - start) / delta) <= ", kMaxInt32);
  return static_cast<std::int64_t>(size);
}

template <class T>
Tensor ranges(Inputs in, const Ints& splits) {
  Tensor values({{splits.back()}, in[0].dtype()});
  T* out = values.mutable_data<T>();
  for (std::size_t row = 0; row + 1 < splits.size(); ++row) {
    const double start = value_at(in[0], row);
    const double delta = value_at(in[2], row);
    const std::int32_t count = splits[row + 1] - splits[row];
    for (std::int32_t i = 0; i < count; ++i) *out++ = static_cast<T>(start + i * delta);
  }
  return values;
}

/// Converter of a ragged tensor to a dense one (tensorflow/core/kernels/ragged_tensor_to_tensor_op.cc).
class Densifier {
 public:
  Densifier(Inputs in, const RaggedPartitionsAttrs& attrs) : in_(in), types_(attrs.types) {
    check(!types_.empty(), "No row_partition_types given.");
    check(static_cast<std::size_t>(in.size() - 3) == types_.size(), "expected a tensor for each of ",
          types_.size(), " rowPartitionTypes, got ", in.size() - 3);
    const bool has_first_dim_size = get_type(0) == RowPartition::kFirstDimSize;
    first_ = has_first_dim_size ? 1 : 0;
    ragged_rank_ = static_cast<int>(types_.size()) - first_;
    check(!partition(0).empty(), "Invalid first partition input. Tensor requires at least one element.");
    check(has_first_dim_size || get_type(0) == RowPartition::kRowSplits, "Cannot handle ",
          type_name(get_type(0)), " in first dimension.");
    rows_ = has_first_dim_size ? partition(0)[0] : static_cast<std::int64_t>(partition(0).size()) - 1;
    check(rows_ >= 0, "expected a first dimension of 0 or more, got ", rows_);
    for (std::size_t i = static_cast<std::size_t>(first_); i < types_.size(); ++i) check_partition(i);
  }

  Tensors make() {
    resolve_shape();
    const Tensor& values = in_[1];
    const std::int32_t count = values.dim(0);
    // Positions without a value gather the default, which is concatenated behind the values.
    const auto rows = static_cast<std::size_t>(shape_.elements(0, ragged_rank_ + 1));
    Ints sources(rows, count);
    RowOffsets offsets = outer_offsets();
    for (int d = 1; d <= ragged_rank_; ++d) offsets = inner_offsets(d, offsets);
    check(offsets.count <= count, "the row partitions have ", offsets.count, " values, but there are ",
          count);
    for (std::size_t i = 0; i < offsets.known.size(); ++i) {
      if (offsets.known[i] >= 0)
        sources[static_cast<std::size_t>(offsets.known[i])] = static_cast<std::int32_t>(i);
    }
    const Tensor all = concat({values, default_row()});
    return {reshape(gather(all, tensor1d(sources)), {shape_})};
  }

 private:
  RowPartition get_type(std::size_t i) const { return static_cast<RowPartition>(types_[i]); }
  IntSpan partition(std::size_t i) const { return in_[static_cast<int>(i) + 3].values<std::int32_t>(); }
  std::size_t at(int dimension) const {
    return static_cast<std::size_t>(dimension) + static_cast<std::size_t>(first_);
  }
  static std::string_view type_name(RowPartition type) {
    const auto i = static_cast<std::size_t>(type);
    return i < std::size(kRowPartitions) ? kRowPartitions[i] : "an unknown type";
  }

  void check_partition(std::size_t i) const {
    const IntSpan values = partition(i);
    const RowPartition type = get_type(i);
    check(type == RowPartition::kRowSplits || type == RowPartition::kValueRowids,
          "Unsupported partition type: ", type_name(type));
    if (type == RowPartition::kRowSplits) check_splits(values, kMaxInt32);
    check(std::is_sorted(values.begin(), values.end()) && (values.empty() || values[0] >= 0),
          "Invalid row ids.");
  }

  /// Returns the length of the longest row of a dimension.
  std::int64_t get_width(int dimension) const {
    const IntSpan values = partition(at(dimension - 1));
    std::int64_t most = 0;
    if (get_type(at(dimension - 1)) == RowPartition::kRowSplits) {
      for (std::size_t i = 1; i < values.size(); ++i) {
        most = std::max(most, std::int64_t{values[i]} - values[i - 1]);
      }
      return most;
    }
    for (std::size_t begin = 0, i = 0; i < values.size(); ++i) {
      if (values[i] != values[begin]) begin = i;
      most = std::max(most, static_cast<std::int64_t>(i - begin) + 1);
    }
    return most;
  }

  // Sets shape_ to the requested shape; extents that it leaves open are taken from the rows and the values.
  void resolve_shape() {
    const Tensor& asked = in_[0];
    const Shape& values = in_[1].shape();
    const Shape& fallback = in_[2].shape();
    check_shape(values.rank > 0, "expected values of rank 1 or more, got a scalar");
    check_shape(fallback.rank < values.rank, "defaultValue.shape=", fallback,
                " and ragged tensor flatValues.shape=", values,
                ", are incompatible: defaultValue.rank = ", fallback.rank,
                " must be less than ragged tensor input flatValues.rank = ", values.rank, ")");
    const IntSpan wanted = asked.values<std::int32_t>();
    const bool is_open = asked.rank() == 0;
    check(!is_open || wanted[0] == -1,
          "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    const int rank = ragged_rank_ + values.rank;
    check_shape(rank <= kMaxRank, "at most ", kMaxRank, " dimensions are supported, got ", rank);
    check_shape(is_open || static_cast<int>(wanted.size()) == rank, "rt input.shape and shape=",
                is_open ? Dims{} : Dims(wanted.first(std::min<std::size_t>(wanted.size(), kMaxRank))),
                " are incompatible: rt input.rank = ", rank, ", but shape.rank = ", wanted.size());
    for (int i = 0; i < rank; ++i) {
      const std::int32_t given = is_open ? -1 : wanted[static_cast<std::size_t>(i)];
      check(given >= -1, "Dimension ", given, " must be >= -1");
      const int inner = i - ragged_rank_;
      const std::int64_t found = i == 0 ? rows_ : inner > 0 ? values[inner] : get_width(i);
      check_shape(given < 0 || inner <= 0 || given == found,
                  "rt input.shape and the given shape are incompatible: rt input.shape[", i, "] = ", found,
                  " but shape[", i, "] = ", given);
      check_shape(found <= kMaxInt32, "dimension ", i, " would have ", found, " elements");
      shape_.push_back(given < 0 ? static_cast<std::int32_t>(found) : given);
    }
    shape_.validate();
  }

  /// Offsets in the dense tensor at which rows begin; -1 for a row that does not fit, and for all rows beyond
  /// `known`. The number of rows is untrusted and may be any, so only the known ones are stored.
  struct RowOffsets {
    std::int64_t operator[](std::size_t i) const { return i < known.size() ? known[i] : -1; }
    std::vector<std::int64_t> known;
    std::int64_t count;
  };

  RowOffsets outer_offsets() const {
    const auto stride = static_cast<std::int64_t>(shape_.elements(1, ragged_rank_ + 1));
    RowOffsets offsets = {{}, rows_};
    for (std::int64_t i = 0; stride > 0 && i < std::min(rows_, std::int64_t{shape_[0]}); ++i)
      offsets.known.push_back(i * stride);
    return offsets;
  }

  // Returns the offsets of the elements of each row.
  RowOffsets inner_offsets(int d, const RowOffsets& parents) const {
    const IntSpan values = partition(at(d - 1));
    const auto stride = static_cast<std::int64_t>(shape_.elements(d + 1, ragged_rank_ + 1));
    RowOffsets offsets = {};
    const auto add = [&](std::int64_t parent, std::int64_t column) {
      offsets.known.push_back(parent >= 0 && column < shape_[d] ? parent + column * stride : -1);
      ++offsets.count;
    };
    if (get_type(at(d - 1)) == RowPartition::kRowSplits) {
      check(static_cast<std::int64_t>(values.size()) - 1 <= parents.count,
            "Row partition size is greater than output size: ", values.size() - 1, " > ", parents.count);
      check(values[0] == 0, "Invalid row split size.");
      for (std::size_t i = 1; i < values.size(); ++i) {
        for (std::int64_t k = 0; k < values[i] - values[i - 1]; ++k) add(parents[i - 1], k);
      }
      return offsets;
    }
    std::int64_t column = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      check(values[i] < parents.count, "Got nextValueRowId=", values[i], " which is not less than ",
            parents.count);
      column = i > 0 && values[i] == values[i - 1] ? column + 1 : 0;
      add(parents[static_cast<std::size_t>(values[i])], column);
    }
    return offsets;
  }

  /// Returns the default value, broadcast to the shape of one value.
  Tensor default_row() const {
    const Shape& values = in_[1].shape();
    const Shape& given = in_[2].shape();
    const int added = values.rank - given.rank;
    for (int i = 1; i < values.rank; ++i) {
      check_shape(i < added || given[i - added] == 1 || given[i - added] == values[i],
                  "defaultValue.shape=", given, " and ragged tensor input flatValues.shape=", values,
                  " are incompatible");
    }
    Shape row = values;
    row[0] = added == 0 ? given[0] : 1;
    return broadcast_to(in_[2], {row});
  }

  Inputs in_;
  IntSpan types_;
  int first_;
  int ragged_rank_;
  std::int64_t rows_;
  Shape shape_;
};

}  // namespace

Tensors ragged_gather(Inputs in, const NoneAttrs&) {
  const Tensor& values = in[0];
  const Tensor& indices = in[1];
  check(in.size() > 2, "paramsNestedSplits must be non empty");
  check_shape(values.rank() > 0, "params.rank must be nonzero");
  std::vector<IntSpan> params;
  for (int i = 2; i < in.size(); ++i) {
    check_shape(in[i].rank() == 1, "Split tensors must not be scalars");
    params.push_back(in[i].values<std::int32_t>());
    check(!params.back().empty(), "Ragged splits may not be empty");
  }
  const auto picked = indices.values<std::int32_t>();
  const auto count = static_cast<std::int64_t>(params[0].size()) - 1;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    check(picked[i] >= 0 && picked[i] < count, "indices[", format_index(i, indices.shape()),
          "] = ", picked[i], " is not in [0, ", count, ")");
  }
  for (std::size_t d = 0; d < params.size(); ++d) {
    const bool is_last = d + 1 == params.size();
    check_splits(params[d], is_last ? values.dim(0) : static_cast<std::int64_t>(params[d + 1].size()) - 1);
  }

  // First the splits of the indices' dimensions, which are uniform, then those of the gathered rows.
  const int outer = indices.rank() - 1;
  std::vector<Ints> splits(static_cast<std::size_t>(std::max(outer, -1) + static_cast<int>(params.size())),
                           Ints{0});
  for (int d = 0; d < outer; ++d) {
    const auto rows = static_cast<std::int32_t>(indices.shape().elements(0, d + 1));
    for (std::int32_t i = 1; i <= rows; ++i)
      splits[static_cast<std::size_t>(d)].push_back(i * indices.dim(d + 1));
  }
  Ints sources;
  for (const std::int32_t index : picked) {
    std::int32_t begin = index;
    std::int32_t end = index + 1;
    for (std::size_t d = 0; d < params.size(); ++d) {
      const IntSpan rows = params[d];
      const int to = static_cast<int>(d) + outer;
      if (to >= 0) {
        Ints& out = splits[static_cast<std::size_t>(to)];
        const std::int64_t shift = std::int64_t{out.back()} - rows[static_cast<std::size_t>(begin)];
        for (std::int32_t row = begin; row < end; ++row) {
          const std::int64_t split = rows[static_cast<std::size_t>(row) + 1] + shift;
          check(split <= kMaxInt32, "the result would have more than ", kMaxInt32, " values");
          out.push_back(static_cast<std::int32_t>(split));
        }
      }
      begin = rows[static_cast<std::size_t>(begin)];
      end = rows[static_cast<std::size_t>(end)];
    }
    for (std::int32_t i = begin; i < end; ++i) sources.push_back(i);
  }
  Tensors results;
  for (const Ints& out : splits) results.push_back(tensor1d(out));
  results.push_back(gather(values, tensor1d(sources)));
  return results;
}

Tensors ragged_range(Inputs in, const NoneAttrs&) {
  constexpr std::string_view kNames[] = {"starts", "limits", "deltas"};
  std::int32_t rows = -1;
  for (int i = 0; i < 3; ++i) {
    check_shape(in[i].rank() <= 1, kNames[i], " must be a scalar or vector");
    check(in[i].dtype() == in[0].dtype(), "starts, limits, and deltas must have the same dtype");
    if (in[i].rank() == 0) continue;
    check_shape(rows < 0 || in[i].dim(0) == rows, "starts, limits, and deltas must have the same shape");
    rows = in[i].dim(0);
  }
  Ints splits = {0};
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows < 0 ? 1 : rows); ++row) {
    const std::int64_t size = range_size(value_at(in[0], row), value_at(in[1], row), value_at(in[2], row));
    check(splits.back() + size <= kMaxInt32, "the result would have more than ", kMaxInt32, " values");
    splits.push_back(static_cast<std::int32_t>(splits.back() + size));
  }
  return {tensor1d(splits),
          in[0].dtype() == DType::kInt32 ? ranges<std::int32_t>(in, splits) : ranges<float>(in, splits)};
}

Tensors ragged_tensor_to_tensor(Inputs in, const RaggedPartitionsAttrs& attrs) {
  return Densifier(in, attrs).make();
}

}  // namespace tenure::host
