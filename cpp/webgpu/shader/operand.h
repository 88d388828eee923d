#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/run/backend.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// Access pattern of an input of an elementwise kernel.
enum class Read : std::uint8_t {
  kSame,    ///< the same shape as the output
  kScalar,  ///< one element on the CPU, passed as a parameter
  kOne,     ///< one element, in a buffer
  kVec4s,   ///< a suffix broadcast of whole vec4s
  kTail,    ///< a suffix broadcast of any size
};

constexpr int kMaxOperands = kMaxChainInputs;

/// Returns how to read `x`, or nullopt if it needs any other broadcast.
std::optional<Read> get_read(const Tensor& x, const Tensor& out);

/// Adds `x` as operand `k` of the kernel, and declares `fn in0(i: i32) -> V` for operand 0, and so on: the
/// operand's elements for vec4 i of the output. V and E are declared before.
void add_operand(Dispatch& dispatch, int k, const Tensor& x, Read read);

}  // namespace tenure::webgpu
