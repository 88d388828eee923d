#include "webgpu/movement/strided_copy.h"

#include <algorithm>

#include "webgpu/movement/strided_copy.wgsl.h"
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

void StridedCopy::run(const Tensor& in, Tensor& out) {
  indexer_.finish();
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
