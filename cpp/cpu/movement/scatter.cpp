#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// View of a shape as slices of equal size, each addressed by `depth` indices.
class Slices {
 public:
  Slices(const Shape& shape, int depth)
      : shape_(shape), depth_(depth), elements_(shape.elements(depth, shape.rank)) {
    for (int d = 0; d < depth; ++d) {
      extents_[d] = static_cast<std::uint32_t>(shape[d]);
      strides_[d] = shape.elements(d + 1, shape.rank);
    }
  }

  std::size_t elements() const { return elements_; }

  /// Calls use(i, offset in elements of the slice that the i-th index tuple addresses). Throws if it is
  /// outside the shape.
  template <class Use>
  void each(const std::int32_t* indices, std::size_t count, Use use) const {
    for (std::size_t i = 0; i < count; ++i, indices += depth_) {
      std::size_t at = 0;
      for (int d = 0; d < depth_; ++d) {
        const auto index = static_cast<std::uint32_t>(indices[d]);
        if (index >= extents_[d]) fail_outside(indices);
        at += index * strides_[d];
      }
      use(i, at);
    }
  }

 private:
  [[noreturn, gnu::noinline]] void fail_outside(const std::int32_t* index) const {
    fail("Invalid indices: ", Dims(std::span(index, static_cast<std::size_t>(depth_))),
         " does not index into ", shape_);
  }

  const Shape& shape_;
  int depth_;
  std::size_t elements_;
  std::uint32_t extents_[kMaxRank];
  std::size_t strides_[kMaxRank];
};

std::uint8_t* byte_data(Tensor& tensor) {
  return static_cast<std::uint8_t*>(tensor.storage()->mutable_data());
}
const std::uint8_t* byte_data(const Tensor& tensor) {
  return static_cast<const std::uint8_t*>(tensor.storage()->data());
}

/// Calls copy(i-th offset among the slices, offset in the shape, bytes) for each index tuple, offsets in
/// bytes. With a size known at compile time, a memcpy() of one word needs no call.
template <class Copy>
void copy_slices(const Slices& slices, const std::int32_t* indices, std::size_t count, std::size_t size,
                 Copy copy) {
  const std::size_t bytes = slices.elements() * size;
  if (slices.elements() == 1 && size == sizeof(float)) {
    slices.each(indices, count, [&](std::size_t i, std::size_t at) {
      copy(i * sizeof(float), at * sizeof(float), sizeof(float));
    });
  } else {
    slices.each(indices, count, [&](std::size_t i, std::size_t at) { copy(i * bytes, at * size, bytes); });
  }
}

int index_depth(const Shape& indices) { return indices.rank > 1 ? indices.back() : 1; }
std::size_t index_count(const Shape& indices) {
  return indices.elements(0, indices.rank > 1 ? indices.rank - 1 : indices.rank);
}

// Int32 sums wrap around; the sum of bools is their disjunction.
void add_one(float& to, float from) { to += from; }
void add_one(std::int32_t& to, std::int32_t from) {
  to = static_cast<std::int32_t>(static_cast<std::uint32_t>(to) + static_cast<std::uint32_t>(from));
}
void add_one(std::uint8_t& to, std::uint8_t from) { to |= from; }

template <class T>
void add_slice(T* to, const T* from, std::size_t n) {
  std::size_t i = 0;
  if constexpr (sizeof(T) == 4) {
    for (; i + simd::kLanes <= n; i += simd::kLanes) store(to + i, load(to + i) + load(from + i));
    if (i < n) store_first(to + i, load(to + i) + load(from + i), n - i);
  } else {
    for (; i < n; ++i) add_one(to[i], from[i]);
  }
}

template <class T>
void add_slices(const KernelArgs& args) {
  const Tensor& indices = args.in[0];
  const Slices slices(args.out.shape(), index_depth(indices.shape()));
  const std::size_t count = index_count(indices.shape());
  const T* from = args.in[1].data<T>();
  T* out = args.out.mutable_data<T>();
  std::fill_n(out, args.out.elements(), T(0));
  const std::size_t elements = slices.elements();
  slices.each(indices.data<std::int32_t>(), count, [&](std::size_t i, std::size_t at) {
    if (elements == 1) return add_one(out[at], from[i]);
    add_slice(out + at, from + i * elements, elements);
  });
}

}  // namespace

void gather_nd(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const Shape& indices = args.in[1].shape();
  const Slices slices(x.shape(), indices.back());
  const std::size_t count = indices.elements(0, indices.rank - 1);
  const std::uint8_t* from = byte_data(x);
  std::uint8_t* to = byte_data(args.out);
  copy_slices(
      slices, args.in[1].data<std::int32_t>(), count, element_size(x.dtype()),
      [&](std::size_t i, std::size_t at, std::size_t bytes) { std::memcpy(to + i, from + at, bytes); });
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
  const Slices slices(args.out.shape(), index_depth(indices.shape()));
  const std::size_t count = index_count(indices.shape());
  const std::uint8_t* from = byte_data(args.in[2]);
  std::uint8_t* to = byte_data(args.out);
  std::memcpy(to, byte_data(args.in[0]), args.out.bytes());
  copy_slices(
      slices, indices.data<std::int32_t>(), count, element_size(args.out.dtype()),
      [&](std::size_t i, std::size_t at, std::size_t bytes) { std::memcpy(to + at, from + i, bytes); });
}

}  // namespace tenure::cpu
