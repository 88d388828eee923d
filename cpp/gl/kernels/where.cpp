#include "gl/kernels.h"
#include "gl/shader/indexer.h"

namespace tenure::gl {
namespace {

constexpr std::string_view kSame = R"(
  T4 texel(int i) {
    return select(notEqual(test_at_fragment(), ivec4(0)), T4(a_at_fragment()), T4(b_at_fragment()));
  }
)"_glsl;

// WHOLE: a texel is within one row, along which each input has stride 1 or 0.
constexpr std::string_view kBroadcast = R"(
  T4 texel(int i) {
    ivec4 t;
    T4 a, b;
    seek(i * 4);
  #if WHOLE
  #if STEP_T
    t = test4(place.x >> 2);
  #else
    t = ivec4(test1(place.x));
  #endif
  #if STEP_A
    a = T4(a4(place.y >> 2));
  #else
    a = T4(a1(place.y));
  #endif
  #if STEP_B
    b = T4(b4(place.z >> 2));
  #else
    b = T4(b1(place.z));
  #endif
  #else
  #define ONE(k)          \
    t.k = test1(place.x); \
    a.k = T(a1(place.y)); \
    b.k = T(b1(place.z)); \
    next();
    ONE(x)
    ONE(y)
    ONE(z)
    ONE(w)
  #endif
    return select(notEqual(t, ivec4(0)), a, b);
  }
)"_glsl;

int broadcast_stride(const Shape& shape, int from_last) {
  if (from_last >= shape.size() || shape.back(from_last) == 1) return 0;
  return static_cast<int>(shape.elements(shape.size() - from_last, shape.size()));
}

StridedIndexer make_indexer(const KernelArgs& args) {
  StridedIndexer indexer;
  const Shape& shape = args.out.shape();
  for (int i = 0; i < shape.size(); ++i) {
    StridedIndexer::Strides strides;
    for (int k = 0; k < 3; ++k)
      strides[static_cast<std::size_t>(k)] = broadcast_stride(args.in[k].shape(), shape.size() - 1 - i);
    indexer.add(shape[i], strides);
  }
  indexer.finish();
  return indexer;
}

}  // namespace

void where(const KernelArgs& args) {
  Pass pass("where");
  pass.input("test", args.in[0]).input("a", args.in[1]).input("b", args.in[2]);
  const auto is_same = [&](int i) { return args.in[i].elements() == args.out.elements(); };
  if (is_same(0) && is_same(1) && is_same(2)) return pass.texels(args.out, kSame);
  const StridedIndexer indexer = make_indexer(args);
  const int last = indexer.rank - 1;
  const bool whole = indexer.extent[last] % 4 == 0;
  const StridedIndexer::Strides strides = whole ? indexer.stride[last] : StridedIndexer::Strides{};
  pass.variant("WHOLE", whole)
      .variant("STEP_T", strides[0])
      .variant("STEP_A", strides[1])
      .variant("STEP_B", strides[2]);
  set_indexer(pass, indexer, 3);
  pass.texels(args.out, {kStridedIndexerSource, kBroadcast});
}

}  // namespace tenure::gl
