// Ops of com.microsoft that onnxruntime's optimizer writes. The expected values of activations are those of
// onnxruntime-web.

#include <cmath>
#include <limits>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/strings.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

int get_type(const Tensor& x) {
  if (x.dtype() == DType::kBool) return kBool;
  return x.dtype() == DType::kInt32 ? kInt64 : kFloat;
}

/// Runs a node of com.microsoft.
Tensor run(std::string_view op, const Tensors& given, const std::string& attributes = {}) {
  constexpr std::string_view kNames[] = {"x0", "x1", "x2", "x3"};
  REQUIRE(given.size() <= std::size(kNames));
  std::string fields;
  std::string ports;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.size(); ++i) {
    fields += bytes(1, kNames[i]);
    ports += input(value(kNames[i], get_type(given[i]), {}, false));
    names.emplace_back(kNames[i]);
  }
  const std::string reader =
      bytes(1, fields + bytes(2, "y") + bytes(4, op) + attributes + bytes(7, "com.microsoft"));
  GraphModel model = onnx::load_model(
      as_bytes(proto::model(reader + ports + output(value("y", get_type(given[0]), {}, false)), 17,
                            bytes(8, bytes(1, "com.microsoft") + integer(2, 1)))));
  return model.run(model.compile(names, std::vector<std::string>{"y"}), given)[0];
}

template <class T>
std::vector<T> get_values(const Tensor& x) {
  const std::span<const T> all = x.values<T>();
  return {all.begin(), all.end()};
}

void check_close(const Tensor& found, const std::vector<float>& expected) {
  const std::vector<float> values = get_values<float>(found);
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(values[i] == Catch::Approx(expected[i]).margin(1e-6));
  }
}

std::string string_attribute(std::string_view name, std::string_view text) {
  return bytes(5, bytes(1, name) + bytes(4, text) + integer(20, 3));
}
std::string float_attribute(std::string_view name, float value) {
  return bytes(5, bytes(1, name) + number(2, value) + integer(20, 1));
}

Tensor make_x(const Shape& shape) { return Tensor::from({0.1F, 0.9F, -0.4F, 0.5F, -0.8F, 0.3F}, shape); }

Tensor convolve(std::string_view activation, const std::vector<float>& parameters = {}) {
  return run("FusedConv", {make_x({1, 1, 6}), Tensor::from({1.0F}, {1, 1, 1})},
             string_attribute("activation", activation) +
                 (parameters.empty() ? "" : floats_attribute("activation_params", parameters)));
}

Tensor multiply(std::string_view activation, const std::string& parameters = {}) {
  return run(
      "FusedGemm",
      {make_x({3, 2}), Tensor::from({1.0F, 0.0F, 0.0F, 2.0F}, {2, 2}), Tensor::from({0.0F, 0.0F}, {2})},
      string_attribute("activation", activation) + parameters);
}

}  // namespace

TEST_CASE("A Range of com.microsoft has a step of 1 by default", "[onnx]") {
  CHECK(get_values<float>(run("Range", {Tensor::scalar(1.0F), Tensor::scalar(4.5F)})) ==
        std::vector<float>{1, 2, 3, 4});
  CHECK(get_values<std::int32_t>(run("Range", {Tensor::scalar(3), Tensor::scalar(5)})) ==
        std::vector<std::int32_t>{3, 4});
  CHECK(get_values<std::int32_t>(run("Range", {Tensor::scalar(3), Tensor::scalar(0), Tensor::scalar(-2)})) ==
        std::vector<std::int32_t>{3, 1});
}

