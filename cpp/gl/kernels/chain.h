#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/backend.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {

/// GLSL of a chain of elementwise ops.
class Chain {
 public:
  explicit Chain(std::span<const ChainOp> ops);

  /// True if a pass with `other_inputs` other inputs has room for the chain's inputs and attributes.
  bool fits(int other_inputs) const;
  /// Returns a name that identifies the chain.
  const std::string& name() const { return name_; }
  /// Returns GLSL that defines vec4 chain(int i,vec4 head): texel i of the chain's result, where `head` is
  /// texel i of the op before the chain.
  const std::string& source() const { return source_; }
  /// Adds the inputs and uniforms of source() to the pass; `in` has the chain's inputs.
  void add_to(Pass& pass, const Inputs& in, const Tensor& out) const;

 private:
  std::string operand(int number, std::size_t at);
  void add_function(const ChainOp& link, std::size_t at);

  std::string name_;
  std::string source_;
  std::vector<int> inputs_;
  std::vector<std::array<float, 4>> attrs_;
};

/// A chain that runs as the epilogue of an op's shader, with its inputs in this run.
struct Epilogue {
  const Chain& chain;
  const Inputs& in;
};

/// Compiles a chain of elementwise ops to one shader. Returns null if it has more inputs or attributes than a
/// pass takes.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);

/// Returns a convolution with the chain as its last shader's epilogue. Returns null for other ops, if the
/// channels do not fill whole texels, or if the chain has too many inputs or attributes.
std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain);

}  // namespace tenure::gl
