#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/run/tape.h"
#include "ops/autodiff/slice_gradients.h"

namespace tenure {

/// Walks a tape back from a value, and lets go of what the tape keeps as it goes. Tapes that are open record
/// the walk.
class Backward {
 public:
  /// `g` is the gradient of `y`; ones where it is empty. Throws unless it has the shape of `y`.
  Backward(Tape& tape, const Tensor& y, const Tensor& g);

  /// Goes on, up to the beginning, which gives false, or to an entry whose gradient only somebody outside
  /// knows: that one's number and what its output's gradient is, until supply(). Throws where there is no
  /// gradient.
  bool go_on();
  std::int32_t custom() const;
  const Tensor& custom_gradient() const { return given_; }
  /// The gradients of that entry's inputs. Throws when they are not as many, or their shapes differ.
  void supply(std::span<const Tensor> gradients);

  /// What go_on() found for a watched tensor; empty when nothing leads from it to y.
  Tensor gradient_of(const Tensor& watched) const;

 private:
  /// Reached without a tensor is zero.
  struct Slot {
    bool reached = false;
    Tensor gradient;
    std::unique_ptr<SliceGradients> slices;  ///< null where no slice is read
  };
  static void join_slices(Slot& slot);
  bool take_slice(const Tape::Entry& entry, const Tensor& gradient);
  void add(const Tape::Entry& entry, std::size_t i, const Tensor& gradient);

  Tape& tape_;
  std::vector<Slot> slots_;
  int at_;
  int result_ = -1;  ///< the value that y is
  Tensor given_;
};

/// A value and its gradients.
struct Gradients {
  Tensor value;
  Tensors gradients;
};

/// f(xs), and the gradient of its elements' sum, weighted by `g` where that is given, for each of xs: zeros
/// where it does not depend on one. Nests.
Gradients value_and_gradients(const std::function<Tensor(const Tensors&)>& f, Tensors xs,
                              const Tensor& g = {});

}  // namespace tenure
