#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/run/tape.h"
#include "ops/autodiff/slice_gradients.h"

namespace tenure {

/// Reverse walk over a tape from a value, which releases what the tape saves as it goes. Open tapes record
/// the walk, so that gradients can be differentiated again.
class Backward {
 public:
  /// `g` is the gradient of `y`; empty means ones. Throws unless it has the shape of `y`.
  Backward(Tape& tape, const Tensor& y, const Tensor& g);

  /// Walks to the beginning of the tape and returns false, or stops at a custom entry, whose gradient the
  /// caller computes, and returns true. After resume_with() a further call resumes the walk. Throws if an op
  /// has no gradient.
  bool advance();
  /// Returns the id of the custom entry at which advance() stopped.
  std::int32_t custom() const;
  /// Returns the gradient of the output of the custom entry at which advance() stopped.
  const Tensor& custom_gradient() const { return pending_grad_; }
  /// Supplies the gradients of the custom entry's inputs. Throws unless there is one float32 gradient for
  /// each input, of the input's shape.
  void resume_with(std::span<const Tensor> gradients);

  /// Returns the gradient of a watched tensor after the walk; empty if y does not depend on it.
  Tensor get_gradient(const Tensor& watched) const;

 private:
  /// Gradient of one value of the tape; zero if it is reached without a tensor.
  struct Slot {
    bool reached = false;
    Tensor gradient;
    std::unique_ptr<SliceGradients> slices;  ///< null unless slices of the value are read
  };
  static void flush_slices(Slot& slot);
  bool try_add_slice(const Tape::Entry& entry, const Tensor& gradient);
  void add(const Tape::Entry& entry, std::size_t i, const Tensor& gradient);

  Tape& tape_;
  std::vector<Slot> slots_;
  int at_;
  int result_ = -1;  ///< index of y among the tape's values; -1 if the tape does not hold it
  Tensor pending_grad_;
};

/// Value of a function and its gradients.
struct Gradients {
  Tensor value;
  Tensors gradients;
};

/// Returns f(xs) and, for each of xs, the gradient of the sum of its elements, weighted by `g` unless that is
/// empty. The gradient is zeros where f does not depend on an input. Calls nest.
Gradients value_and_gradients(const std::function<Tensor(const Tensors&)>& f, Tensors xs,
                              const Tensor& g = {});

}  // namespace tenure
