#include <cmath>
#include <functional>

#include "catch.h"
#include "core/memory/allocator.h"
#include "ops/autodiff/backward.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Function = std::function<Tensor(const Tensors&)>;

/// Returns distinct values around `middle`.
Tensor some(const Shape& shape, float middle = 0.1F, float spread = 1.3F) {
  std::vector<float> values(shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = middle + spread * (static_cast<float>((i * 37 + 11) % 101) / 101.0F - 0.5F);
  }
  return Tensor::from(std::span<const float>(values), shape);
}

TEST_CASE("Gradients nest to any order", "[gradient]") {
  const Function fifth = [](const Tensors& x) { return pow(x[0], Tensor::scalar(5.0F)); };
  Function f = fifth;
  for (const double expected : {80.0, 160.0, 240.0, 240.0, 120.0}) {
    f = [f](const Tensors& x) { return value_and_gradients(f, x).gradients[0]; };
    CHECK(f({Tensor::scalar(2.0F)}).data<float>()[0] == Catch::Approx(expected));
  }
}

TEST_CASE("What does not lead from x to y has a gradient of zeros", "[gradient]") {
  const Tensor x = some({3});
  const auto of = [&](const Function& f) { return value_and_gradients(f, {x}).gradients[0]; };
  for (const Tensor& zeros :
       {of([](const Tensors& in) { return sign(in[0]); }), of([&](const Tensors&) { return Tensor(x); })}) {
    for (const float value : zeros.values<float>()) CHECK(value == 0);
  }
}

TEST_CASE("Conventions where there is no slope are TensorFlow.js's", "[gradient]") {
  const auto at = [](Op op, float x) {
    return value_and_gradients([op](const Tensors& in) { return run(op, {&in[0]}); }, {Tensor::scalar(x)})
        .gradients[0]
        .data<float>()[0];
  };
  CHECK(at(Op::relu, 0) == 0);
  CHECK(at(Op::abs, 0) == -1);
  CHECK(at(Op::selu, 0) == Catch::Approx(1.7580993F));
  CHECK(std::isnan(at(Op::relu, NAN)));
  const Tensor ties = Tensor::from({2.0F, 2.0F, 1.0F}, {3});
  const auto both =
      value_and_gradients([](const Tensors& in) { return maximum(in[0], in[1]); }, {ties, ties}).gradients;
  CHECK(both[0].data<float>()[0] == 1);
  CHECK(both[1].data<float>()[0] == 0);
  const auto all = value_and_gradients([](const Tensors& in) { return max(in[0]); }, {ties}).gradients;
  CHECK(std::vector<float>(all[0].values<float>().begin(), all[0].values<float>().end()) ==
        std::vector<float>{1, 1, 0});
}

TEST_CASE("An op without a gradient says so, and nothing is left of the walk", "[gradient]") {
  const Tensor x = some({3});
  const std::size_t before = allocator_stats().blocks;
  CHECK_THROWS_WITH(value_and_gradients([](const Tensors& in) { return less(in[0], in[0]); }, {x}),
                    "Cannot compute gradient: gradient function not found for Less.");
  CHECK_THROWS_AS(value_and_gradients([](const Tensors& in) { return add(exp(in[0]), some({2})); }, {x}),
                  Error);
  CHECK(allocator_stats().blocks == before);
}

}  // namespace
}  // namespace tenure