TEST_CASE("Biases are added, also before a gelu of one half", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  {
    const Tensor x = Tensor::from({1.0F, -2.0F, 0.5F, 3.0F}, {1, 1, 4});
    const Tensor bias = Tensor::from({1.0F, 0.0F, 0.5F, -4.0F}, {4});
    check_close(run("BiasAdd", {x, bias, x}), {3, -4, 1.5F, 2});
    // gelu(1) is 0.8413447, and gelu(-1) is -0.1586553.
    check_close(run("BiasSplitGelu", {x, bias}), {2 * 0.8413447F, -2 * -0.1586553F});
    CHECK_THROWS_WITH(run("BiasSplitGelu", {Tensor::scalar(1.0F), Tensor::scalar(1.0F)}),
                      ContainsSubstring("an input of [] has no two halves"));
    CHECK_THROWS_WITH(run("BiasSplitGelu", {Tensor::from({1.0F}, {1}), Tensor::scalar(1.0F)}),
                      ContainsSubstring("an input of [1] has no two halves"));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A TransposeMatMul transposes and scales", "[onnx]") {
  check_close(run("TransposeMatMul", {make_x({3, 2}), Tensor::from({1.0F, 2.0F, 3.0F}, {3, 1})},
                  int_attribute("transA", 1) + float_attribute("alpha", 0.5F)),
              {-1.55F, 1.4F});
}

TEST_CASE("A FusedConv has an activation with all its parameters", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  check_close(convolve("Sigmoid"), {0.5249792F, 0.7109495F, 0.4013124F, 0.6224593F, 0.3100255F, 0.5744425F});
  check_close(convolve("Tanh"), {0.0996680F, 0.7162979F, -0.3799490F, 0.4621172F, -0.6640369F, 0.2913126F});
  check_close(convolve("Clip", {-0.5F, 0.5F}), {0.1F, 0.5F, -0.4F, 0.5F, -0.5F, 0.3F});
  check_close(convolve("HardSigmoid", {0.4F, 0.7F}), {0.74F, 1, 0.54F, 0.9F, 0.38F, 0.82F});
  check_close(convolve("HardSwish"),
              {0.0516667F, 0.5850000F, -0.1733333F, 0.2916667F, -0.2933333F, 0.1650000F});
  CHECK_THROWS_WITH(convolve("Clip"),
                    ContainsSubstring("the activation \"Clip\" has 0 parameters, expected 2"));
  CHECK_THROWS_WITH(convolve("Clip", {0.5F}), ContainsSubstring("1 parameters, expected 2"));
  CHECK_THROWS_WITH(convolve("HardSigmoid"), ContainsSubstring("0 parameters, expected 2"));
  CHECK_THROWS_WITH(convolve("LeakyRelu"), ContainsSubstring("0 parameters, expected 1"));
  CHECK_THROWS_WITH(convolve("Cube"), ContainsSubstring("the activation \"Cube\" is not supported"));
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A FusedGemm has the activations of onnxruntime's optimizer", "[onnx]") {
  const auto alpha = [](float value) { return float_attribute("activation_alpha", value); };
  const auto beta = [](float value) { return float_attribute("activation_beta", value); };
  check_close(multiply("Elu", alpha(0.7F)), {0.1F, 1.8F, -0.2307760F, 1, -0.3854697F, 0.6F});
  check_close(multiply("Selu", alpha(1.5F) + float_attribute("activation_gamma", 1.2F)),
              {0.12F, 2.16F, -0.5934240F, 1.2F, -0.9912079F, 0.72F});
  check_close(multiply("Softplus"), {0.7443967F, 1.9529775F, 0.5130153F, 1.3132617F, 0.3711007F, 1.0374880F});
  check_close(multiply("Softsign"), {0.0909091F, 0.6428571F, -0.2857143F, 0.5F, -0.4444445F, 0.375F});
  check_close(multiply("ThresholdedRelu", alpha(0.4F)), {0, 1.8F, 0, 1, 0, 0.6F});
  check_close(multiply("ScaledTanh", alpha(0.4F) + beta(0.7F)),
              {0.0279544F, 0.3404256F, -0.1091620F, 0.2417471F, -0.2031910F, 0.1587722F});
  check_close(multiply("ParametricSoftplus", alpha(0.4F) + beta(0.7F)),
              {0.2915038F, 0.6038843F, 0.2251662F, 0.4412744F, 0.1807382F, 0.3700148F});
  check_close(multiply("HardSigmoid", alpha(0.4F) + beta(0.7F)), {0.74F, 1, 0.54F, 1, 0.38F, 0.94F});
  check_close(multiply("Selu"), {0.1050701F, 1.8912618F, -0.5796160F, 1.0507010F, -0.9681335F, 0.6304206F});
  CHECK_THROWS_WITH(multiply("Clip"), ContainsSubstring("the activation \"Clip\" is not supported"));
}

TEST_CASE("A matrix is inverted, a singular one to values that are not finite", "[onnx]") {
  const Tensor inverse =
      run("Inverse", {Tensor::from({0.0F, 2.0F, 4.0F, 0.0F, 1.0F, 1.0F, 0.0F, 1.0F}, {2, 2, 2})});
  check_close(inverse, {0, 0.25F, 0.5F, 0, 1, -1, 0, 1});
  const Tensor none = run("Inverse", {Tensor::from({1.0F, 2.0F, 2.0F, 4.0F}, {2, 2})});
  for (const float value : get_values<float>(none)) CHECK_FALSE(std::isfinite(value));
  CHECK(run("Inverse", {Tensor({{0, 3, 3}, DType::kFloat32})}).shape() == Shape{0, 3, 3});
}

TEST_CASE("Tokens that would repeat a sequence get no score", "[onnx]") {
  const Tensor scores =
      run("NGramRepeatBlock",
          {Tensor::from({1, 2, 3, 1, 2}, {1, 5}), Tensor::from({0.0F, 1.0F, 2.0F, 3.0F}, {1, 4})},
          int_attribute("ngram_size", 3));
  CHECK(get_values<float>(scores) == std::vector<float>{0, 1, 2, -std::numeric_limits<float>::infinity()});
}

TEST_CASE("A row of a MaxpoolWithMask ends at the first pixel that is masked", "[onnx]") {
  const std::string pairs = ints_attribute("kernel_shape", {2, 3});
  const Tensor x = Tensor::from({1.0F, 2.0F, 9.0F, 4.0F, 5.0F, 3.0F, 8.0F, 7.0F}, {1, 1, 2, 4});
  const auto pool = [&](const std::vector<std::int32_t>& mask) {
    return get_values<float>(
        run("MaxpoolWithMask", {x, Tensor::from(std::span<const std::int32_t>(mask), {1, 1, 2, 4})}, pairs));
  };
  CHECK(pool({1, 1, 1, 1, 1, 1, 1, 1}) == std::vector<float>{9, 9});
  CHECK(pool({1, 0, 1, 1, 1, 1, 0, 1}) == std::vector<float>{5, 3});
  const std::vector<float> none(2, std::numeric_limits<float>::lowest());
  CHECK(pool({0, 0, 1, 1, 0, 0, 1, 1}) == std::vector<float>{1, none[1]});
  // The two channels have masks of their own, and pads have no pixels.
  const Tensor lines = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {1, 2, 3});
  CHECK(get_values<float>(run("MaxpoolWithMask", {lines, Tensor::from({1, 1, 1, 1, 0, 1}, {1, 2, 3})},
                              ints_attribute("kernel_shape", {2}) + ints_attribute("pads", {1, 1}))) ==
        std::vector<float>{1, 2, 3, 3, 4, 4, none[0], 6});
}

