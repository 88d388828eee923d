#include "catch.h"
#include "core/error.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of layers over volumes against those over images, and against values worked out by hand.
namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::difference;
using test::floats;
using test::random_values;
using test::run_layer;

const std::string kChannelsFirst = R"(,"data_format":"channels_first")";

Tensor to_channels_first(const Tensor& x) { return transpose(x, {.perm = {0, 4, 1, 2, 3}}); }

/// Returns 0, 1, 2 ... as [1, 2, 2, 4, 1].
Tensor counted() { return reshape(range({.count = 16}), {{1, 2, 2, 4, 1}}); }

}  // namespace

TEST_CASE("Conv3D of one slice at a time is Conv2D", "[model][layers]") {
  const Tensor x = random_values({2, 3, 6, 5, 2});
  const Tensor kernel = random_values({3, 2, 2, 4}, 2);
  const Tensor bias = random_values({4}, 3);
  const std::string fields = R"("filters":4,"activation":"relu","padding":"same","strides":)";
  const Tensor slices = reshape(x, {{6, 6, 5, 2}});
  const Tensor expected = run_layer("Conv2D", "[null,6,5,2]", fields + R"([2,1],"kernel_size":[3,2])",
                                    {{"layer/kernel", kernel}, {"layer/bias", bias}}, slices);
  const std::vector<test::TestWeight> weights = {{"layer/kernel", expand_dims(kernel, {0})},
                                                 {"layer/bias", bias}};
  const std::string volumes = fields + R"([1,2,1],"kernel_size":[1,3,2])";
  const Tensor y = run_layer("Conv3D", "[null,3,6,5,2]", volumes, weights, x);
  CHECK(test::dims(y.shape()) == std::vector{2, 3, 3, 5, 4});
  CHECK(difference(reshape(y, {expected.shape()}), expected) < 1e-5F);
  CHECK(difference(run_layer("Conv3D", "[null,null,null,null,2]", volumes, weights, x), y) < 1e-5F);
  const Tensor first =
      run_layer("Conv3D", "[null,2,3,6,5]", volumes + kChannelsFirst, weights, to_channels_first(x));
  CHECK(difference(first, to_channels_first(y)) < 1e-5F);
}

TEST_CASE("Conv3D goes along the depth", "[model][layers]") {
  const Tensor kernel = Tensor::from({1.0F, 100.0F}, {2, 1, 1, 1, 1});
  const std::string fields = R"("filters":1,"use_bias":false,"kernel_size":[2,1,1])";
  const Tensor y = run_layer("Conv3D", "[null,2,2,4,1]", fields, {{"layer/kernel", kernel}}, counted());
  CHECK(floats(y) == std::vector<float>{800, 901, 1002, 1103, 1204, 1305, 1406, 1507});
  const Tensor deep = reshape(range({.count = 5}), {{1, 5, 1, 1, 1}});
  const Tensor dilated = run_layer("Conv3D", "[null,5,1,1,1]", fields + R"(,"dilation_rate":[3,1,1])",
                                   {{"layer/kernel", kernel}}, deep);
  CHECK(floats(dilated) == std::vector<float>{300, 401});
}

TEST_CASE("Conv3DTranspose spreads each element", "[model][layers]") {
  const Tensor kernel = Tensor::from({1.0F, 10.0F, 100.0F}, {3, 1, 1, 1, 1});
  const Tensor x = Tensor::from({1.0F, 2.0F}, {1, 2, 1, 1, 1});
  const std::vector<test::TestWeight> weights = {{"layer/kernel", kernel},
                                                 {"layer/bias", Tensor::from({0.5F}, {1})}};
  const auto run = [&](const std::string& more) {
    return floats(run_layer("Conv3DTranspose", "[null,2,1,1,1]",
                            R"("filters":1,"kernel_size":[3,1,1])" + more, weights, x));
  };
  CHECK(run("") == std::vector<float>{1.5F, 12.5F, 120.5F, 200.5F});
  CHECK(run(R"(,"strides":[2,1,1])") == std::vector<float>{1.5F, 10.5F, 102.5F, 20.5F, 200.5F});
  CHECK(run(R"(,"padding":"same")") == std::vector<float>{12.5F, 120.5F});
}

TEST_CASE("pools of volumes", "[model][layers]") {
  const Tensor x = counted();
  const auto run = [&](const std::string& class_name, const std::string& fields) {
    return floats(run_layer(class_name, "[null,2,2,4,1]", fields, {}, x));
  };
  CHECK(run("MaxPooling3D", "") == std::vector<float>{13, 15});
  CHECK(run("AveragePooling3D", "") == std::vector<float>{6.5F, 8.5F});
  CHECK(run("MaxPooling3D", R"("pool_size":[1,2,3],"strides":[2,1,1])") == std::vector<float>{6, 7});
  CHECK(run("AveragePooling3D", R"("pool_size":[2,1,1],"strides":1,"padding":"same")") ==
        std::vector<float>{4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15});
  const Tensor first = run_layer("MaxPooling3D", "[null,1,2,2,4]", "\"pool_size\":2" + kChannelsFirst, {},
                                 to_channels_first(x));
  CHECK(test::dims(first.shape()) == std::vector{1, 1, 1, 1, 2});
}

TEST_CASE("what layers over volumes refuse", "[model][layers]") {
  const auto refuses = [](const std::string& class_name, const std::string& shape, const std::string& fields,
                          const std::string& words) {
    CHECK_THROWS_MATCHES(test::load(test::one_layer(class_name, shape, fields)), Error,
                         MessageMatches(ContainsSubstring(words)));
  };
  const std::string shape = "[null,3,3,3,2]";
  refuses("Conv3D", shape, R"("filters":2)", "layer \"layer\": field \"kernel_size\" is missing");
  refuses("Conv3D", shape, R"("filters":2,"kernel_size":[2,2])", "must hold 3 positive integers, got [2,2]");
  refuses("Conv3D", shape, R"("filters":2,"kernel_size":2,"groups":2)", "field \"groups\" must be 1");
  refuses("Conv3D", "[null,3,3,2]", R"("filters":2,"kernel_size":2)", "expected ndim=5, found ndim=4");
  refuses("Conv3DTranspose", shape, R"("filters":2,"kernel_size":2,"padding":"causal")",
          "field \"padding\" must be valid or same, got \"causal\"");
  refuses("MaxPooling3D", "[null,3,3,2]", "", "expected ndim=5, found ndim=4");
  refuses("AveragePooling3D", shape, R"("strides":[0,1,1])",
          "field \"strides\" must hold 3 positive integers");
  LayersModel small = test::load(test::one_layer("MaxPooling3D", shape, "\"pool_size\":5"));
  CHECK(test::dims(small.outputs()[0].shape) == std::vector{-1, 0, 0, 0, 2});
}

}  // namespace tenure
