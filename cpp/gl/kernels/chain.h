#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/backend.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {

/// A chain of elementwise ops as GLSL.
class Chain {
 public:
  explicit Chain(std::span<const ChainOp> ops);

  /// Whether a pass with so many inputs of its own can take what the chain needs.
  bool fits(int other_inputs) const;
  /// Tells it from other chains.
  const std::string& name() const { return name_; }
  /// vec4 chain(int i,vec4 head): texel i of its result, given that of the head's.
  const std::string& source() const { return source_; }
  /// Gives the pass what the source reads: of `in`, the operands that the ops named.
  void add_to(Pass& pass, const Inputs& in, const Tensor& out) const;

 private:
  std::string operand(int number, std::size_t at);
  void add_function(const ChainOp& link, std::size_t at);

  std::string name_;
  std::string source_;
  std::vector<int> inputs_;
  std::vector<std::array<float, 4>> attrs_;
};

/// A chain that follows an op in its shader, and the inputs that it has in this run.
struct Ending {
  const Chain& chain;
  const Inputs& in;
};

/// One shader for a chain of elementwise ops; null where it has more inputs or attributes than a pass takes.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);

/// A convolution whose last shader goes on with the chain. Null where its channels are not whole texels, too.
std::unique_ptr<PreparedKernel> follow(const ChainHead& head, std::span<const ChainOp> chain);

}  // namespace tenure::gl
