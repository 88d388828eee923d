#include "gl/device/value.h"
#include "gl/kernels.h"
#include "gl/shader/vec4_pass.h"

namespace tenure::gl {
namespace {

constexpr std::string_view kOneHot = R"(
  uniform int depth;
  uniform T on, off;
  #if WHOLE
  T4 texel(int i) {
    int row = idiv(i, depth), column = indices1(row) - (i - row * depth) * 4;
    return select(equal(ivec4(column), ivec4(0, 1, 2, 3)), T4(on), T4(off));
  }
  #else
  T element(int e) {
    int row = idiv(e, depth);
    return indices1(row) == e - row * depth ? on : off;
  }
  #endif
)"_glsl;

void fill_with(Tensor& out, double value) {
  Pass pass("fill");
  set_value(pass, "value", out.dtype(), value);
  pass.texels(out, "uniform T value; T4 texel(int i) { return T4(value); }\n"_glsl);
}

}  // namespace

void fill(const KernelArgs& args) {
  const auto attrs = args.attrs.as<FillAttrs>();
  // Either of the two values may hold a bool.
  const bool by_value =
      attrs.dtype == DType::kFloat32 || (attrs.dtype == DType::kBool && attrs.int_value == 0);
  fill_with(args.out, by_value ? double{attrs.value} : attrs.int_value);
}

void fill_like(const KernelArgs& args) { fill_with(args.out, args.attrs.as<FillLikeAttrs>().value); }

void one_hot(const KernelArgs& args) {
  const auto attrs = args.attrs.as<OneHotAttrs>();
  const bool whole = attrs.depth % 4 == 0;
  Pass pass("one_hot");
  pass.variant("WHOLE", whole)
      .input("indices", args.in[0])
      .set("depth", whole ? attrs.depth / 4 : attrs.depth);
  set_value(pass, "on", attrs.dtype, attrs.on_value);
  set_value(pass, "off", attrs.dtype, attrs.off_value);
  whole ? pass.texels(args.out, kOneHot) : pass.elements(args.out, kOneHot);
}

}  // namespace tenure::gl
