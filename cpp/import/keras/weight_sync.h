#pragma once

#include <cstdint>
#include <vector>

#include "import/keras/layer.h"

namespace tenure::keras {

/// Tensors that a user of the engine refers to by handles, and may replace.
class TensorHandles {
 public:
  TensorHandles() = default;
  TensorHandles(const TensorHandles&) = delete;
  TensorHandles& operator=(const TensorHandles&) = delete;
  virtual ~TensorHandles() = default;

  /// Returns a handle's tensor, or null if the handle is disposed.
  virtual const Tensor* find(std::uint64_t handle) const = 0;
  /// Replaces a handle's tensor. Throws DisposedError if the handle is disposed.
  virtual void assign(std::uint64_t handle, const Tensor& value) = 0;
  /// Returns the number of times that tensors were replaced.
  virtual std::uint64_t replaced() const = 0;
};

/// Returns a layer's weights with their full names. The order is TensorFlow.js's, except that weights that do
/// not train are not moved to the end.
std::vector<NamedWeight> get_weights(Layer& layer);

/// Returns the number of weight changes so far, over all weights.
std::uint64_t weights_version();
/// Counts a change of a weight and stores its number in Weight::changed_at.
void bump_version(Weight& weight);

/// Copies the values of the weights' handles, which the user may have assigned, into the weights. Throws
/// DisposedError for a disposed handle.
void pull_weights(const std::vector<NamedWeight>& weights, const TensorHandles& handles);
/// Assigns the weights' values to their handles.
void push_weights(const std::vector<NamedWeight>& weights, TensorHandles& handles);

/// The weights of a model whose plans embed their values. Finds out when plans are stale: the user may have
/// assigned values to the weights' handles, and other models that share the weights may have trained them.
class WeightSync {
 public:
  /// Pulls the weights. `handles` must outlive the object.
  WeightSync(std::vector<NamedWeight> weights, TensorHandles& handles);

  const std::vector<NamedWeight>& weights() const { return weights_; }
  /// Pulls the weights if handles or weights have changed since the last call. Returns true if a weight has:
  /// the model's plans are stale. Throws DisposedError for a disposed handle.
  bool pull() {
    return (handles_.replaced() != seen_replaced_ || weights_version() != seen_version_) && pull_changes();
  }
  /// Starts a training step, which may throw with changed values in the weights: unless end_step() follows,
  /// the next pull() reads the handles again.
  void begin_step() { seen_replaced_ = kNever; }
  /// Ends a training step, which has pushed the weights that it changed, and whose model knows of the change.
  void end_step();

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  bool pull_changes();

  std::vector<NamedWeight> weights_;
  TensorHandles& handles_;
  std::uint64_t seen_replaced_;
  std::uint64_t seen_version_;
};

}  // namespace tenure::keras
