#include <cstdint>
#include <functional>
#include <string_view>

#include "core/error.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// Computes sums, differences or products. A single element of an input repeats.
template <class Function>
void compute(const KernelArgs& args, std::string_view sign, Function function) {
  const auto x = args.in[0].values<std::int32_t>();
  const auto y = args.in[1].values<std::int32_t>();
  const std::size_t stride_x = x.size() == 1 ? 0 : 1;
  const std::size_t stride_y = y.size() == 1 ? 0 : 1;
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    const std::int64_t a = x[i * stride_x];
    const std::int64_t b = y[i * stride_y];
    const std::int64_t result = function(a, b);
    if (result != static_cast<std::int32_t>(result))
      fail("64-bit integers are computed as int32, which cannot hold ", a, " ", sign, " ", b);
    out[i] = static_cast<std::int32_t>(result);
  }
}

}  // namespace

void checked_arithmetic(const KernelArgs& args) {
  switch (args.attrs.as<CheckedArithmeticAttrs>().op) {
    case IntegerArithmetic::kAdd: return compute(args, "+", std::plus<>());
    case IntegerArithmetic::kSubtract: return compute(args, "-", std::minus<>());
    case IntegerArithmetic::kMultiply: return compute(args, "*", std::multiplies<>());
  }
}

}  // namespace tenure::cpu
