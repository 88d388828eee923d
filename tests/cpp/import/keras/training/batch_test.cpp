#include "import/keras/training/batch.h"

#include "catch.h"
#include "core/error.h"
#include "ops/ops.h"

namespace tenure {
namespace {

std::vector<float> floats(const Tensor& x) { return {x.data<float>(), x.data<float>() + x.elements()}; }

const Tensor kInput = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {3, 2});
const Tensor kTarget = Tensor::from({7.0F, 8.0F, 9.0F}, {3});

TEST_CASE("A batch is a range of rows of all tensors", "[trainer]") {
  const Batch batch = select_batch({{kInput}, {kTarget}, {Tensor()}}, {1, 2}, {});
  CHECK(floats(batch.inputs.at(0)) == std::vector{3.0F, 4.0F, 5.0F, 6.0F});
  CHECK(floats(batch.targets.at(0)) == std::vector{8.0F, 9.0F});
  CHECK_FALSE(static_cast<bool>(batch.weights.at(0)));
}

TEST_CASE("A batch of all rows is no copy", "[trainer]") {
  const Batch batch = select_batch({{kInput}, {kTarget}, {}}, {0, 3}, {});
  CHECK(batch.inputs.at(0).storage() == kInput.storage());
  CHECK(batch.targets.at(0).storage() == kTarget.storage());
}

TEST_CASE("A batch is a range of the rows in a given order", "[trainer]") {
  const Tensor order = Tensor::from({2, 0, 1}, {3});
  const Batch batch = select_batch({{kInput}, {kTarget}, {kTarget}}, {0, 2}, order);
  CHECK(floats(batch.inputs.at(0)) == std::vector{5.0F, 6.0F, 1.0F, 2.0F});
  CHECK(floats(batch.targets.at(0)) == std::vector{9.0F, 7.0F});
  CHECK(floats(batch.weights.at(0)) == std::vector{9.0F, 7.0F});
}

TEST_CASE("Rows that there are not are refused", "[trainer]") {
  CHECK_THROWS_AS(select_batch({{kInput}, {kTarget}, {}}, {2, 2}, {}), Error);
}

}  // namespace
}  // namespace tenure
