#include <cmath>

#include "core/text.h"
#include "miss.h"
#include "ops/cases/device_checks.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {
namespace {

/// Compares an op with the CPU's, without subgroups and with them. The device's own class has no subgroups.
void check_both(Op op, const Tensors& inputs, AttrsView attrs, std::size_t pipelines) {
  if (!context().limits().has_subgroups) return miss("the WebGPU device has no subgroups");
  check_op(op, inputs, attrs);
  const std::size_t before = context().pipeline_count();
  const ClassGuard hardware(DeviceClass::kHardware);
  check_op(op, inputs, attrs);
  CHECK(context().pipeline_count() == before + pipelines);
}

/// Returns values around 1, whose product is neither large nor small.
Tensor get_factors(const Shape& shape) {
  Tensor x({shape, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = 1 + 0.05F * std::sin(static_cast<float>(i));
  return x;
}

}  // namespace

TEST_CASE("Subgroups reduce rows", "[webgpu][subgroups]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  // Rows of whole vectors, and others; fewer and more than a workgroup reduces.
  const auto [rows, columns] = GENERATE(table<int, int>({{1, 131}, {3, 256}, {70, 128}, {37, 511}}));
  const Op op = GENERATE(Op::sum, Op::mean, Op::prod);
  INFO(text(op_def(op).name, " of ", rows, " x ", columns));
  Context::stop();
  REQUIRE(Context::start());
  check_both(op, {get_factors({rows, columns})}, AttrsView(ReduceAttrs{.axes = {1}}), 1);
}

TEST_CASE("Subgroups sum integers", "[webgpu][subgroups]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  Tensor x({Shape{5, 201}, DType::kInt32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<std::int32_t>()[i] = static_cast<int>(i * 7919) - 1000000;
  Context::stop();
  REQUIRE(Context::start());
  check_both(Op::sum, {x}, AttrsView(ReduceAttrs{.axes = {1}}), 1);
}

TEST_CASE("Subgroups reduce neither short rows nor maxima", "[webgpu][subgroups]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  Context::stop();
  REQUIRE(Context::start());
  check_both(Op::sum, {get_factors({20, 127})}, AttrsView(ReduceAttrs{.axes = {1}}), 0);
  check_both(Op::max, {get_factors({20, 129})}, AttrsView(ReduceAttrs{.axes = {1}}), 0);
}

TEST_CASE("Subgroups multiply a vector by a transposed matrix", "[webgpu][subgroups]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const auto [depth, columns] = GENERATE(table<int, int>({{128, 4}, {132, 36}, {520, 1000}}));
  INFO(text(depth, " x ", columns));
  Context::stop();
  REQUIRE(Context::start());
  const MatMulAttrs attrs = {.transpose_b = true, .activation = Activation::kRelu};
  check_both(Op::mat_mul,
             {spread_values({1, depth}, 1), spread_values({columns, depth}, 2), spread_values({columns}, 3)},
             AttrsView(attrs), 1);
  // A matrix times a column vector, without a bias, runs on the same kernel.
  check_op(Op::mat_mul, {spread_values({columns, depth}, 1), spread_values({depth, 1}, 2)},
           AttrsView(MatMulAttrs{}));
}

TEST_CASE("Subgroups multiply no vector by a matrix of other sizes", "[webgpu][subgroups]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard hardware(DeviceClass::kHardware);
  const auto [rows, depth, columns] =
      GENERATE(table<int, int, int>({{1, 130, 8}, {1, 128, 6}, {2, 128, 8}, {1, 64, 8}}));
  INFO(text(rows, " x ", depth, " x ", columns));
  check_op(Op::mat_mul, {spread_values({rows, depth}, 1), spread_values({columns, depth}, 2)},
           AttrsView(MatMulAttrs{.transpose_b = true}));
}

}  // namespace tenure::webgpu
