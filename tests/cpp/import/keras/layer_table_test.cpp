#include "import/keras/layer_table.h"

#include "catch.h"
#include "core/error.h"
#include "model/models.h"

namespace tenure::keras {
namespace {

std::size_t weight_bytes(const LayerTable& table) {
  MemoryReport report;
  table.add_to(report);
  report.finalize();
  return report.bytes(MemoryPart::kWeights);
}

TEST_CASE("Layers are found by number, and networks among them", "[layers]") {
  LayerTable table;
  const LayersModel model = test::load(test::one_layer("ReLU", "[null,1]"));
  const int network = table.add(model.network());
  const int layer = table.add(model.network()->layers().back());
  CHECK(table.get(network) == model.network());
  CHECK(table.get_network(network) == model.network());
  CHECK_THROWS_AS(table.get_network(layer), Error);
  table.remove(layer);
  CHECK_THROWS_AS(table.get(layer), Error);
  table.remove(layer);
  CHECK(table.add(model.network()->layers().back()) != layer);
}

TEST_CASE("A table reports the weights of its layers", "[layers]") {
  const LayersModel model = test::load(test::one_layer("Dense", "[null,1]", R"("units":4,"use_bias":false)"),
                                       {{"layer/kernel", test::random_values({1, 4})}});
  LayerTable table;
  CHECK(weight_bytes(table) == 0);
  const int number = table.add(model.network());
  const std::size_t bytes = weight_bytes(table);
  CHECK(bytes >= 4 * sizeof(float));
  // A weight that several layers share is counted once.
  const int layer = table.add(model.network()->layers().back());
  CHECK(weight_bytes(table) == bytes);
  table.remove(number);
  CHECK(weight_bytes(table) == bytes);
  table.remove(layer);
  CHECK(weight_bytes(table) == 0);
}

}  // namespace
}  // namespace tenure::keras
