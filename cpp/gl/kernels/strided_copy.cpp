#include "gl/kernels/strided_copy.h"

#include <algorithm>

namespace tenure::gl {
namespace {

// READ 0: an output texel is an input texel. 1: its elements are consecutive and in two texels. 2: they are
// in the same lane of four texels. 3: they may be anywhere.
constexpr std::string_view kSource = R"(
  uniform int origin;

  T4 texel(int i) {
  #if READ == 0
    seek(i);
    return x4(origin + place);
  #elif READ == 1
    seek(i * 4);
    int p = origin + place;
    bool one = (p & 1) != 0, two = (p & 2) != 0;
    p >>= 2;
    T4 a = x4(p),
        b = x4(p + 1),
        c = T4(a.yzw, b.x),
        d = T4(a.zw, b.xy),
        f = T4(a.w, b.xyz);
    a = one ? c : a;
    d = one ? f : d;
    return two ? d : a;
  #elif READ == 2
    seek(i * 4);
    int p = origin + place, s = STEP(0) >> 2;
    bool one = (p & 1) != 0, two = (p & 2) != 0;
    p >>= 2;
    T4 a = x4(p),
        b = x4(p + s),
        c = x4(p + 2 * s),
        d = x4(p + 3 * s);
    T4 e = T4(a.x, b.x, c.x, d.x),
        f = T4(a.y, b.y, c.y, d.y),
        g = T4(a.z, b.z, c.z, d.z),
        h = T4(a.w, b.w, c.w, d.w);
    e = one ? f : e;
    g = one ? h : g;
    return two ? g : e;
  #else
    T4 r;
    seek(i * 4);
    r.x = x1(origin + place);
    next();
    r.y = x1(origin + place);
    next();
    r.z = x1(origin + place);
    next();
    r.w = x1(origin + place);
    return r;
  #endif
  }
)"_glsl;

}  // namespace

StridedCopy::Read StridedCopy::read() const {
  const int last = indexer_.rank - 1;
  const bool is_contiguous = last == 0 && indexer_.stride[last][0] == 1;
  if (is_contiguous) return origin_ % 4 == 0 ? kTexels : kNeighbours;
  if (indexer_.extent[last] % 4 != 0) return kArbitrary;
  const auto divides = [](const StridedIndexer::Strides& strides) { return strides[0] % 4 == 0; };
  if (indexer_.stride[last][0] == 1) {
    const bool aligned = origin_ % 4 == 0 && std::all_of(indexer_.stride, indexer_.stride + last, divides);
    return aligned ? kTexels : kNeighbours;
  }
  return divides(indexer_.stride[last]) ? kOneLane : kArbitrary;
}

void StridedCopy::run(const Tensor& in, Tensor& out) {
  indexer_.finish();
  const Read how = read();
  if (how == kTexels) {
    const int last = indexer_.rank - 1;
    indexer_.extent[last] /= 4;
    for (int d = 0; d < last; ++d) indexer_.stride[d][0] /= 4;
    origin_ /= 4;
  }
  Pass pass("strided_copy");
  pass.variant("READ", how).input("x", in).set("origin", origin_);
  set_indexer(pass, indexer_, 1);
  // Neighbours in a row of the output are rows apart in the input.
  if (how == kOneLane) pass.allow_tiled_draw();
  pass.texels(out, {kStridedIndexerSource, kSource});
}

}  // namespace tenure::gl
