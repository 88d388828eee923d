#include "catch.h"
#include "core/error.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of ConvLSTM2D against LSTM on images of one pixel, and against the ops.
namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::difference;
using test::random_values;
using test::run_layer;
using test::TestWeight;

std::vector<TestWeight> weights_of(const Shape& window, std::int32_t channels, std::int32_t filters) {
  return {{"layer/kernel", random_values({window[0], window[1], channels, 4 * filters}, 2)},
          {"layer/recurrent_kernel", random_values({window[0], window[1], filters, 4 * filters}, 3)},
          {"layer/bias", random_values({4 * filters}, 4)}};
}

/// Returns the last output for images [batch, steps, height, width, channels] and two filters, computed with
/// ops.
Tensor by_ops(const Tensor& x, const std::vector<TestWeight>& weights, const ConvAttrs& attrs) {
  Tensor h;
  Tensor c;
  for (std::int32_t t = 0; t < x.dim(1); ++t) {
    const Tensor step =
        slice(x, {.begin = {0, t, 0, 0, 0}, .size = {x.dim(0), 1, x.dim(2), x.dim(3), x.dim(4)}});
    const Tensor image = squeeze(step, {{1}});
    Tensor sums = conv2d(image, weights[0].tensor, weights[2].tensor, attrs);
    if (!h) h = c = fill({.shape = {x.dim(0), sums.dim(1), sums.dim(2), 2}});
    sums = add(sums, conv2d(h, weights[1].tensor, {.padding = Padding::kSame}));
    const auto gate = [&](std::int32_t i) {
      return slice(sums, {.begin = {0, 0, 0, 2 * i}, .size = {x.dim(0), sums.dim(1), sums.dim(2), 2}});
    };
    c = add(mul(hard_sigmoid(gate(1)), c), mul(hard_sigmoid(gate(0)), tanh(gate(2))));
    h = mul(hard_sigmoid(gate(3)), tanh(c));
  }
  return h;
}

}  // namespace

TEST_CASE("ConvLSTM2D over points is LSTM", "[model][recurrent]") {
  const std::string more = R"(,"return_sequences":true,"go_backwards":true)";
  const Tensor x = random_values({2, 5, 3});
  const std::vector<TestWeight> weights = weights_of({1, 1}, 3, 2);
  std::vector<TestWeight> flat;
  for (const auto& [name, tensor] : weights)
    flat.push_back({name, tensor.rank() == 4 ? reshape(tensor, {{tensor.dim(2), tensor.dim(3)}}) : tensor});
  const Tensor expected = run_layer("LSTM", "[null,5,3]", "\"units\":2" + more, flat, x);
  const Tensor images = reshape(x, {{2, 5, 1, 1, 3}});
  const Tensor y =
      run_layer("ConvLSTM2D", "[null,5,1,1,3]", R"("filters":2,"kernel_size":1)" + more, weights, images);
  CHECK(test::dims(y.shape()) == std::vector{2, 5, 1, 1, 2});
  CHECK(difference(reshape(y, {expected.shape()}), expected) < 1e-6F);
}

TEST_CASE("ConvLSTM2D is the ops, with its options", "[model][recurrent]") {
  const Tensor x = random_values({2, 3, 6, 5, 2});
  const std::vector<TestWeight> weights = weights_of({3, 2}, 2, 2);
  const std::string fields = R"("filters":2,"kernel_size":[3,2])";
  const auto run = [&](const std::string& more, const std::string& shape = "[null,null,6,5,2]") {
    return run_layer("ConvLSTM2D", shape, fields + more, weights, x);
  };
  CHECK(difference(run(""), by_ops(x, weights, {})) < 1e-5F);
  CHECK(difference(run("", "[null,3,null,null,2]"), by_ops(x, weights, {})) < 1e-5F);
  CHECK(difference(run(R"(,"strides":[2,1],"padding":"same")"),
                   by_ops(x, weights, {.stride_h = 2, .padding = Padding::kSame})) < 1e-5F);
  CHECK(difference(run(R"(,"dilation_rate":2)"), by_ops(x, weights, {.dilation_h = 2, .dilation_w = 2})) <
        1e-5F);

  const Tensor first = transpose(x, {.perm = {0, 1, 4, 2, 3}});
  const std::string all = R"(,"return_sequences":true)";
  const Tensor y = run_layer("ConvLSTM2D", "[null,3,2,6,5]",
                             fields + all + R"(,"data_format":"channels_first")", weights, first);
  CHECK(difference(transpose(y, {.perm = {0, 1, 3, 4, 2}}), run(all)) < 1e-6F);
}

TEST_CASE("ConvLSTM2D over many steps, run as a loop", "[model][recurrent]") {
  const Tensor x = random_values({2, 150, 2, 2, 1});
  const std::vector<TestWeight> weights = weights_of({2, 2}, 1, 2);
  const std::string fields = R"("filters":2,"kernel_size":2,"padding":"same")";
  const Tensor y = run_layer("ConvLSTM2D", "[null,150,2,2,1]", fields, weights, x);
  CHECK(difference(y, by_ops(x, weights, {.padding = Padding::kSame})) < 1e-5F);
}

TEST_CASE("what ConvLSTM2D refuses", "[model][recurrent]") {
  const auto refuses = [](const std::string& shape, const std::string& fields, const std::string& words) {
    CHECK_THROWS_MATCHES(test::load(test::one_layer("ConvLSTM2D", shape, fields)), Error,
                         MessageMatches(ContainsSubstring(words)));
  };
  const std::string shape = "[null,3,4,4,2]";
  refuses(shape, R"("kernel_size":2)", "layer \"layer\": field \"filters\" is missing");
  refuses(shape, R"("filters":2,"kernel_size":[2,2,2])",
          "field \"kernel_size\" must hold 2 positive integers");
  refuses(shape, R"("filters":2,"kernel_size":2,"padding":"causal")",
          "must be valid or same, got \"causal\"");
  refuses(shape, R"("filters":600000000,"kernel_size":2)", "field \"filters\" is too large");
  refuses(shape, R"("filters":2,"kernel_size":2,"unroll":true)",
          "Unrolling is not possible with convolutional RNNs.");
  refuses(shape, R"("filters":2,"kernel_size":7)", "(layer \"layer\")");
  refuses("[null,3,4,2]", R"("filters":2,"kernel_size":2)", "expected ndim=5, found ndim=4");
  refuses("[null,3,4,4,null]", R"("filters":2,"kernel_size":2)", "depends on an extent of the input");
}

}  // namespace tenure
