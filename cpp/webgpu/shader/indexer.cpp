#include "webgpu/shader/indexer.h"

#include <algorithm>
#include <array>

namespace tenure::webgpu {

void set_indexer(Dispatch& dispatch, const StridedIndexer& indexer) {
  const auto rank = static_cast<std::size_t>(indexer.rank);
  std::array<int, 4 * kMaxRank> dims{};
  for (std::size_t d = 0; d < rank; ++d) {
    dims[4 * d] = indexer.extent[d];
    std::copy(indexer.stride[d].begin(), indexer.stride[d].end(), &dims[4 * d + 1]);
  }
  dispatch.constant("kRank", indexer.rank)
      .constant("kWhole", indexer.extent[rank - 1] % 4 == 0)
      .set("dims", std::span<const int>(dims).first(4 * rank));
}

}  // namespace tenure::webgpu
