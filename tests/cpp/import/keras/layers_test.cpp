#include "catch.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of every stateless layer, one at a time, against values worked out by hand or the plain ops.
namespace tenure {
namespace {

using test::difference;
using test::dims;
using test::floats;
using test::near;
using test::random_values;
using test::run_layer;

Tensor row(std::initializer_list<float> values) {
  return Tensor::from(values, {1, static_cast<std::int32_t>(values.size())});
}

std::vector<float> run_row(const std::string& class_name, const std::string& fields,
                           std::initializer_list<float> values) {
  return floats(run_layer(class_name, "[null,null]", fields, {}, row(values)));
}

}  // namespace

TEST_CASE("Dense multiplies, adds and activates", "[model][layers]") {
  const Tensor kernel = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {2, 3});
  const Tensor bias = Tensor::from({0.5F, -100.0F, 0.0F}, {3});
  CHECK(floats(run_layer("Dense", "[null,2]", R"("units":3,"activation":"relu")",
                         {{"layer/kernel", kernel}, {"layer/bias", bias}}, row({1, 2}))) ==
        std::vector<float>{9.5F, 0, 15});
  CHECK(floats(run_layer("Dense", "[null,2]", R"("units":3,"use_bias":false)", {{"layer/kernel", kernel}},
                         row({1, -1}))) == std::vector<float>{-3, -3, -3});
  const Tensor x = random_values({2, 4, 5, 2});
  const Tensor y =
      run_layer("Dense", "[null,4,null,2]", R"("units":3,"use_bias":false,"activation":"softmax")",
                {{"layer/kernel", kernel}}, x);
  const Tensor flat = reshape(x, {{40, 2}});
  const Tensor product = mat_mul(flat, kernel);
  CHECK(difference(y, reshape(softmax(product), {{2, 4, 5, 3}})) < 1e-6F);
}

TEST_CASE("Activations follow TensorFlow.js's formulas", "[model][layers]") {
  const auto run = [](const std::string& name) {
    return run_row("Activation", "\"activation\":\"" + name + "\"", {-3, -0.5F, 0, 1, 8});
  };
  CHECK(near(run("linear"), {-3, -0.5F, 0, 1, 8}));
  CHECK(near(run("elu"), {-0.950213F, -0.393469F, 0, 1, 8}));
  CHECK(near(run("selu"), {-1.670569F, -0.691758F, 0, 1.050701F, 8.405608F}));
  CHECK(near(run("relu"), {0, 0, 0, 1, 8}));
  CHECK(near(run("relu6"), {0, 0, 0, 1, 6}));
  CHECK(near(run("sigmoid"), {0.047426F, 0.377541F, 0.5F, 0.731059F, 0.999665F}));
  CHECK(near(run("hard_sigmoid"), {0, 0.4F, 0.5F, 0.7F, 1}));
  CHECK(near(run("hardSigmoid"), {0, 0.4F, 0.5F, 0.7F, 1}));
  CHECK(near(run("softplus"), {0.048587F, 0.474077F, 0.693147F, 1.313262F, 8.000335F}));
  CHECK(near(run("softsign"), {-0.75F, -0.333333F, 0, 0.5F, 0.888889F}));
  CHECK(near(run("tanh"), {-0.995055F, -0.462117F, 0, 0.761594F, 1}));
  CHECK(near(run("softmax"), {1.66850e-5F, 2.03265e-4F, 3.35125e-4F, 9.10964e-4F, 0.998534F}));
  CHECK(near(run("log_softmax"), {-11.001467F, -8.501467F, -8.001467F, -7.001467F, -0.001467F}));
  CHECK(near(run("swish"), {-0.142278F, -0.188770F, 0, 0.731059F, 7.997317F}));
  CHECK(near(run("mish"), {-0.145648F, -0.220742F, 0, 0.865098F, 7.999998F}));
  CHECK(near(run("gelu"), {-0.004050F, -0.154269F, 0, 0.841345F, 8}));
  CHECK(near(run("gelu_new"), {-0.003637F, -0.154286F, 0, 0.841192F, 8}));
}

TEST_CASE("Layers that only act in training pass their input through", "[model][layers]") {
  const auto name =
      GENERATE(as<std::string>(), "Dropout", "AlphaDropout", "GaussianDropout", "GaussianNoise");
  CHECK(run_row(name, R"("rate":0.5,"stddev":1)", {1, 2, 3}) == std::vector<float>{1, 2, 3});
  CHECK(run_row(name, R"("rate":1,"stddev":1)", {1, 2, 3}) == std::vector<float>{1, 2, 3});
}

