#include "catch.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::random_values;
using test::run_layer;

Tensor to_channels_first(const Tensor& nhwc) { return transpose(nhwc, {.perm = {0, 3, 1, 2}}); }

const std::string kChannelsFirst = R"(,"data_format":"channels_first")";

}  // namespace

TEST_CASE("Conv2D is the op, with its options", "[model][layers]") {
  const Tensor x = random_values({2, 6, 7, 3});
  const Tensor kernel = random_values({3, 2, 3, 4}, 2);
  const Tensor bias = random_values({4}, 3);
  const std::string fields =
      R"("filters":4,"kernel_size":[3,2],"strides":[2,1],"padding":"same","activation":"relu")";
  const Tensor expected =
      relu(conv2d(x, kernel, bias, {.stride_h = 2, .stride_w = 1, .padding = Padding::kSame}));
  const std::vector<test::TestWeight> weights = {{"layer/kernel", kernel}, {"layer/bias", bias}};
  CHECK(difference(run_layer("Conv2D", "[null,6,7,3]", fields, weights, x), expected) < 1e-5F);
  CHECK(difference(run_layer("Conv2D", "[null,null,null,3]", fields, weights, x), expected) < 1e-5F);
  CHECK(
      difference(run_layer("Conv2D", "[null,3,6,7]", fields + kChannelsFirst, weights, to_channels_first(x)),
                 to_channels_first(expected)) < 1e-5F);
  const Tensor dilated = conv2d(x, kernel, {.dilation_h = 2, .dilation_w = 3});
  CHECK(difference(run_layer("Conv2D", "[null,6,7,3]",
                             R"("filters":4,"kernel_size":[3,2],"dilation_rate":[2,3],"use_bias":false)",
                             {{"layer/kernel", kernel}}, x),
                   dilated) < 1e-5F);
}

TEST_CASE("Conv2D in groups", "[model][layers]") {
  const Tensor x = random_values({1, 5, 5, 4});
  const Tensor kernel = random_values({3, 3, 2, 6}, 2);
  CHECK(difference(
            run_layer("Conv2D", "[null,5,5,4]", R"("filters":6,"kernel_size":3,"groups":2,"use_bias":false)",
                      {{"layer/kernel", kernel}}, x),
            conv2d(x, kernel)) < 1e-5F);
}

TEST_CASE("Conv1D slides along a sequence", "[model][layers]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {1, 4, 1});
  const Tensor kernel = Tensor::from({1.0F, 10.0F}, {2, 1, 1});
  const std::vector<test::TestWeight> weights = {{"layer/kernel", kernel}};
  const auto run = [&](const std::string& fields) {
    return test::floats(run_layer("Conv1D", "[null,4,1]",
                                  R"("filters":1,"kernel_size":[2],"use_bias":false)" + fields, weights, x));
  };
  CHECK(run("") == std::vector<float>{21, 32, 43});
  CHECK(run(R"(,"padding":"same")") == std::vector<float>{21, 32, 43, 4});
  CHECK(run(R"(,"padding":"causal")") == std::vector<float>{10, 21, 32, 43});
  CHECK(run(R"(,"padding":"causal","dilation_rate":2)") == std::vector<float>{10, 20, 31, 42});
  CHECK(run(R"(,"strides":2)") == std::vector<float>{21, 43});
}

TEST_CASE("Depthwise and separable convolutions", "[model][layers]") {
  const Tensor x = random_values({2, 6, 6, 3});
  const Tensor depthwise = random_values({3, 3, 3, 2}, 2);
  const Tensor pointwise = random_values({1, 1, 6, 4}, 3);
  const Tensor bias6 = random_values({6}, 4);
  const Tensor bias4 = random_values({4}, 5);
  const ConvAttrs attrs{.stride_h = 2, .stride_w = 2, .padding = Padding::kSame};
  const std::string fields = R"("kernel_size":3,"strides":2,"padding":"same","depth_multiplier":2)";
  CHECK(difference(run_layer("DepthwiseConv2D", "[null,6,6,3]", fields,
                             {{"layer/depthwise_kernel", depthwise}, {"layer/bias", bias6}}, x),
                   depthwise_conv2d(x, depthwise, bias6, attrs)) < 1e-5F);
  const Tensor spread = depthwise_conv2d(x, depthwise, attrs);
  const std::vector<test::TestWeight> weights = {
      {"layer/depthwise_kernel", depthwise}, {"layer/pointwise_kernel", pointwise}, {"layer/bias", bias4}};
  const Tensor expected = tanh(conv2d(spread, pointwise, bias4));
  CHECK(difference(run_layer("SeparableConv2D", "[null,6,6,3]",
                             fields + R"(,"filters":4,"activation":"tanh")", weights, x),
                   expected) < 1e-5F);
  CHECK(difference(run_layer("SeparableConv2D", "[null,3,6,6]",
                             fields + R"(,"filters":4,"activation":"tanh")" + kChannelsFirst, weights,
                             to_channels_first(x)),
                   to_channels_first(expected)) < 1e-5F);
}

TEST_CASE("Conv2DTranspose enlarges", "[model][layers]") {
  const Tensor x = random_values({1, 3, 4, 2});
  const Tensor kernel = random_values({3, 3, 5, 2}, 2);
  const Tensor bias = random_values({5}, 3);
  const std::vector<test::TestWeight> weights = {{"layer/kernel", kernel}, {"layer/bias", bias}};
  const Tensor same = conv2d_transpose(
      x, kernel, {.output_shape = {1, 6, 8, 5}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  CHECK(
      difference(run_layer("Conv2DTranspose", "[null,3,4,2]",
                           R"("filters":5,"kernel_size":3,"strides":2,"padding":"same","activation":"relu")",
                           weights, x),
                 relu(add(same, bias))) < 1e-5F);
  const Tensor valid =
      conv2d_transpose(x, kernel, {.output_shape = {1, 7, 9, 5}, .stride_h = 2, .stride_w = 2});
  CHECK(difference(run_layer("Conv2DTranspose", "[null,null,null,2]",
                             R"("filters":5,"kernel_size":3,"strides":2)", weights, x),
                   add(valid, bias)) < 1e-5F);
}

TEST_CASE("A softmax runs along the last axis, also where channels come first", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4, 5});
  const Tensor kernel = random_values({1, 1, 3, 2}, 2);
  const std::string fields = R"("filters":2,"kernel_size":1,"use_bias":false,"data_format":"channels_first")";
  const Tensor linear = test::run_layer("Conv2D", "[null,3,4,5]", fields, {{"layer/kernel", kernel}}, x);
  const Tensor got = test::run_layer("Conv2D", "[null,3,4,5]", fields + R"(,"activation":"softmax")",
                                     {{"layer/kernel", kernel}}, x);
  CHECK(difference(got, softmax(linear)) < 1e-6F);
}

}  // namespace tenure
