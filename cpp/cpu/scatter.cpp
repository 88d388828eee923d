#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "cpu/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// A shape as slices of equal size, which `depth` numbers each pick.
class Slices {
 public:
  Slices(const Shape& shape, int depth)
      : shape_(shape), depth_(depth), elements_(shape.elements(depth, shape.rank)) {}

  std::size_t elements() const { return elements_; }

  /// Where the i-th slice that the indices name begins, in elements. Throws outside the shape.
  std::size_t begin(const std::int32_t* indices, std::size_t i) const {
    const std::int32_t* index = indices + i * static_cast<std::size_t>(depth_);
    std::size_t at = 0;
    for (int d = 0; d < depth_; ++d) {
      if (index[d] < 0 || index[d] >= shape_[d]) {
        fail("Invalid indices: ", Dims(std::span(index, static_cast<std::size_t>(depth_))),
             " does not index into ", shape_);
      }
      at = at * static_cast<std::size_t>(shape_[d]) + static_cast<std::size_t>(index[d]);
    }
    return at * elements_;
  }

 private:
  const Shape& shape_;
  int depth_;
  std::size_t elements_;
};

std::uint8_t* bytes_of(Tensor& tensor) {
  return static_cast<std::uint8_t*>(tensor.storage()->mutable_data());
}
const std::uint8_t* bytes_of(const Tensor& tensor) {
  return static_cast<const std::uint8_t*>(tensor.storage()->data());
}

/// Single words without a call.
void copy_slice(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  bytes == sizeof(float) ? std::memcpy(to, from, sizeof(float)) : std::memcpy(to, from, bytes);
}

int depth_of(const Shape& indices) { return indices.rank > 1 ? indices.back() : 1; }
std::size_t count_of(const Shape& indices) {
  return indices.elements(0, indices.rank > 1 ? indices.rank - 1 : indices.rank);
}

// Int32 sums wrap, and bools are there if any is.
template <class T>
void add_slice(T* to, const T* from, std::size_t n) {
  std::size_t i = 0;
  if constexpr (sizeof(T) == 4) {
    for (; i + simd::kLanes <= n; i += simd::kLanes) store(to + i, load(to + i) + load(from + i));
    if (i < n) store_first(to + i, load(to + i) + load(from + i), n - i);
  } else {
    for (; i < n; ++i) to[i] |= from[i];
  }
}

template <class T>
void add_slices(const KernelArgs& args) {
  const Tensor& indices = args.in[0];
  const Slices slices(args.out.shape(), depth_of(indices.shape()));
  const std::size_t count = count_of(indices.shape());
  const T* from = args.in[1].data<T>();
  T* out = args.out.mutable_data<T>();
  std::fill_n(out, args.out.elements(), T(0));
  for (std::size_t i = 0; i < count; ++i, from += slices.elements()) {
    add_slice(out + slices.begin(indices.data<std::int32_t>(), i), from, slices.elements());
  }
}

}  // namespace

void gather_nd(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const Shape& indices = args.in[1].shape();
  const Slices slices(x.shape(), indices.back());
  const std::size_t count = indices.elements(0, indices.rank - 1);
  const std::size_t size = size_of(x.dtype());
  const std::size_t bytes = slices.elements() * size;
  const auto* at = args.in[1].data<std::int32_t>();
  const std::uint8_t* from = bytes_of(x);
  std::uint8_t* to = bytes_of(args.out);
  for (std::size_t i = 0; i < count; ++i, to += bytes)
    copy_slice(to, from + slices.begin(at, i) * size, bytes);
}

void scatter_nd(const KernelArgs& args) {
  switch (args.out.dtype()) {
    case DType::kFloat32: return add_slices<float>(args);
    case DType::kInt32: return add_slices<std::int32_t>(args);
    default: return add_slices<std::uint8_t>(args);
  }
}

void tensor_scatter_update(const KernelArgs& args) {
  const Tensor& indices = args.in[1];
  const Slices slices(args.out.shape(), depth_of(indices.shape()));
  const std::size_t count = count_of(indices.shape());
  const std::size_t size = size_of(args.out.dtype());
  const std::size_t bytes = slices.elements() * size;
  const auto* at = indices.data<std::int32_t>();
  const std::uint8_t* from = bytes_of(args.in[2]);
  std::uint8_t* to = bytes_of(args.out);
  std::memcpy(to, bytes_of(args.in[0]), args.out.bytes());
  for (std::size_t i = 0; i < count; ++i, from += bytes)
    copy_slice(to + slices.begin(at, i) * size, from, bytes);
}

}  // namespace tenure::cpu
