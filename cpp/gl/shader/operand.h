#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/run/backend.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {

/// How an elementwise shader reads an input.
enum class Read : std::uint8_t {
  kSame,    ///< as the output is
  kNumber,  ///< one element, still on the CPU: a uniform
  kOne,     ///< one element, in a texture
  kTexels,  ///< again and again, whole texels of it
  kTail,    ///< again and again
};

constexpr int kMostOperands = kMostChainInputs;

/// Nothing where the input must be broadcast in any other way.
std::optional<Read> read_of(const Tensor& x, const Tensor& out);

/// Makes `x` operand number `k` of the pass, which then has the function that operand_source(k) defines.
void add_operand(Pass& pass, int k, const Tensor& x, Read read);

/// GLSL that defines `V in0(int i)`, for operand 0, and so on: what the operand has for texel i of the
/// output. V is the type of four of its elements, E of one.
std::string_view operand_source(int k);

}  // namespace tenure::gl
