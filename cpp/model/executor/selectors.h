#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/op.h"
#include "model/executor/definition.h"

namespace tenure::executor {

/// The inputs of a program that select branches: those of one integer or bool that the conditions of Ifs
/// and Cases depend on, such as a sample rate. Each combination of their values has a plan of its own.
class Selectors {
 public:
  /// Returns the indices of such inputs, for the conditions of the nodes `deferred`. `inputs` are the
  /// program's, of the specs `specs`.
  static std::vector<std::size_t> find(const Block& block, std::span<const Ref> inputs,
                                       std::span<const TensorSpec> specs,
                                       std::span<const std::uint32_t> deferred);

  /// True until inputs are set or ignored.
  bool is_open() const { return is_open_; }
  /// Sets the indices of the inputs. An empty list leaves it open.
  void set(std::vector<std::size_t> inputs);
  /// Removes all inputs for good.
  void ignore();
  /// Returns the input that value `i` of read() is of.
  std::size_t input(std::size_t i) const { return inputs_[i]; }

  /// Returns copies of the values in `inputs`. Returns none if there are no such inputs, or if one is
  /// missing, is not on the CPU, or is not one integer or bool.
  Tensors read(std::span<const Tensor> inputs) const;
  /// Records the values in `inputs`. Returns false if there were too many others before, which are taken for
  /// values that change at each run.
  bool record(std::span<const Tensor> inputs);

 private:
  bool is_open_ = true;
  std::vector<std::size_t> inputs_;
  std::vector<Tensors> recorded_;
};

/// True if tensors on the CPU have the same specs and values.
bool have_equal_values(std::span<const Tensor> some, std::span<const Tensor> others);

}  // namespace tenure::executor
