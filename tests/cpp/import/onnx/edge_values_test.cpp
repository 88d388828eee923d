// Infinities, NaNs, the lowest integer, scalars, and axes of one element or none.

#include <cmath>
#include <limits>

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

int type_of(const Tensor& x) { return x.dtype() == DType::kInt32 ? kInt64 : kFloat; }

/// Returns the first output of a node of x, whose second input is "k", the integer 2.
Tensor run(std::string_view op, bool has_k, const std::string& attributes, const Tensor& x) {
  const auto reader = has_k ? node(op, {"x", "k"}, {"y"}, attributes) : node(op, {"x"}, {"y"}, attributes);
  const std::string k = bytes(5, tensor("k", kInt64, {1}, raw<std::int64_t>({2})));
  GraphModel model = onnx::load_model(as_bytes(proto::model(
      reader + input(value("x", type_of(x), {}, false)) + output(value("y", type_of(x), {}, false)) + k,
      18)));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

/// Returns the result of a OneHot with the values 4 and 9.
Tensor make_one_hot(std::int64_t depth, std::int64_t axis, const Tensor& x) {
  const std::string constants = bytes(5, tensor("depth", kInt64, {}, raw<std::int64_t>({depth}))) +
                                bytes(5, tensor("values", kInt64, {2}, raw<std::int64_t>({4, 9})));
  GraphModel model = onnx::load_model(as_bytes(proto::model(
      node("OneHot", {"x", "depth", "values"}, {"y"}, int_attribute("axis", axis)) +
      input(value("x", kInt64, {}, false)) + output(value("y", kInt64, {}, false)) + constants)));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

template <class T>
std::vector<T> values(const Tensor& x) {
  const std::span<const T> all = x.values<T>();
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("The logarithm of a sum of exponentials may be infinite", "[onnx]") {
  const Tensor x =
      Tensor::from({-kInfinity, -kInfinity, kInfinity, 1.0F, 0.0F, 0.0F, 1000.0F, 1000.0F}, {4, 2});
  const Tensor y = run("ReduceLogSumExp", false, int_attribute("keepdims", 0), x);
  CHECK(values<float>(y) == std::vector<float>{kInfinity});
  // In rows.
  const std::string axes = bytes(5, tensor("axes", kInt64, {1}, raw<std::int64_t>({1})));
  GraphModel model = onnx::load_model(as_bytes(proto::model(node("ReduceLogSumExp", {"x", "axes"}, {"y"}) +
                                                                input(value("x", kFloat, {}, false)) +
                                                                output(value("y", kFloat, {}, false)) + axes,
                                                            18)));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const Tensor rows = model.run(program, std::span(&x, 1))[0];
  CHECK(rows.shape() == Shape{4, 1});
  const std::vector<float> found = values<float>(rows);
  CHECK(found[0] == -kInfinity);
  CHECK(found[1] == kInfinity);
  CHECK(found[2] == Catch::Approx(std::log(2.0F)));
  CHECK(found[3] == Catch::Approx(1000 + std::log(2.0F)));
}

TEST_CASE("The smallest integers include the lowest", "[onnx]") {
  const Tensor x = Tensor::from({5, INT32_MIN, 5, INT32_MAX}, {4});
  CHECK(values<std::int32_t>(run("TopK", true, int_attribute("largest", 0), x)) ==
        std::vector<std::int32_t>{INT32_MIN, 5});
}

TEST_CASE("The sign of NaN is NaN", "[onnx]") {
  const std::vector<float> signs =
      values<float>(run("Sign", false, {}, Tensor::from({kNaN, -kInfinity, 0.0F}, {3})));
  CHECK(std::isnan(signs[0]));
  CHECK(signs[1] == -1);
  CHECK(signs[2] == 0);
}

TEST_CASE("The maximum of one element or none is hard, and a scalar has a position", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  CHECK(values<float>(run("Hardmax", false, int_attribute("axis", 0), Tensor::from({-1.0F, 7.0F}, {1, 2}))) ==
        std::vector<float>{1, 1});
  CHECK(values<float>(run("Hardmax", false, int_attribute("axis", 0),
                          Tensor::from({1.0F, 3.0F, 3.0F, 2.0F}, {2, 2}))) == std::vector<float>{0, 1, 1, 0});
  CHECK(run("Hardmax", false, {}, Tensor({{2, 0}, DType::kFloat32})).shape() == Shape{2, 0});
  CHECK(run("NonZero", false, {}, Tensor::scalar(3)).shape() == Shape{1, 1});
  CHECK(run("NonZero", false, {}, Tensor::scalar(0)).shape() == Shape{1, 0});
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A one-hot tensor may have one class", "[onnx]") {
  CHECK(values<std::int32_t>(make_one_hot(1, -1, Tensor::from({0, -1, 1}, {3}))) ==
        std::vector<std::int32_t>{9, 9, 4});
}

TEST_CASE("A one-hot tensor without indices takes no memory", "[onnx]") {
  const Tensor none({{0, 2}, DType::kInt32});
  const std::size_t peak = allocator_stats().peak;
  CHECK(make_one_hot(INT32_MAX, -1, none).shape() == Shape{0, 2, INT32_MAX});
  CHECK(make_one_hot(7, 1, none).shape() == Shape{0, 7, 2});
  CHECK(make_one_hot(7, 0, none).dtype() == DType::kInt32);
  CHECK_THROWS_WITH(make_one_hot(-1, -1, none), ContainsSubstring("its depth is -1"));
  CHECK(allocator_stats().peak < peak + (1 << 20));
}