TEST_CASE("Spatial dropout takes steps of channels alone", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4});
  CHECK(difference(run_layer("SpatialDropout1D", "[null,3,4]", R"("rate":0.5)", {}, x), x) == 0);
  CHECK_THROWS_WITH(run_row("SpatialDropout1D", R"("rate":0.5)", {1, 2, 3}),
                    Catch::Matchers::ContainsSubstring("expected ndim=3, found ndim=2"));
}

TEST_CASE("Activation layers take their options", "[model][layers]") {
  CHECK(run_row("ReLU", "", {-1, 7}) == std::vector<float>{0, 7});
  CHECK(run_row("ReLU", R"("max_value":6)", {-1, 7}) == std::vector<float>{0, 6});
  CHECK(run_row("ReLU", R"("max_value":{"type":"ndarray","value":6})", {-1, 7}) == std::vector<float>{0, 6});
  CHECK(run_row("ReLU", R"("max_value":2.5,"negative_slope":null)", {-1, 7}) == std::vector<float>{0, 2.5F});
  CHECK(run_row("ReLU", R"("max_value":4,"negative_slope":0.5)", {-2, 1, 7}) == std::vector<float>{-1, 1, 4});
  CHECK(run_row("ReLU", R"("max_value":4,"negative_slope":0.5,"threshold":1)", {-1, 0.5F, 1, 7}) ==
        std::vector<float>{-1, -0.25F, 1, 4});
  CHECK(near(run_row("LeakyReLU", "", {-1, 2}), {-0.3F, 2}));
  CHECK(near(run_row("LeakyReLU", R"("alpha":0.1)", {-1, 2}), {-0.1F, 2}));
  CHECK(near(run_row("ELU", R"("alpha":2)", {-1, 2}), {-1.264241F, 2}));
  CHECK(run_row("ThresholdedReLU", "", {-1, 0.5F, 1, 2}) == std::vector<float>{0, 0, 0, 2});
  CHECK(near(run_row("Softmax", R"("axis":-1)", {0, 0}), {0.5F, 0.5F}));
  const Tensor x = random_values({2, 3, 4});
  const PermutationAttrs swap{.perm = {0, 2, 1}};
  const Tensor turned = transpose(x, swap);
  const Tensor expected = softmax(turned);
  CHECK(difference(run_layer("Softmax", "[null,3,4]", R"("axis":1)", {}, x), transpose(expected, swap)) <
        1e-6F);
  const Tensor whole = reshape(x, {{2, 12}});
  CHECK(difference(run_layer("Softmax", "[null,3,4]", R"("axis":[1,2])", {}, x),
                   reshape(softmax(whole), {{2, 3, 4}})) < 1e-6F);
}

TEST_CASE("PReLU shares its slopes along the axes that it is told", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4});
  const Tensor own = random_values({3, 4}, 2);
  CHECK(difference(run_layer("PReLU", "[null,3,4]", "", {{"layer/alpha", own}}, x), prelu(x, own)) == 0);
  const Tensor shared = random_values({1, 4}, 3);
  CHECK(difference(run_layer("PReLU", "[null,null,4]", R"("shared_axes":[1])", {{"layer/alpha", shared}}, x),
                   prelu(x, shared)) == 0);
}

TEST_CASE("Shapes change", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4, 5});
  const Tensor flat = run_layer("Flatten", "[null,3,4,5]", "", {}, x);
  CHECK(dims(flat.shape()) == std::vector{2, 60});
  CHECK(floats(flat) == floats(x));
  const Tensor turned = transpose(x, {.perm = {0, 2, 3, 1}});
  CHECK(floats(run_layer("Flatten", "[null,3,4,5]", R"("data_format":"channels_first")", {}, x)) ==
        floats(turned));
  CHECK(dims(run_layer("Reshape", "[null,3,4,5]", R"("target_shape":[6,-1])", {}, x).shape()) ==
        std::vector{2, 6, 10});
  CHECK(dims(run_layer("Reshape", "[null,3,4,5]", R"("target_shape":[null,5])", {}, x).shape()) ==
        std::vector{2, 12, 5});
  CHECK(difference(run_layer("Permute", "[null,3,4,5]", R"("dims":[2,3,1])", {}, x), turned) == 0);
  const Tensor repeated = run_layer("RepeatVector", "[null,2]", R"("n":3)", {}, row({1, 2}));
  CHECK(dims(repeated.shape()) == std::vector{1, 3, 2});
  CHECK(floats(repeated) == std::vector<float>{1, 2, 1, 2, 1, 2});
}

