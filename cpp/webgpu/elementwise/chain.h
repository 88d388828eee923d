#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/backend.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// WGSL of a chain of elementwise ops.
class Chain {
 public:
  explicit Chain(std::span<const ChainOp> ops);

  /// True if a kernel with `other_inputs` other inputs has room for the chain's inputs and attributes.
  bool fits(int other_inputs) const;
  /// Returns the number of ops with attributes, each of which takes four words of parameters.
  std::size_t attribute_count() const { return attrs_.size(); }
  /// Returns a name that identifies the chain.
  const std::string& name() const { return name_; }
  /// Returns WGSL that defines fn chain(i: i32, head: V) -> V: vec4 i of the chain's result, where `head` is
  /// vec4 i of the op before the chain.
  const std::string& source() const { return source_; }
  /// Adds the inputs, parameters and declarations of source() to the dispatch, in which V and E are declared;
  /// `in` has the chain's inputs.
  void add_to(Dispatch& dispatch, const Inputs& in, const Tensor& out) const;

 private:
  std::string operand(int number, std::size_t at);
  void add_function(const ChainOp& link, std::size_t at);

  std::string name_;
  std::string source_;
  std::vector<int> inputs_;
  std::vector<std::array<float, 4>> attrs_;
};

/// A chain that runs as the epilogue of an op's kernel, with its inputs in this run.
struct Epilogue {
  const Chain& chain;
  const Inputs& in;
};

/// Compiles a chain of elementwise ops to one kernel. Returns null if it has more inputs or attributes than a
/// dispatch takes.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);

}  // namespace tenure::webgpu
