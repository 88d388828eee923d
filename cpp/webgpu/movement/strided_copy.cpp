#include "webgpu/movement/strided_copy.h"

#include <algorithm>
#include <array>

#include "webgpu/movement/strided_copy.wgsl.h"
#include "webgpu/movement/strided_copy_transposed.wgsl.h"
#include "webgpu/movement/strided_copy_vec4.wgsl.h"
#include "webgpu/shader/indexer.h"
#include "webgpu/shader/indexer.wgsl.h"

namespace tenure::webgpu {

bool StridedCopy::copies_vec4s() const {
  const int last = indexer_.rank - 1;
  if (indexer_.stride[last][0] != 1 || origin_ % 4 != 0) return false;
  // The last vec4 of a buffer may be read and written past the end.
  if (last == 0) return true;
  return indexer_.extent[last] % 4 == 0 &&
         std::all_of(indexer_.stride, indexer_.stride + last,
                     [](const StridedIndexer::Strides& strides) { return strides[0] % 4 == 0; });
}

int StridedCopy::find_transposed_dimension() const {
  // In smaller dimensions most threads of a tile would have no block.
  constexpr int kMinExtent = 16;
  const int last = indexer_.rank - 1;
  const auto is_whole = [](int size) { return size % 4 == 0; };
  if (!is_whole(origin_) || !is_whole(indexer_.extent[last]) || !is_whole(indexer_.stride[last][0]) ||
      indexer_.extent[last] < kMinExtent)
    return -1;
  int transposed = -1;
  for (int d = 0; d < last; ++d) {
    if (is_whole(indexer_.stride[d][0])) continue;
    if (transposed >= 0 || indexer_.stride[d][0] != 1 || !is_whole(indexer_.extent[d])) return -1;
    if (indexer_.extent[d] < kMinExtent) return -1;
    transposed = d;
  }
  return transposed;
}

void StridedCopy::run_transposed(int transposed, const Tensor& in, Tensor& out) const {
  constexpr int kTile = 8;
  const int last = indexer_.rank - 1;
  const std::array blocks = {indexer_.extent[last] / 4, indexer_.extent[transposed] / 4, 0, 0};
  const std::array tiles = {(blocks[0] + kTile - 1) / kTile, (blocks[1] + kTile - 1) / kTile, 0, 0};
  std::array strides = {indexer_.stride[last][0] / 4, blocks[0], 0, 0};
  for (int d = last - 1; d > transposed; --d) strides[1] *= indexer_.extent[d];
  StridedIndexer others;
  std::size_t count =
      std::size_t{kTile * kTile} * static_cast<std::size_t>(tiles[0]) * static_cast<std::size_t>(tiles[1]);
  int out_stride = static_cast<int>(out.elements() / 4);
  for (int d = 0; d < last; ++d) {
    out_stride /= indexer_.extent[d];
    if (d == transposed) continue;
    others.add(indexer_.extent[d], {indexer_.stride[d][0] / 4, out_stride, 0});
    count *= static_cast<std::size_t>(indexer_.extent[d]);
  }
  others.finish();
  Dispatch dispatch("strided_copy_transposed");
  dispatch.input4("x", in).output4().set("origin", origin_ / 4);
  dispatch.set("blocks", blocks).set("tiles", tiles).set("strides", strides);
  set_indexer(dispatch, others);
  dispatch.threads(out, count, {wgsl::kIndexer, wgsl::kStridedCopyTransposed});
}

void StridedCopy::run(const Tensor& in, Tensor& out) {
  indexer_.finish();
  if (const int transposed = find_transposed_dimension(); transposed >= 0)
    return run_transposed(transposed, in, out);
  if (!copies_vec4s()) {
    Dispatch dispatch("strided_copy");
    dispatch.input("x", in).output4().set("origin", origin_);
    set_indexer(dispatch, indexer_);
    return dispatch.elements(out, {wgsl::kIndexer, wgsl::kStridedCopy});
  }
  const int last = indexer_.rank - 1;
  indexer_.extent[last] = (indexer_.extent[last] + 3) / 4;
  for (int d = 0; d < last; ++d) indexer_.stride[d][0] /= 4;
  Dispatch dispatch("strided_copy_vec4");
  dispatch.input4("x", in).output4().set("origin", origin_ / 4);
  set_indexer(dispatch, indexer_);
  dispatch.elements(out, {wgsl::kIndexer, wgsl::kStridedCopyVec4});
}

}  // namespace tenure::webgpu