TEST_CASE("The last pixels of a CropAndResize are those at the end of the box", "[onnx]") {
  Tensor x({{1, 1, 26, 1}, DType::kFloat32});
  for (int i = 0; i < 26; ++i) x.mutable_data<float>()[i] = static_cast<float>(i);
  for (std::int32_t height = 2; height < 26; ++height) {
    CAPTURE(height);
    const Tensor crop = run("CropAndResize",
                            {x, Tensor::from({0.0F, 0.0F, 1.0F, 0.0F}, {1, 4}), Tensor::from({0}, {1}),
                             Tensor::from({height, 1}, {2})},
                            float_attribute("extrapolation_value", -1));
    CHECK(crop.values<float>().back() == 25);
  }
}

TEST_CASE("Rare ops of com.microsoft refuse inputs that do not fit", "[onnx][hostile]") {
  const std::size_t live = allocator_stats().live;
  {
    const Tensor tokens = Tensor::from({1, 9, 1}, {1, 3});
    const Tensor scores({{1, 4}, DType::kFloat32});
    const Tensor x({{2, 3}, DType::kFloat32});
    const auto block = [&](std::int64_t size) {
      return run("NGramRepeatBlock", {tokens, scores}, int_attribute("ngram_size", size));
    };
    CHECK_THROWS_WITH(block(2), ContainsSubstring("a token is 9, there are scores of 4"));
    CHECK_THROWS_WITH(block(0), ContainsSubstring("attribute \"ngram_size\" is 0"));
    CHECK(get_values<float>(block(INT32_MAX)) == get_values<float>(scores));
    const auto unfold = [&](std::int64_t size, std::int64_t step) {
      return run("UnfoldTensor", {x}, int_attribute("size", size) + int_attribute("step", step));
    };
    CHECK_THROWS_WITH(unfold(4, 1), ContainsSubstring("slices of 4 with a step of 1 do not fit axis 1"));
    CHECK_THROWS_WITH(unfold(0, 1), ContainsSubstring("slices of 0"));
    CHECK_THROWS_WITH(unfold(1, 0), ContainsSubstring("a step of 0"));
    CHECK_THROWS_WITH(run("Inverse", {x}), ContainsSubstring("expected square matrices"));
    CHECK_THROWS_WITH(run("CDist", {x, x}, string_attribute("metric", "cosine")),
                      ContainsSubstring("the metric \"cosine\""));
    CHECK_THROWS_WITH(run("CDist", {x, scores}, string_attribute("metric", "euclidean")),
                      ContainsSubstring("cannot be compared"));
    CHECK_THROWS_WITH(run("DynamicTimeWarping", {Tensor({{2, 2, 2}, DType::kFloat32})}),
                      ContainsSubstring("expected a matrix"));
    for (const Shape& shape : {Shape{1, 1, 2, 2}, Shape{1, 1, 4}, Shape{1, 0, 4, 4}}) {
      const Tensor mask({shape, DType::kInt32});
      CHECK_THROWS_WITH(run("MaxpoolWithMask", {Tensor({{1, 1, 4, 4}, DType::kFloat32}), mask},
                            ints_attribute("kernel_shape", {2, 2})),
                        ContainsSubstring(text("a mask of ", shape, " does not fit an input of [1,1,4,4]")));
    }
    CHECK_THROWS_WITH(run("DynamicTimeWarping", {Tensor({{INT32_MAX, 0}, DType::kFloat32})}),
                      ContainsSubstring("expected a matrix"));
    for (const DType dtype : {DType::kBool, DType::kInt32}) {
      const std::string message = text("expected float32, got ", get_name(dtype));
      CHECK_THROWS_WITH(
          run("NGramRepeatBlock", {tokens, Tensor({{1, 16}, dtype})}, int_attribute("ngram_size", 2)),
          ContainsSubstring(message));
      CHECK_THROWS_WITH(run("DynamicTimeWarping", {Tensor({{4, 4}, dtype})}), ContainsSubstring(message));
    }
    CHECK_THROWS_WITH(
        run("ExpandDims", {Tensor({{1, 1, 1, 1, 1, 1, 1, 1}, DType::kFloat32}), Tensor::scalar(0)}),
        ContainsSubstring("a rank of 9 is too high"));
    const auto crop = [&](const Tensor& box, const Tensor& size) {
      return run("CropAndResize",
                 {Tensor({{1, 1, 4, 4}, DType::kFloat32}), box, Tensor::from({0}, {1}), size});
    };
    CHECK_THROWS_WITH(crop(Tensor({{1, 4}, DType::kFloat32}), Tensor::from({2}, {1})),
                      ContainsSubstring("expected a height and a width"));
    CHECK_THROWS_WITH(crop(Tensor({{1, 3}, DType::kFloat32}), Tensor::from({2, 2}, {2})),
                      ContainsSubstring("boxes"));
    CHECK_THROWS_AS(crop(Tensor({{1, 4}, DType::kFloat32}), Tensor::from({-2, 2}, {2})), Error);
  }
  CHECK(allocator_stats().live == live);
}
