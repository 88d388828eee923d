#pragma once

#include <memory>
#include <span>

#include "core/backend.h"

namespace tenure::gl {

/// One shader for a chain of elementwise ops; null where it has more inputs or attributes than a pass takes.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);

}  // namespace tenure::gl