TEST_CASE("Images are padded, cropped and enlarged", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4, 5});
  const auto first = [](const Tensor& nhwc) { return transpose(nhwc, {.perm = {0, 3, 1, 2}}); };
  const std::string channels_first = R"(,"data_format":"channels_first")";
  const Tensor padded = pad(x, {.before = {0, 1, 3, 0}, .after = {0, 2, 4, 0}});
  CHECK(difference(run_layer("ZeroPadding2D", "[null,3,4,5]", R"("padding":[[1,2],[3,4]])", {}, x), padded) ==
        0);
  CHECK(difference(run_layer("ZeroPadding2D", "[null,5,3,4]", R"("padding":[[1,2],[3,4]])" + channels_first,
                             {}, first(x)),
                   first(padded)) == 0);
  CHECK(dims(run_layer("ZeroPadding2D", "[null,3,4,5]", R"("padding":2)", {}, x).shape()) ==
        std::vector{2, 7, 8, 5});
  CHECK(dims(run_layer("ZeroPadding2D", "[null,3,4,5]", R"("padding":[1,2])", {}, x).shape()) ==
        std::vector{2, 5, 8, 5});
  const Tensor cropped = slice(x, {.begin = {0, 1, 0, 0}, .size = {2, 1, 2, 5}});
  CHECK(difference(run_layer("Cropping2D", "[null,3,4,5]", R"("cropping":[[1,1],[0,2]])", {}, x), cropped) ==
        0);
  const Tensor nearest = resize_nearest_neighbor(x, {.height = 6, .width = 12});
  CHECK(difference(run_layer("UpSampling2D", "[null,3,4,5]", R"("size":[2,3])", {}, x), nearest) == 0);
  CHECK(
      difference(run_layer("UpSampling2D", "[null,5,3,4]", R"("size":[2,3])" + channels_first, {}, first(x)),
                 first(nearest)) == 0);
  const Tensor bilinear = resize_bilinear(x, {.height = 6, .width = 8});
  CHECK(difference(run_layer("UpSampling2D", "[null,3,4,5]", R"("interpolation":"bilinear")", {}, x),
                   bilinear) == 0);
}

TEST_CASE("Pools reduce windows or whole images", "[model][layers]") {
  const Tensor x = random_values({2, 5, 6, 3});
  const PoolAttrs attrs{
      .window_h = 3, .window_w = 2, .stride_h = 2, .stride_w = 1, .padding = Padding::kSame};
  const std::string fields = R"("pool_size":[3,2],"strides":[2,1],"padding":"same")";
  CHECK(difference(run_layer("MaxPooling2D", "[null,5,6,3]", fields, {}, x), max_pool(x, attrs)) == 0);
  CHECK(difference(run_layer("AveragePooling2D", "[null,5,6,3]", fields, {}, x), avg_pool(x, attrs)) < 1e-6F);
  CHECK(dims(run_layer("MaxPooling2D", "[null,5,6,3]", R"("strides":null)", {}, x).shape()) ==
        std::vector{2, 2, 3, 3});
  const Tensor first = transpose(x, {.perm = {0, 3, 1, 2}});
  const Tensor pooled = max_pool(x, attrs);
  CHECK(difference(run_layer("MaxPooling2D", "[null,3,5,6]", fields + R"(,"data_format":"channels_first")",
                             {}, first),
                   transpose(pooled, {.perm = {0, 3, 1, 2}})) == 0);

  const Tensor sequence = Tensor::from({1.0F, 5.0F, 3.0F, 2.0F}, {1, 4, 1});
  CHECK(floats(run_layer("MaxPooling1D", "[null,4,1]", R"("pool_size":[2],"strides":[1])", {}, sequence)) ==
        std::vector<float>{5, 5, 3});
  CHECK(floats(run_layer("AveragePooling1D", "[null,4,1]", "", {}, sequence)) == std::vector<float>{3, 2.5F});
  CHECK(floats(run_layer("GlobalMaxPooling1D", "[null,4,1]", "", {}, sequence)) == std::vector<float>{5});
  CHECK(floats(run_layer("GlobalAveragePooling1D", "[null,null,1]", "", {}, sequence)) ==
        std::vector<float>{2.75F});
  CHECK(difference(run_layer("GlobalAveragePooling2D", "[null,null,null,3]", "", {}, x),
                   mean(x, {.axes = {1, 2}})) < 1e-6F);
  CHECK(difference(run_layer("GlobalMaxPooling2D", "[null,5,6,3]", R"("keepdims":true)", {}, x),
                   max(x, {.axes = {1, 2}, .keep_dims = true})) == 0);
  CHECK(difference(
            run_layer("GlobalMaxPooling2D", "[null,3,5,6]", R"("data_format":"channels_first")", {}, first),
            max(x, {.axes = {1, 2}})) == 0);
}

