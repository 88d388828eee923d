#include <cmath>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

Tensor scattered(const Shape& shape, float least, float most) {
  std::vector<float> values(shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float between = 0.5F + 0.5F * std::sin(static_cast<float>(i * i) + least);
    values[i] = least + (most - least) * between;
  }
  return Tensor::from(std::span<const float>(values), shape);
}

struct Case {
  Shape x;
  Shape parameters;
};

}  // namespace

TEST_CASE("batchNorm normalizes with parameters of a channel or of an element", "[batch_norm]") {
  const Case c = GENERATE(values<Case>({
      {{5}, {5}},
      {{7, 3}, {3}},
      {{7, 3}, {7, 3}},
      {{200, 1}, {1}},
      {{2, 9, 300}, {300}},
      {{2, 5, 4, 3}, {3}},
      {{2, 5, 4, 3}, {1, 1, 1, 3}},
      {{2, 5, 4, 3}, {2, 5, 4, 3}},
      {{0, 3}, {3}},
  }));
  const bool has_offset = GENERATE(true, false);
  const bool has_scale = GENERATE(true, false);
  const Tensor x = scattered(c.x, -5, 5);
  const Tensor mean = scattered(c.parameters, -1, 2);
  const Tensor variance = scattered(c.parameters, 0, 3);
  const Tensor offset = has_offset ? scattered(c.parameters, -2, 2) : Tensor();
  const Tensor scale = has_scale ? scattered(c.parameters, 0.5F, 2) : Tensor();
  const Tensor out = batch_norm(x, mean, variance, offset, scale, {.epsilon = 0.01F});
  REQUIRE(out.spec() == x.spec());
  const std::size_t period = mean.elements();
  for (std::size_t i = 0; i < out.elements(); ++i) {
    const std::size_t j = i % period;
    const double by = (has_scale ? scale.data<float>()[j] : 1) / std::sqrt(variance.data<float>()[j] + 0.01);
    const double expected =
        (x.data<float>()[i] - mean.data<float>()[j]) * by + (has_offset ? offset.data<float>()[j] : 0);
    INFO(text(c.x, " by ", c.parameters, " at ", i));
    CHECK(std::abs(out.data<float>()[i] - expected) <= 1e-5);
  }
}

TEST_CASE("batchNorm keeps its digits where the mean is large", "[batch_norm]") {
  const Tensor x = Tensor::from({100000.0F, 100001.0F}, {2, 1});
  const Tensor mean = Tensor::from({100000.5F}, {1});
  const Tensor variance = Tensor::from({0.25F}, {1});
  const Tensor out = batch_norm(x, mean, variance, {.epsilon = 0});
  CHECK(out.data<float>()[0] == -1);
  CHECK(out.data<float>()[1] == 1);
}

TEST_CASE("batchNorm rejects parameters that do not fit", "[batch_norm]") {
  const Tensor x({{2, 3}, DType::kFloat32});
  const Tensor three({{3}, DType::kFloat32});
  const Tensor two({{2}, DType::kFloat32});
  const Tensor table({{2, 3}, DType::kFloat32});
  const Tensor ints({{3}, DType::kInt32});
  const Tensor none;
  CHECK_THROWS_MATCHES(batch_norm(x, two, three), Error,
                       Message("[batchNorm] expected mean of shape [3] or [2,3], got [2]"));
  CHECK_THROWS_MATCHES(
      batch_norm(x, three, table), Error,
      Message("[batchNorm] Batch normalization gradient requires mean and variance to have equal ranks."));
  CHECK_THROWS_MATCHES(
      batch_norm(x, three, three, none, table), Error,
      Message("[batchNorm] Batch normalization gradient requires mean and scale to have equal ranks."));
  CHECK_THROWS_MATCHES(batch_norm(x, three, three, ints, {}), Error,
                       Message("[batchNorm] Argument 'offset' passed to 'batchNorm' must be float32 tensor, "
                               "but got int32 tensor"));
  CHECK_THROWS_MATCHES(batch_norm(x, three, none), Error,
                       Message("[batchNorm] argument 'variance' is missing"));
  const Tensor scalar = Tensor::scalar(1.0F);
  CHECK_THROWS_MATCHES(batch_norm(scalar, three, three), Error,
                       Message("[batchNorm] expected x of rank 1 or higher, got a scalar"));
}

}  // namespace tenure
