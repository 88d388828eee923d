#include "gl/kernels.h"
#include "gl/shader/walk.h"

namespace tenure::gl {
namespace {

constexpr std::string_view kSame =
    "T4 texel(int i){return select(notEqual(test_here(),ivec4(0)),T4(a_here()),T4(b_here()));}\n";

// WHOLE: a texel is within one row, along which each input has stride 1 or 0.
constexpr std::string_view kBroadcast =
    "T4 texel(int i){ivec4 t;T4 a,b;begin_at(i*4);\n"
    "#if WHOLE\n"
    "#if STEP_T\nt=test4(place.x>>2);\n#else\nt=ivec4(test1(place.x));\n#endif\n"
    "#if STEP_A\na=T4(a4(place.y>>2));\n#else\na=T4(a1(place.y));\n#endif\n"
    "#if STEP_B\nb=T4(b4(place.z>>2));\n#else\nb=T4(b1(place.z));\n#endif\n"
    "#else\n"
    "#define ONE(k) t.k=test1(place.x);a.k=T(a1(place.y));b.k=T(b1(place.z));go_on();\n"
    "ONE(x)ONE(y)ONE(z)ONE(w)\n"
    "#endif\n"
    "return select(notEqual(t,ivec4(0)),a,b);}\n";

int step_of(const Shape& shape, int from_last) {
  if (from_last >= shape.size() || shape.back(from_last) == 1) return 0;
  return static_cast<int>(shape.elements(shape.size() - from_last, shape.size()));
}

Walk walk_of(const KernelArgs& args) {
  Walk walk;
  const Shape& shape = args.out.shape();
  for (int i = 0; i < shape.size(); ++i) {
    Walk::Steps steps;
    for (int k = 0; k < 3; ++k)
      steps[static_cast<std::size_t>(k)] = step_of(args.in[k].shape(), shape.size() - 1 - i);
    walk.add(shape[i], steps);
  }
  walk.finish();
  return walk;
}

}  // namespace

void where(const KernelArgs& args) {
  Pass pass("where");
  pass.input("test", args.in[0]).input("a", args.in[1]).input("b", args.in[2]);
  const auto is_same = [&](int i) { return args.in[i].elements() == args.out.elements(); };
  if (is_same(0) && is_same(1) && is_same(2)) return pass.texels(args.out, kSame);
  const Walk walk = walk_of(args);
  const int last = walk.rank - 1;
  const bool whole = walk.extent[last] % 4 == 0;
  const Walk::Steps steps = whole ? walk.step[last] : Walk::Steps{};
  pass.variant("WHOLE", whole)
      .variant("STEP_T", steps[0])
      .variant("STEP_A", steps[1])
      .variant("STEP_B", steps[2]);
  walk.describe(pass, 3);
  pass.texels(args.out, {kWalkSource, kBroadcast});
}

}  // namespace tenure::gl
