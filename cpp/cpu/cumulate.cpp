#include <type_traits>

#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// Each row of `inner` elements from those before it along the axis.
template <class From, class To, class Combine>
void cumulate(const KernelArgs& args, To first, Combine combine) {
  const auto attrs = args.attrs.as<CumulateAttrs>();
  const Shape& shape = args.out.shape();
  const int axis = normalize_axis(attrs.axis, shape.rank);
  const std::size_t outer = shape.elements(0, axis);
  const auto extent = static_cast<std::size_t>(shape[axis]);
  const std::size_t inner = shape.elements(axis + 1, shape.rank);
  const From* x = args.in[0].data<From>();
  To* y = args.out.mutable_data<To>();
  for (std::size_t o = 0; o < outer; ++o, x += extent * inner, y += extent * inner) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < extent; ++i) {
      const std::size_t at = (attrs.reverse != 0 ? extent - 1 - i : i) * inner;
      const From* from = x + (attrs.exclusive != 0 ? last : at);
      for (std::size_t k = 0; k < inner; ++k) {
        const To so_far = i == 0 ? first : y[last + k];
        y[at + k] = attrs.exclusive != 0 && i == 0 ? first : combine(so_far, static_cast<To>(from[k]));
      }
      last = at;
    }
  }
}

// Integers wrap around.
template <class Combine>
void cumulate(const KernelArgs& args, int first, Combine combine) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return cumulate<float>(args, static_cast<float>(first), combine);
    case DType::kInt32: return cumulate<std::uint32_t>(args, static_cast<std::uint32_t>(first), combine);
    default: return cumulate<std::uint8_t>(args, static_cast<std::uint32_t>(first), combine);
  }
}

}  // namespace

void cumsum(const KernelArgs& args) {
  cumulate(args, 0, [](auto a, auto b) { return a + b; });
}

void cumprod(const KernelArgs& args) {
  cumulate(args, 1, [](auto a, auto b) { return a * b; });
}

}  // namespace tenure::cpu
