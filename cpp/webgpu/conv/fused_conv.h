#pragma once

#include <memory>
#include <span>

#include "core/run/backend.h"

namespace tenure::webgpu {

/// Returns a convolution with the chain as its kernel's epilogue. Returns null for other ops, if the output
/// channels are not whole vectors, or if the chain has too many inputs or attributes.
std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain);

}  // namespace tenure::webgpu
