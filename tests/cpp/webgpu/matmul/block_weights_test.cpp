#include "webgpu/matmul/block_weights.h"

#include <algorithm>

#include "core/memory/narrow_integers.h"
#include "core/memory/transfer_stats.h"
#include "core/run/dispatch.h"
#include "core/text.h"
#include "model/plan/plan.h"
#include "model/trace.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "shape_util/quantized_blocks.h"
#include "webgpu/backend.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {
namespace {

constexpr double kTolerance = 1e-4;

enum class Zeros : std::uint8_t { kNone, kPacked, kFloat };

/// Returns bytes of all values, as an int32 tensor.
Tensor spread_bytes(const Shape& shape) {
  Tensor tensor({shape, DType::kInt32});
  auto* values = tensor.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < tensor.elements(); ++i) values[i] = static_cast<std::int32_t>(i * 61 % 251);
  return tensor;
}

/// Returns the inputs of a product of `rows` rows with `columns` rows of weights.
Tensors make_inputs(int rows, int columns, const QuantizedBlocksAttrs& attrs, Zeros zeros) {
  const std::int32_t blocks = count_blocks(attrs);
  Tensors inputs = {spread_values({rows, attrs.k}, 1), spread_bytes({columns, blocks, block_bytes(attrs)}),
                    spread_values({columns, blocks}, 2)};
  if (zeros == Zeros::kPacked) inputs.push_back(spread_bytes({columns, zero_point_bytes(attrs)}));
  if (zeros == Zeros::kFloat) inputs.push_back(spread_values({columns, blocks}, 3));
  return inputs;
}

Tensor multiply(const Tensors& in, const QuantizedBlocksAttrs& attrs) {
  return mat_mul_n_bits(in[0], in[1], in[2], in.size() > 3 ? in[3] : Tensor(), attrs);
}

}  // namespace

TEST_CASE("Products with weights in blocks are computed for each class of devices", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  const auto zeros = GENERATE(Zeros::kNone, Zeros::kPacked, Zeros::kFloat);
  const auto [rows, columns, bits, block, depth] = GENERATE(table<int, int, int, int, int>(
      {{1, 70, 4, 32, 96}, {3, 5, 8, 16, 41}, {1, 9, 2, 128, 130}, {7, 23, 4, 16, 50}, {40, 68, 8, 32, 72}}));
  const QuantizedBlocksAttrs attrs = {.bits = bits, .block_size = block, .k = depth};
  INFO(text(rows, " x ", columns, ", ", bits, " bits, blocks of ", block, " in ", depth));
  check_op(Op::mat_mul_n_bits, make_inputs(rows, columns, attrs, zeros), AttrsView(attrs));
}

TEST_CASE("Weights in blocks are uploaded as they are stored, and once", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const QuantizedBlocksAttrs attrs = {.bits = 4, .block_size = 32, .k = 256};
  Tensors inputs = make_inputs(1, 64, attrs, Zeros::kNone);
  const std::size_t stored = inputs[1].elements();
  inputs[1] = NarrowIntegers::compress(inputs[1]);
  REQUIRE(NarrowIntegers::of(inputs[1]));
  const Tensors x = {inputs[0]};
  const Graph graph = test::trace(x, [&](const Tensors& in) {
    return Tensors{multiply({in[0], inputs[1], inputs[2]}, attrs)};
  });
  Plan plan(graph);
  Plan on_cpu(graph, cpu_backend());
  const Tensor expected = on_cpu.run(x)[0];
  const std::size_t fallbacks = fallback_count();
  const std::size_t before = total_transfer_stats().bytes;
  CHECK(cases::difference(plan.run(x)[0], expected, kTolerance).empty());
  const std::size_t first = total_transfer_stats().bytes - before;
  CHECK(first == stored + x[0].bytes() + inputs[2].bytes() + expected.bytes());
  CHECK(NarrowIntegers::of(inputs[1]));

  const Tensors other = {spread_values(x[0].shape(), 5)};
  plan.run(other);
  CHECK(total_transfer_stats().bytes - before == first + x[0].bytes());
  CHECK(fallback_count() == fallbacks);

  SECTION("a lost device's copy is made again") {
    Context::stop();
    REQUIRE(Context::start());
    Plan later(graph);
    CHECK(cases::difference(later.run(x)[0], expected, kTolerance).empty());
  }
  SECTION("ops that do not read them so get integers") {
    const Tensor sum = run(Op::sum, {&inputs[1]}, AttrsView(ReduceAttrs{.axes = {0, 1, 2}}));
    const BackendGuard on_host(cpu_backend());
    CHECK(*sum.data<std::int32_t>() == *tenure::sum(inputs[1]).data<std::int32_t>());
  }
}

}  // namespace tenure::webgpu
