#include "cpu/kernels.h"

namespace tenure::cpu {

void concat(const KernelArgs& args) {
  const Shape& shape = args.out.shape();
  const int axis = normalize_axis(args.attrs.as<AxisAttrs>().axis, shape.size());
  const std::size_t rows = shape.elements(0, axis);
  const std::size_t out_row = args.out.bytes() / rows;
  auto* out = args.out.mutable_data<std::uint8_t>();
  for (int i = 0; i < args.in.size(); ++i) {
    const auto* in = args.in[i].data<std::uint8_t>();
    const std::size_t row = args.in[i].bytes() / rows;
    for (std::size_t r = 0; r < rows; ++r) std::memcpy(out + r * out_row, in + r * row, row);
    out += row;
  }
}

}  // namespace tenure::cpu
