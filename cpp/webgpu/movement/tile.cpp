#include "shape_util/tile.h"

#include "webgpu/kernels.h"
#include "webgpu/movement/strided_copy.h"

namespace tenure::webgpu {

void tile(const KernelArgs& args) { tile_by_copies<StridedCopy>(args); }

}  // namespace tenure::webgpu
