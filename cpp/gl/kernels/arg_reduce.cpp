#include <algorithm>

#include "core/run/dispatch.h"
#include "core/text.h"
#include "gl/kernels.h"
#include "gl/shader/kernel.h"
#include "shape_util/reduce.h"

namespace tenure::gl {
namespace {

// x is [outer, reduced, inner]. The reduced dimension is split into parts of `chunk` elements; the result
// [outer, parts, inner] is the index of each part's best element, compared with the first of all. A NaN is
// never better, and nothing is better than a NaN, so that it wins only as the first element, as in the CPU's
// kernel.
constexpr std::string_view kHead = R"(
  uniform int reduced, inner, parts, chunk;
  #if MAX
  #define BETTER(x, y) greaterThan(x, y)
  #else
  #define BETTER(x, y) lessThan(x, y)
  #endif
  #define KEEP(x, k) {               \
    bvec4 wins = BETTER(x, best);    \
    best = select(wins, x, best);    \
    at = select(wins, ivec4(k), at); \
  }
  #define FOUND(at) select(is_nan(first), ivec4(0), at)
)"_glsl;

// `inner` counts texels here.
constexpr std::string_view kColumns = R"(
  T4 texel(int i) {
    int part = idiv(i, inner),
        column = i - part * inner,
        o = idiv(part, parts);
    part -= o * parts;
    int start = o * reduced * inner + column,
        k = part * chunk,
        end = k + chunk < reduced ? k + chunk : reduced;
    V first = V(x4(start)), best = first;
    ivec4 at = ivec4(0);
    for (int p = start + k * inner; k < end; ++k, p += inner) {
      V x = x4(p);
      KEEP(x, k)
    }
    return FOUND(at);
  }
)"_glsl;

// Reduces each lane of a texel first, then the four lanes; the lowest index wins a tie.
constexpr std::string_view kRows = R"(
  T element(int e) {
    int o = idiv(e, parts),
        part = e - o * parts,
        start = o * reduced,
        k = start + part * chunk,
        end = (part + 1) * chunk < reduced ? k + chunk : start + reduced;
    V first = V(x1(start)), best = first;
    ivec4 at = ivec4(0);
    for (int i = k >> 2; i <= (end - 1) >> 2; ++i) {
      ivec4 p = i * 4 + ivec4(0, 1, 2, 3);
      V x = select(lessThan(p, ivec4(k)), first, select(lessThan(p, ivec4(end)), x4(i), first));
      KEEP(x, p - start)
    }
  #define JOIN(lanes) {                                      \
    V x = best.lanes;                                        \
    ivec4 k = at.lanes;                                      \
    bvec4 wins = BETTER(x, best), loses = BETTER(best, x);   \
    at = select(wins, k, select(loses, at, ivec4(            \
        k.x < at.x ? k.x : at.x, k.y < at.y ? k.y : at.y,    \
        k.z < at.z ? k.z : at.z, k.w < at.w ? k.w : at.w))); \
    best = select(wins, x, best);                            \
  }
    JOIN(zwxy)
    JOIN(yxwz)
    return FOUND(at).x;
  }
)"_glsl;

// CANDIDATES: reduces only the elements at [outer, reduced, inner] indices; x has `chunk` elements along the
// reduced dimension.
constexpr std::string_view kStrided = R"(
  T element(int e) {
    int o = idiv(e, inner), column = e - o * inner;
  #if CANDIDATES
  #define INDEX indices1((o * reduced + k) * inner + column)
  #define START o * chunk * inner
  #else
  #define INDEX k
  #define START o * reduced * inner
  #endif
    int start = START + column;
    V first = V(x1(start)), best = first;
    ivec4 at = ivec4(0);
    for (int k = 0; k < reduced; ++k) {
      int index = INDEX;
      V x = V(x1(start + index * inner));
      KEEP(x, index)
    }
    return FOUND(at).x;
  }
)"_glsl;

constexpr std::size_t kLong = 512;
constexpr std::size_t kChunk = 64;
constexpr std::size_t kMaxParts = 256;

class ArgReducer {
 public:
  ArgReducer(const Tensor& x, const Extents& extents, bool max) : x_(x), e_(extents), max_(max) {}

  void run(Tensor& out) const {
    const bool columns = e_.inner % 4 == 0;
    if (!columns && e_.inner > 1) return draw_strided(nullptr, e_.reduced, out);
    const std::size_t parts = e_.reduced < kLong ? 1 : std::min(e_.reduced / kChunk, kMaxParts);
    if (parts == 1) return draw_parts(columns, 1, out);
    Tensor indices =
        Tensor::deferred({{static_cast<std::int32_t>(e_.outer * parts * e_.inner)}, DType::kInt32});
    draw_parts(columns, parts, indices);
    draw_strided(&indices, parts, out);
  }

 private:
  Pass pass_for(std::string_view name) const {
    Pass pass(name);
    pass.variant("MAX", max_).variant("V", x_.dtype() == DType::kFloat32 ? "vec4" : "ivec4").input("x", x_);
    return pass;
  }

  void draw_parts(bool columns, std::size_t parts, Tensor& out) const {
    Pass pass = pass_for(columns ? "arg_reduce_columns" : "arg_reduce_rows");
    pass.set("reduced", static_cast<int>(e_.reduced))
        .set("inner", static_cast<int>(columns ? e_.inner / 4 : 1))
        .set("parts", static_cast<int>(parts))
        .set("chunk", static_cast<int>((e_.reduced + parts - 1) / parts));
    columns ? pass.texels(out, {kHead, kColumns}) : pass.elements(out, {kHead, kRows});
  }

  void draw_strided(const Tensor* indices, std::size_t count, Tensor& out) const {
    Pass pass = pass_for("arg_reduce");
    pass.variant("CANDIDATES", indices != nullptr);
    if (indices) pass.input("indices", *indices);
    pass.set("reduced", static_cast<int>(count))
        .set("inner", static_cast<int>(e_.inner))
        .set("chunk", static_cast<int>(e_.reduced))
        .elements(out, {kHead, kStrided});
  }

  const Tensor& x_;
  Extents e_;
  bool max_;
};

void arg_reduce(Op op, const KernelArgs& args) {
  const Tensor& x = args.in[0];
  if (x.elements() == 0) return fall_back_to_cpu(op, args);
  const int axis = normalize_axis(args.attrs.as<ArgReduceAttrs>().axis, x.rank());
  const Extents extents{x.shape().elements(0, axis), static_cast<std::size_t>(x.dim(axis)),
                        x.shape().elements(axis + 1, x.rank())};
  ArgReducer(x, extents, op == Op::arg_max).run(args.out);
}

}  // namespace

void arg_max(const KernelArgs& args) { arg_reduce(Op::arg_max, args); }
void arg_min(const KernelArgs& args) { arg_reduce(Op::arg_min, args); }

}  // namespace tenure::gl
