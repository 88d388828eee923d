#include "gl/kernels.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {
namespace {

// Truncates towards 0 and clamps to the range of int32; NaN becomes 0.
constexpr std::string_view kTruncate = R"(
  int truncated(float x) {
    return x >= 2147483648. ? 2147483647
        : x >= -2147483648. ? int(x)
        : x < 0. ? -2147483647 - 1
        : 0;
  }

  T4 texel(int i) {
    vec4 x = a_at_fragment();
    bvec4 none = is_nan(x);
    ivec4 r = ivec4(truncated(x.x), truncated(x.y), truncated(x.z), truncated(x.w));
    return select(none, ivec4(0), r);
  }
)"_glsl;

// True for NaN.
constexpr std::string_view kIsNonZero = R"(
  T4 texel(int i) {
    vec4 x = a_at_fragment();
    return max(T4(notEqual(x, vec4(0))), T4(is_nan(x)));
  }
)"_glsl;

std::string_view source(DType from, DType to) {
  if (to == DType::kBool && from == DType::kFloat32) {
    return kIsNonZero;
  }
  if (to == DType::kBool) return "T4 texel(int i) { return T4(notEqual(a_at_fragment(), ivec4(0))); }\n"_glsl;
  if (to == DType::kInt32 && from == DType::kFloat32) return kTruncate;
  return "T4 texel(int i) { return T4(a_at_fragment()); }\n"_glsl;
}

}  // namespace

void cast(const KernelArgs& args) {
  const bool to_bool = args.out.dtype() == DType::kBool;
  Pass("cast")
      .variant("TO_BOOL", to_bool)
      .input("a", args.in[0])
      .texels(args.out, source(args.in[0].dtype(), args.out.dtype()));
}

}  // namespace tenure::gl
