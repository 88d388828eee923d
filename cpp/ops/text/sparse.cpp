#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::host {
namespace {

using Ints = std::vector<std::int32_t>;

std::int32_t to_count(std::size_t count) { return static_cast<std::int32_t>(count); }

void check_rank(const Tensor& x, int rank, std::string_view name) {
  check_shape(x.rank() == rank, name, " should be Tensor", rank, "D but received shape ", x.shape());
}

// Sizes are untrusted: products saturate at a number of elements that no tensor can hold.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 53;

std::int64_t saturating_product(std::span<const std::int32_t> sizes) {
  std::int64_t product = 1;
  for (const std::int32_t size : sizes) {
    check(size >= 0, "expected sizes of 0 or more, got ", join_dims(sizes));
    if (__builtin_mul_overflow(product, std::int64_t{size}, &product)) product = kMaxElements;
    product = std::min(product, kMaxElements);
  }
  return product;
}

/// Returns the stride of each dimension in a dense row-major tensor, in elements.
std::vector<std::int64_t> row_major_strides(std::span<const std::int32_t> sizes) {
  std::vector<std::int64_t> steps(sizes.size(), 1);
  for (std::size_t d = sizes.size(); d > 1; --d) steps[d - 2] = steps[d - 1] * sizes[d - 1];
  return steps;
}

template <class T>
Tensors reduce_segments(Inputs in, bool is_mean) {
  const Tensor& data = in[0];
  const auto indices = in[1].values<std::int32_t>();
  const auto ids = in[2].values<std::int32_t>();
  const std::int64_t rows = ids.empty() ? 0 : std::int64_t{ids.back()} + 1;
  check(rows >= (ids.empty() ? 0 : 1), "segment ids must be >= 0");
  Shape shape = data.shape();
  check_shape(rows <= std::numeric_limits<std::int32_t>::max(), "the result would have ", rows, " rows");
  shape[0] = static_cast<std::int32_t>(rows);
  shape.validate();
  Tensor out({shape, data.dtype()});
  const std::size_t columns = data.shape().elements(1, data.rank());
  std::fill_n(out.mutable_data<T>(), out.elements(), T(0));
  for (std::size_t begin = 0, end = 0; begin < ids.size(); begin = end) {
    while (end < ids.size() && ids[end] == ids[begin]) ++end;
    check(end == ids.size() || ids[begin] < ids[end], "segment ids are not increasing");
    check(ids[begin] >= 0 && ids[begin] < rows, "Segment id ", ids[begin], " out of range [0, ", rows,
          "), possibly because segmentIds input is not sorted.");
    T* sums = out.mutable_data<T>() + static_cast<std::size_t>(ids[begin]) * columns;
    for (std::size_t i = begin; i < end; ++i) {
      check(indices[i] >= 0 && indices[i] < data.dim(0), "Bad: indices[", i, "] == ", indices[i],
            " out of range [0, ", data.dim(0), ")");
      const T* row = data.data<T>() + static_cast<std::size_t>(indices[i]) * columns;
      for (std::size_t c = 0; c < columns; ++c) {
        if constexpr (std::is_same_v<T, float>) {
          sums[c] += row[c];
        } else {
          sums[c] = static_cast<T>(static_cast<std::uint32_t>(sums[c]) + static_cast<std::uint32_t>(row[c]));
        }
      }
    }
    const auto count = static_cast<T>(end - begin);
    for (std::size_t c = 0; c < columns && is_mean; ++c) sums[c] /= count;
  }
  return {out};
}

Tensors reduce(Inputs in, bool is_mean) {
  check_shape(in[0].rank() > 0, "Data should be at least 1 dimensional but received scalar");
  check_rank(in[1], 1, "Indices");
  check_rank(in[2], 1, "Segment ids");
  check_shape(in[1].elements() == in[2].elements(), "segmentIds and indices should have same size.");
  return in[0].dtype() == DType::kInt32 ? reduce_segments<std::int32_t>(in, is_mean)
                                        : reduce_segments<float>(in, is_mean);
}

}  // namespace

