#include <algorithm>
#include <numeric>

#include "gl/kernels.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {
namespace {

// Table of means, factors and offsets in sequence, each repeated until the pattern fills whole texels.
constexpr std::string_view kTable = R"(
  uniform int period, mean_size, variance_size, offset_size, scale_size;
  uniform float epsilon;

  T element(int e) {
    int which = idiv(e, period), i = e - which * period;
    if (which == 0) return mean1(imod(i, mean_size));
  #if HAS_OFFSET
    if (which == 2) return offset1(imod(i, offset_size));
  #else
    if (which == 2) return 0.;
  #endif
    float factor = 1. / sqrt(variance1(imod(i, variance_size)) + epsilon);
  #if HAS_SCALE
    factor *= scale1(imod(i, scale_size));
  #endif
    return factor;
  }
)"_glsl;

// The mean is subtracted first. Folded into the offset, it would cost digits where it is large.
constexpr std::string_view kNormalize = R"(
  uniform int period;

  T4 texel(int i) {
    int p = imod(i, period);
    return (x_at_fragment() - table4(p)) * table4(p + period) + table4(p + 2 * period);
  }
)"_glsl;

void add_parameter(Pass& pass, const char* name, const char* size, const Tensor& parameter) {
  pass.input(name, parameter).set(size, static_cast<int>(parameter.elements()));
}

}  // namespace

void batch_norm(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  std::size_t period = 1;
  for (int i = 1; i < args.in.size(); ++i) {
    if (args.in.has(i)) period = std::max(period, args.in[i].elements());
  }
  period = std::min(std::lcm(period, std::size_t{4}), (x.elements() + 3) / 4 * 4);
  Tensor table = Tensor::deferred({{3, static_cast<std::int32_t>(period)}, DType::kFloat32});
  Pass fill("batch_norm_table");
  fill.variant("HAS_OFFSET", args.in.has(3)).variant("HAS_SCALE", args.in.has(4));
  add_parameter(fill, "mean", "mean_size", args.in[1]);
  add_parameter(fill, "variance", "variance_size", args.in[2]);
  if (args.in.has(3)) add_parameter(fill, "offset", "offset_size", args.in[3]);
  if (args.in.has(4)) add_parameter(fill, "scale", "scale_size", args.in[4]);
  fill.set("period", static_cast<int>(period))
      .set("epsilon", args.attrs.as<BatchNormAttrs>().epsilon)
      .elements(table, kTable);
  Pass("batch_norm")
      .input("x", x)
      .input("table", table)
      .set("period", static_cast<int>(period / 4))
      .texels(args.out, kNormalize);
}

}  // namespace tenure::gl
