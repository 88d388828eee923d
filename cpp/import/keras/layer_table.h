#pragma once

#include <memory>

#include "core/memory/memory_tracked.h"
#include "core/number_table.h"
#include "import/keras/network.h"

namespace tenure::keras {

/// Layers by number, for callers that cannot hold pointers. Reports the memory of their weights.
class LayerTable final : public MemoryTracked {
 public:
  LayerTable() = default;
  LayerTable(const LayerTable&) = delete;
  LayerTable& operator=(const LayerTable&) = delete;
  ~LayerTable() override { unlist(); }

  /// Adds a layer. Returns its number, which is valid until remove().
  int add(LayerPtr layer) { return layers_.add(std::move(layer)); }
  /// Frees the number of a layer. Does nothing if no layer has it.
  void remove(int number);
  /// Returns the layer with this number. Throws Error if there is none.
  const LayerPtr& get(int number) const;
  /// Returns the network with this number. Throws Error if there is none, or if it is another layer.
  std::shared_ptr<Network> get_network(int number) const;

  void add_to(MemoryReport& report) const override;

 private:
  NumberTable<LayerPtr> layers_;
};

}  // namespace tenure::keras
