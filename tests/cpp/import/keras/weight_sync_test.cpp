#include "import/keras/weight_sync.h"

#include <map>

#include "catch.h"
#include "import/keras/network.h"
#include "model/models.h"

namespace tenure::keras {
namespace {

class TestHandles final : public TensorHandles {
 public:
  const Tensor* find(std::uint64_t handle) const override {
    const auto found = tensors.find(handle);
    return found == tensors.end() ? nullptr : &found->second;
  }
  void assign(std::uint64_t handle, const Tensor& value) override {
    tensors.at(handle) = value;
    ++count;
  }
  std::uint64_t replaced() const override { return count; }

  std::map<std::uint64_t, Tensor> tensors;
  std::uint64_t count = 0;
};

/// A dense layer of one weight, which has a handle.
struct Fixture {
  Fixture() {
    weight().handle = kHandle;
    handles.tensors[kHandle] = weight().value;
  }
  Weight& weight() const { return *get_weights(*model.network()).at(0).weight; }
  float predict() { return model.predict(Tensors{Tensor::from({1.0F}, {1, 1})}).at(0).data<float>()[0]; }

  static constexpr std::uint64_t kHandle = 5;
  LayersModel model = test::load(test::one_layer("Dense", "[null,1]", R"("units":1,"use_bias":false)"),
                                 {{"layer/kernel", Tensor::from({3.0F}, {1, 1})}});
  TestHandles handles;
};

TEST_CASE("Plans are stale when a weight's handle has another value, once", "[weights]") {
  Fixture f;
  WeightSync sync(get_weights(*f.model.network()), f.handles);
  CHECK_FALSE(sync.pull());
  for (int i = 0; i < 8; ++i) CHECK(f.predict() == 3);
  f.handles.assign(Fixture::kHandle, Tensor::from({4.0F}, {1, 1}));
  REQUIRE(sync.pull());
  f.model.invalidate_plans();
  CHECK(f.predict() == 4);
  CHECK_FALSE(sync.pull());
  // Another tensor was replaced.
  ++f.handles.count;
  CHECK_FALSE(sync.pull());
}

TEST_CASE("Plans are stale when another model has trained a shared weight", "[weights]") {
  Fixture f;
  WeightSync sync(get_weights(*f.model.network()), f.handles);
  WeightSync other(get_weights(*f.model.network()), f.handles);
  other.begin_step();
  // An optimizer updates in place.
  f.weight().value.mutable_data<float>()[0] = 6;
  bump_version(f.weight());
  push_weights(other.weights(), f.handles);
  other.end_step();
  CHECK_FALSE(other.pull());
  CHECK(sync.pull());
  CHECK_FALSE(sync.pull());
}

TEST_CASE("A step that throws leaves the values of the handles", "[weights]") {
  Fixture f;
  WeightSync sync(get_weights(*f.model.network()), f.handles);
  sync.begin_step();
  f.weight().value = Tensor::from({9.0F}, {1, 1});
  CHECK(sync.pull());
  CHECK(f.weight().value.data<float>()[0] == 3);
  CHECK_FALSE(sync.pull());
}

TEST_CASE("Weights without a handle keep their values; those of disposed ones are refused", "[weights]") {
  Fixture f;
  WeightSync sync(get_weights(*f.model.network()), f.handles);
  f.weight().handle = 0;
  f.weight().value = Tensor::from({2.0F}, {1, 1});
  ++f.handles.count;
  CHECK_FALSE(sync.pull());
  CHECK(f.weight().value.data<float>()[0] == 2);
  f.weight().handle = 77;
  ++f.handles.count;
  try {
    sync.pull();
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kDisposed);
    CHECK(std::string(error.what()).find("layer/kernel") != std::string::npos);
  }
}

}  // namespace
}  // namespace tenure::keras
