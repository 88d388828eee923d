#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/run/backend.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Access pattern of an input of an elementwise shader.
enum class Read : std::uint8_t {
  kSame,    ///< the same shape as the output
  kScalar,  ///< one element on the CPU, passed as a uniform
  kOne,     ///< one element, in a texture
  kTexels,  ///< a suffix broadcast of whole texels
  kTail,    ///< a suffix broadcast of any size
};

constexpr int kMaxOperands = kMaxChainInputs;

/// Returns how to read `x`, or nullopt if it needs any other broadcast.
std::optional<Read> get_read(const Tensor& x, const Tensor& out);

/// Adds `x` as operand `k` of the pass. operand_source(k) defines the function that reads it.
void add_operand(Pass& pass, int k, const Tensor& x, Read read);

/// Returns GLSL that defines `V in0(int i)` for operand 0, and so on: the operand's elements for texel i of
/// the output. V is the type of four elements, E of one.
std::string_view operand_source(int k);

}  // namespace tenure::gl
