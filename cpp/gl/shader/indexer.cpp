#include "gl/shader/indexer.h"

namespace tenure::gl {

const std::string_view kStridedIndexerSource = R"(
  uniform int extent[RANK], step_a[RANK];
  #if INPUTS == 1
  #define PLACE int
  #define STEP(k) step_a[RANK - 1 - (k)]
  #elif INPUTS == 2
  uniform int step_b[RANK];
  #define PLACE ivec2
  #define STEP(k) ivec2(step_a[RANK - 1 - (k)], step_b[RANK - 1 - (k)])
  #else
  uniform int step_b[RANK], step_c[RANK];
  #define PLACE ivec3
  #define STEP(k) ivec3(step_a[RANK - 1 - (k)], step_b[RANK - 1 - (k)], step_c[RANK - 1 - (k)])
  #endif
  #define EXTENT(k) extent[RANK - 1 - (k)]
  PLACE place;
  int i0, i1, i2, i3, i4, i5, i6;
  #define SPLIT(k, i)       \
    q = idiv(e, EXTENT(k)); \
    i = e - q * EXTENT(k);  \
    place += i * STEP(k);   \
    e = q;

  void seek(int e) {
    place = PLACE(0);
    int q;
  #if RANK > 1
    SPLIT(0, i0)
  #endif
  #if RANK > 2
    SPLIT(1, i1)
  #endif
  #if RANK > 3
    SPLIT(2, i2)
  #endif
  #if RANK > 4
    SPLIT(3, i3)
  #endif
  #if RANK > 5
    SPLIT(4, i4)
  #endif
  #if RANK > 6
    SPLIT(5, i5)
  #endif
  #if RANK > 7
    SPLIT(6, i6)
  #endif
    place += e * STEP(RANK - 1);
  }

  // With arithmetic, as masks for a branch take a software renderer longer.
  #define CARRY(k, i)        \
    i += c;                  \
    c = int(i == EXTENT(k)); \
    i -= c * EXTENT(k);      \
    place += c * (STEP(k + 1) - EXTENT(k) * STEP(k));

  void next() {
    int c = 1;
    place += STEP(0);
  #if RANK > 1
    CARRY(0, i0)
  #endif
  #if RANK > 2
    CARRY(1, i1)
  #endif
  #if RANK > 3
    CARRY(2, i2)
  #endif
  #if RANK > 4
    CARRY(3, i3)
  #endif
  #if RANK > 5
    CARRY(4, i4)
  #endif
  #if RANK > 6
    CARRY(5, i5)
  #endif
  #if RANK > 7
    CARRY(6, i6)
  #endif
  }
)"_glsl;

void set_indexer(Pass& pass, const StridedIndexer& indexer, int inputs) {
  constexpr const char* kNames[StridedIndexer::kMaxInputs] = {"step_a", "step_b", "step_c"};
  const auto rank = static_cast<std::size_t>(indexer.rank);
  pass.variant("RANK", indexer.rank).variant("INPUTS", inputs).set("extent", std::span(indexer.extent, rank));
  for (int k = 0; k < inputs; ++k) {
    int strides[kMaxRank];
    for (std::size_t d = 0; d < rank; ++d) strides[d] = indexer.stride[d][k];
    pass.set(kNames[k], std::span<const int>(strides, rank));
  }
}

}  // namespace tenure::gl
