#include "import/keras/layer_table.h"

#include "import/keras/weight_sync.h"

namespace tenure::keras {

void LayerTable::remove(int number) { const LayerPtr removed = layers_.remove(number); }

const LayerPtr& LayerTable::get(int number) const {
  const LayerPtr* layer = layers_.find(number);
  check(layer != nullptr, "no layer has the number ", number);
  return *layer;
}

std::shared_ptr<Network> LayerTable::get_network(int number) const {
  const LayerPtr& layer = get(number);
  check(is_network(layer->class_name()), "layer ", number, " is not a model");
  return std::static_pointer_cast<Network>(layer);
}

void LayerTable::add_to(MemoryReport& report) const {
  layers_.for_each([&](const LayerPtr& layer) {
    for (const NamedWeight& named : get_weights(*layer)) {
      const Tensor& value = named.weight->value;
      if (value.has_data()) report.add(MemoryPart::kWeights, value.storage().get());
    }
  });
}

}  // namespace tenure::keras
