#include "import/keras/weight_sync.h"

#include <algorithm>
#include <utility>

namespace tenure::keras {
namespace {

std::uint64_t changes = 0;

}  // namespace

std::vector<NamedWeight> get_weights(Layer& layer) {
  std::vector<NamedWeight> weights;
  layer.collect_weights(layer.name(), true, weights);
  return weights;
}

std::uint64_t weights_version() { return changes; }

void bump_version(Weight& weight) { weight.changed_at = ++changes; }

void pull_weights(const std::vector<NamedWeight>& weights, const TensorHandles& handles) {
  for (const NamedWeight& named : weights) {
    Weight& weight = *named.weight;
    if (weight.handle == 0) continue;
    const Tensor* value = handles.find(weight.handle);
    if (!value) fail_with(ErrorCode::kDisposed, text("the weight ", named.name, " is disposed"));
    if (value->storage() != weight.value.storage()) bump_version(weight);
    weight.value = *value;
  }
}

void push_weights(const std::vector<NamedWeight>& weights, TensorHandles& handles) {
  for (const NamedWeight& named : weights) {
    Weight& weight = *named.weight;
    if (weight.handle == 0) continue;
    const Tensor* value = handles.find(weight.handle);
    if (!value || value->storage() != weight.value.storage()) bump_version(weight);
    handles.assign(weight.handle, weight.value);
  }
}

WeightSync::WeightSync(std::vector<NamedWeight> weights, TensorHandles& handles)
    : weights_(std::move(weights)), handles_(handles) {
  pull_weights(weights_, handles_);
  end_step();
}

bool WeightSync::pull_changes() {
  pull_weights(weights_, handles_);
  const bool has_changed = std::any_of(weights_.begin(), weights_.end(), [&](const NamedWeight& named) {
    return named.weight->changed_at > seen_version_;
  });
  end_step();
  return has_changed;
}

void WeightSync::end_step() {
  seen_replaced_ = handles_.replaced();
  seen_version_ = weights_version();
}

}  // namespace tenure::keras
