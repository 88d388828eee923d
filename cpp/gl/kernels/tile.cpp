#include "shape_util/tile.h"

#include "gl/kernels.h"
#include "gl/kernels/strided_copy.h"

namespace tenure::gl {

void tile(const KernelArgs& args) { tile_by_copies<StridedCopy>(args); }

}  // namespace tenure::gl
