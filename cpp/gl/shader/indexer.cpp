#include "gl/shader/indexer.h"

namespace tenure::gl {

const std::string_view kStridedIndexerSource =
    "uniform int extent[RANK],step_a[RANK];\n"
    "#if INPUTS==1\n#define PLACE int\n#define STEP(k) step_a[RANK-1-(k)]\n"
    "#elif INPUTS==2\nuniform int step_b[RANK];\n#define PLACE ivec2\n"
    "#define STEP(k) ivec2(step_a[RANK-1-(k)],step_b[RANK-1-(k)])\n"
    "#else\nuniform int step_b[RANK],step_c[RANK];\n#define PLACE ivec3\n"
    "#define STEP(k) ivec3(step_a[RANK-1-(k)],step_b[RANK-1-(k)],step_c[RANK-1-(k)])\n#endif\n"
    "#define EXTENT(k) extent[RANK-1-(k)]\n"
    "PLACE place;int i0,i1,i2,i3,i4,i5,i6;\n"
    "#define SPLIT(k,i) q=idiv(e,EXTENT(k));i=e-q*EXTENT(k);place+=i*STEP(k);e=q;\n"
    "void seek(int e){place=PLACE(0);int q;\n"
    "#if RANK>1\nSPLIT(0,i0)\n#endif\n#if RANK>2\nSPLIT(1,i1)\n#endif\n#if RANK>3\nSPLIT(2,i2)\n#endif\n"
    "#if RANK>4\nSPLIT(3,i3)\n#endif\n#if RANK>5\nSPLIT(4,i4)\n#endif\n#if RANK>6\nSPLIT(5,i5)\n#endif\n"
    "#if RANK>7\nSPLIT(6,i6)\n#endif\n"
    "place+=e*STEP(RANK-1);}\n"
    // With arithmetic, as masks for a branch take a software renderer longer.
    "#define CARRY(k,i) i+=c;c=int(i==EXTENT(k));i-=c*EXTENT(k);place+=c*(STEP(k+1)-EXTENT(k)*STEP(k));\n"
    "void next(){int c=1;place+=STEP(0);\n"
    "#if RANK>1\nCARRY(0,i0)\n#endif\n#if RANK>2\nCARRY(1,i1)\n#endif\n#if RANK>3\nCARRY(2,i2)\n#endif\n"
    "#if RANK>4\nCARRY(3,i3)\n#endif\n#if RANK>5\nCARRY(4,i4)\n#endif\n#if RANK>6\nCARRY(5,i5)\n#endif\n"
    "#if RANK>7\nCARRY(6,i6)\n#endif\n"
    "}\n";

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
