#include <cmath>

#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

// Copies the real (0) or imaginary (1) part. The real part of a real tensor is the tensor, its imaginary part
// is zero.
void take_part(const KernelArgs& args, std::size_t part) {
  const Tensor& in = args.in[0];
  if (in.dtype() == DType::kComplex64) {
    const float* from = in.data<float>() + part;
    auto* to = args.out.mutable_data<float>();
    for (std::size_t i = 0; i < args.out.elements(); ++i) to[i] = from[2 * i];
  } else if (part == 0) {
    std::memcpy(args.out.mutable_data<std::uint8_t>(), in.data<std::uint8_t>(), in.bytes());
  } else {
    std::memset(args.out.mutable_data<std::uint8_t>(), 0, args.out.bytes());
  }
}

}  // namespace

void complex(const KernelArgs& args) {
  const auto* real = args.in[0].data<float>();
  const auto* imag = args.in[1].data<float>();
  auto* out = args.out.mutable_data<float>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    out[2 * i] = real[i];
    out[2 * i + 1] = imag[i];
  }
}

void real(const KernelArgs& args) { take_part(args, 0); }
void imag(const KernelArgs& args) { take_part(args, 1); }

// Squares of floats neither overflow nor underflow in double.
void complex_abs(const KernelArgs& args) {
  const auto* z = args.in[0].data<float>();
  auto* out = args.out.mutable_data<float>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    const double re = z[2 * i];
    const double im = z[2 * i + 1];
    out[i] = static_cast<float>(std::sqrt(re * re + im * im));
  }
}

}  // namespace tenure::cpu
