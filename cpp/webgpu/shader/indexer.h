#pragma once

#include "shape_util/strided_indexer.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// Sets the constants and parameters of wgsl::kIndexer, which a kernel's source begins with.
void set_indexer(Dispatch& dispatch, const StridedIndexer& indexer);

}  // namespace tenure::webgpu
