#include "webgpu/elementwise/where.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/indexer.h"
#include "webgpu/shader/indexer.wgsl.h"

namespace tenure::webgpu {
namespace {

int broadcast_stride(const Shape& shape, int from_last) {
  if (from_last >= shape.size() || shape.back(from_last) == 1) return 0;
  return static_cast<int>(shape.elements(shape.size() - from_last, shape.size()));
}

StridedIndexer make_indexer(const KernelArgs& args) {
  StridedIndexer indexer;
  const Shape& shape = args.out.shape();
  for (int i = 0; i < shape.size(); ++i) {
    StridedIndexer::Strides strides;
    for (int k = 0; k < 3; ++k) {
      strides[static_cast<std::size_t>(k)] = broadcast_stride(args.in[k].shape(), shape.size() - 1 - i);
    }
    indexer.add(shape[i], strides);
  }
  indexer.finish();
  return indexer;
}

}  // namespace

void where(const KernelArgs& args) {
  Dispatch dispatch("where");
  dispatch.input("test", args.in[0]).input("a", args.in[1]).input("b", args.in[2]).output4();
  set_indexer(dispatch, make_indexer(args));
  dispatch.elements(args.out, {wgsl::kIndexer, wgsl::kWhere});
}

}  // namespace tenure::webgpu