Tensors sparse_fill_empty_rows(Inputs in, const NoneAttrs&) {
  check_rank(in[0], 2, "Indices");
  check_rank(in[1], 1, "Values");
  check_rank(in[2], 1, "Dense shape");
  check_shape(in[3].rank() == 0, "Default value should be a scalar but received shape ", in[3].shape());
  const std::int32_t count = in[0].dim(0);
  const std::int32_t rank = in[0].dim(1);
  check_shape(in[1].dim(0) == count && rank > 0 && in[2].dim(0) == rank, "indices of shape ", in[0].shape(),
              ", values of shape ", in[1].shape(), " and a denseShape of shape ", in[2].shape(),
              " do not fit together");
  const std::int32_t rows = in[2].data<std::int32_t>()[0];
  check(rows >= 0, "expected a denseShape of 0 or more rows, got ", rows);
  check(rows > 0 || count == 0,
        "Received SparseTensor with denseShape[0] = 0 but\n  indices.shape[0] = ", count);
  const auto* indices = in[0].data<std::int32_t>();
  const auto get_row = [&](std::int32_t i) { return indices[std::ptrdiff_t{i} * rank]; };

  Ints first(static_cast<std::size_t>(rows));
  for (std::int32_t i = 0; i < count; ++i) {
    check(get_row(i) >= 0, "indices(", i, ", 0) is invalid: ", get_row(i), " < 0");
    check(get_row(i) < rows, "indices(", i, ", 0) is invalid: ", get_row(i), " >= ", rows);
    ++first[static_cast<std::size_t>(get_row(i))];
  }
  Tensor is_empty({{rows}, DType::kBool});
  auto* empty = is_empty.mutable_data<std::uint8_t>();
  std::int64_t total = 0;
  for (std::size_t row = 0; row < first.size(); ++row) {
    empty[row] = first[row] == 0;
    const std::int32_t here = std::max(first[row], 1);
    first[row] = static_cast<std::int32_t>(total);
    total += here;
    check_shape(total <= std::numeric_limits<std::int32_t>::max(), "the result would have ", total,
                " values");
  }

  // The index of the value at each position; `count` is that of the default, which is concatenated behind the
  // values.
  Ints sources(static_cast<std::size_t>(total), count);
  Ints reverse(static_cast<std::size_t>(count));
  Tensor filled({{static_cast<std::int32_t>(total), rank}, DType::kInt32});
  auto* out = filled.mutable_data<std::int32_t>();
  for (std::size_t row = 0; row < first.size(); ++row) {
    if (!empty[row]) continue;
    std::int32_t* coordinates = out + std::ptrdiff_t{first[row]} * rank;
    std::fill_n(coordinates, rank, 0);
    *coordinates = static_cast<std::int32_t>(row);
  }
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t at = first[static_cast<std::size_t>(get_row(i))]++;
    std::copy_n(indices + std::ptrdiff_t{i} * rank, rank, out + std::ptrdiff_t{at} * rank);
    sources[static_cast<std::size_t>(at)] = i;
    reverse[static_cast<std::size_t>(i)] = at;
  }
  const Tensor all = concat({in[1], reshape(in[3], {Shape{1}})});
  return {filled, gather(all, tensor1d(sources)), is_empty, tensor1d(reverse)};
}

Tensors sparse_reshape(Inputs in, const NoneAttrs&) {
  check_rank(in[0], 2, "Input indices");
  check_rank(in[1], 1, "Input shape");
  check_rank(in[2], 1, "New shape");
  const auto from = in[1].values<std::int32_t>();
  const auto wanted = in[2].values<std::int32_t>();
  check_shape(in[0].dim(1) == in[1].dim(0), "indices of ", in[0].dim(1), " dimensions do not fit a shape of ",
              in[1].dim(0));
  const std::int64_t size = saturating_product(from);
  Ints to(wanted.begin(), wanted.end());
  int open = -1;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (to[d] == -1) {
      check(open == -1, "only one output dimension may be -1, not both ", open, " and ", d);
      open = static_cast<int>(d);
      to[d] = 1;
    } else {
      check(to[d] >= 0, "size ", d, " must be non-negative, not ", to[d]);
    }
  }
  if (open >= 0) {
    const std::int64_t others = saturating_product(to);
    check(others > 0, "reshape cannot infer the missing input size for an empty tensor unless all specified ",
          "input sizes are non-zero");
    check(size % others == 0 && size / others <= std::numeric_limits<std::int32_t>::max(),
          "Input to reshape is a SparseTensor with ", size, "\n  dense values, but the requested shape ",
          "requires a multiple of ", others, ". inputShape=", join_dims(from),
          " outputShape= ", join_dims(to));
    to[static_cast<std::size_t>(open)] = static_cast<std::int32_t>(size / others);
  }
  check(saturating_product(to) == size, "Input to reshape is a tensor with ", size,
        " dense values, but the requested shape has ", saturating_product(to),
        ". inputShape=", join_dims(from), " outputShape=", join_dims(to));
  check(size < kMaxElements, "a shape of ", join_dims(from), " has too many elements");
  const std::int32_t count = in[0].dim(0);
  check(count == 0 || size > 0, "a tensor of no elements has none at ", count, " indices");

  const std::vector<std::int64_t> from_strides = row_major_strides(from);
  const std::vector<std::int64_t> to_strides = row_major_strides(to);
  Tensor out({{count, to_count(to.size())}, DType::kInt32});
  auto* moved = out.mutable_data<std::int32_t>();
  const auto* index = in[0].data<std::int32_t>();
  for (std::int32_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < from.size(); ++d, ++index) {
      check(*index >= 0 && *index < from[d], "index ", *index, " is not in [0, ", from[d], ")");
      offset += *index * from_strides[d];
    }
    for (const std::int64_t stride : to_strides) {
      *moved++ = static_cast<std::int32_t>(offset / stride);
      offset %= stride;
    }
  }
  return {out, tensor1d(to)};
}

Tensors sparse_segment_sum(Inputs in, const NoneAttrs&) { return reduce(in, false); }
Tensors sparse_segment_mean(Inputs in, const NoneAttrs&) { return reduce(in, true); }

}  // namespace tenure::host