TEST_CASE("Embedding looks rows up", "[model][layers]") {
  const Tensor table = Tensor::from({0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 2.5F}, {3, 2});
  const Tensor x = Tensor::from({2.0F, 0.0F, 1.9F}, {1, 3});
  const Tensor y = run_layer("Embedding", "[null,null]", R"("input_dim":3,"output_dim":2)",
                             {{"layer/embeddings", table}}, x);
  CHECK(dims(y.shape()) == std::vector{1, 3, 2});
  CHECK(floats(y) == std::vector<float>{2, 2.5F, 0, 0.5F, 1, 1.5F});
}

TEST_CASE("Masking zeroes the steps that hold nothing", "[model][layers]") {
  const Tensor x = Tensor::from({5.0F, 5.0F, 5.0F, 1.0F}, {1, 2, 2});
  CHECK(floats(run_layer("Masking", "[null,2,2]", R"("mask_value":5)", {}, x)) ==
        std::vector<float>{0, 0, 5, 1});
}

TEST_CASE("Normalizations", "[model][layers]") {
  const Tensor x = random_values({2, 3, 4});
  const Tensor gamma = random_values({4}, 2);
  const Tensor beta = random_values({4}, 3);
  const Tensor mean_values = random_values({4}, 4);
  const Tensor variance = square(random_values({4}, 5));
  const std::vector<test::TestWeight> weights = {{"layer/gamma", gamma},
                                                 {"layer/beta", beta},
                                                 {"layer/moving_mean", mean_values},
                                                 {"layer/moving_variance", variance}};
  const Tensor expected = batch_norm(x, mean_values, variance, beta, gamma, {0.001F});
  CHECK(difference(run_layer("BatchNormalization", "[null,3,4]", "", weights, x), expected) < 1e-6F);
  const Tensor turned = transpose(x, {.perm = {0, 2, 1}});
  CHECK(difference(run_layer("BatchNormalization", "[null,4,3]", R"("axis":[1])", weights, turned),
                   transpose(expected, {.perm = {0, 2, 1}})) < 1e-6F);
  const Tensor bare = batch_norm(x, mean_values, variance, {0.1F});
  CHECK(difference(run_layer("BatchNormalization", "[null,3,4]",
                             R"("scale":false,"center":false,"epsilon":0.1)", {weights[2], weights[3]}, x),
                   bare) < 1e-6F);

  const Tensor layer_x = Tensor::from({1.0F, 3.0F, 2.0F, 6.0F}, {2, 2});
  CHECK(near(floats(run_layer("LayerNormalization", "[null,2]", R"("epsilon":0,"scale":false,"center":false)",
                              {}, layer_x)),
             {-1, 1, -1, 1}));
  const Tensor two_axes = random_values({3, 4}, 6);
  const Tensor offset = random_values({3, 4}, 7);
  const Tensor flat = reshape(x, {{2, 12}});
  const Tensor centered = sub(flat, mean(flat, {.axes = {1}, .keep_dims = true}));
  const Tensor squares = square(centered);
  const Tensor deviation = sqrt(add(mean(squares, {.axes = {1}, .keep_dims = true}), Tensor::scalar(0.001F)));
  const Tensor normalized = reshape(div(centered, deviation), {{2, 3, 4}});
  CHECK(difference(run_layer("LayerNormalization", "[null,3,4]", R"("axis":[1,2])",
                             {{"layer/gamma", two_axes}, {"layer/beta", offset}}, x),
                   add(mul(normalized, two_axes), offset)) < 1e-5F);
}

}  // namespace tenure
