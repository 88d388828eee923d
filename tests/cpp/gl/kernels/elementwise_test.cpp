#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory/transfer_stats.h"
#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor floats(const std::vector<float>& values) {
  Tensor x(TensorSpec{Shape{static_cast<std::int32_t>(values.size())}, DType::kFloat32});
  std::copy(values.begin(), values.end(), x.mutable_data<float>());
  return x;
}

}  // namespace

TEST_CASE("Two large tensors are added on the GPU", "[gl]") {
  const GlFixture gl;
  expect_gl_equals_cpu(Op::add, {random_values({1000, 1003}), random_values({1000, 1003})});
}

TEST_CASE("Large angles are reduced on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::sin, Op::cos, Op::tan);
  std::vector<float> angles = {8191.5F, 8192, 1e4F, -1e5F, 1e7F, 1e9F, -1e12F, 1e20F, -3e30F, 3.4e38F};
  for (int i = 0; i < 200; ++i)
    angles.push_back(std::ldexp(1.0F + static_cast<float>(i) / 256, 13 + i % 110));
  expect_gl_equals_cpu(op, {floats(angles)}, {}, 2e-5);
}

TEST_CASE("Logarithms near 1 keep their digits on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const std::vector<float> near = {0.9999999F, 1.0000001F, 0.99999F, 1.00001F, 0.999F, 1.001F, 0.9F, 1.1F};
  const Tensor got = log(on_device(floats(near)));
  for (std::size_t i = 0; i < near.size(); ++i) {
    const double wanted = std::log(static_cast<double>(near[i]));
    CHECK(std::abs(got.data<float>()[i] - wanted) <= 1e-6 * std::abs(wanted));
  }
}

TEST_CASE("Remainders of large numbers are exact on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Tensor x = floats({1e30F, -1e30F, 16777215, 3e9F, -7e8F, 1e9F, 5, -5});
  const Tensor y = floats({3, 7, 3.1F, -1e-3F, 0.7F, 1e30F, kInf, kInf});
  expect_gl_equals_cpu(Op::mod, {x, y}, {}, 1e-7);
}

TEST_CASE("acosh below 1 is no number on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  expect_gl_equals_cpu(Op::acosh, {floats({0.9999999F, 0.5F, 0, -1, -2, -1e30F, 1, 1.0000001F})}, {}, 2e-5);
}

TEST_CASE("A number on the CPU needs no upload", "[gl][elementwise]") {
  const GlFixture gl;
  const Tensor x = on_device(random_values({100}));
  const Tensor three = Tensor::scalar(3.0F);
  const std::size_t uploads = total_transfer_stats().uploads;
  const Tensor y = mul(x, three);
  CHECK(y.storage()->only_on_device());
  CHECK(total_transfer_stats().uploads == uploads);
  CHECK(three.storage()->device() == nullptr);
  CHECK(y.data<float>()[7] == x.data<float>()[7] * 3);
}

}  // namespace tenure::gl
