#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/memory/half_floats.h"
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

/// Returns integers of 4 or 8 bits, as they are stored.
Tensor narrow_integers(const Shape& shape, bool is_signed, int bits = 8) {
  std::vector<std::byte> bytes((shape.elements() * static_cast<std::size_t>(bits) + 7) / 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 61 % 251);
  return NarrowIntegers::make(bytes, shape, bits, is_signed);
}

/// Returns halves of magnitudes from 2^-8 to 1, of both signs, the first of which are subnormal.
Tensor half_floats(const Shape& shape, std::size_t subnormals) {
  std::vector<std::uint16_t> halves(shape.elements());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const std::size_t magnitude = i < subnormals ? 1 + i % 1023 : 0x1c00 + i * 1187 % 0x2000;
    halves[i] = static_cast<std::uint16_t>(magnitude | (i % 3 == 0 ? 0x8000 : 0));
  }
  return HalfFloats::make(std::as_bytes(std::span(halves)), shape);
}

/// Compares an op on weights that stay packed, input `weights`, with the CPU's, and checks the bytes that are
/// uploaded for them.
void check_packed(Op op, const Tensors& inputs, AttrsView attrs, std::size_t weight_bytes,
                  std::size_t weights = 1) {
  Tensors moved;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    moved.push_back(i == weights ? inputs[i] : cases::to_device(inputs[i]));
  std::vector<const Tensor*> on_device;
  std::vector<const Tensor*> on_cpu;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    on_device.push_back(&moved[i]);
    on_cpu.push_back(&inputs[i]);
  }
  const std::size_t before = total_transfer_stats().bytes;
  const std::size_t fallbacks = fallback_count();
  const Tensor got = run(op, Inputs(on_device), attrs);
  CHECK(total_transfer_stats().bytes - before == weight_bytes);
  CHECK(fallback_count() == fallbacks);
  CHECK(inputs[weights].storage()->stays_packed());
  const BackendGuard cpu(cpu_backend());
  const std::string off = cases::difference(got, run(op, Inputs(on_cpu), attrs), kTolerance);
  INFO(off);
  CHECK(off.empty());
}

}  // namespace

TEST_CASE("Products with weights in blocks are computed for each class of devices", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const DeviceClass device_class = GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware);
  const ClassGuard guard(device_class);
  const auto zeros = GENERATE(Zeros::kNone, Zeros::kPacked, Zeros::kFloat);
  const auto [rows, columns, bits, block, depth] = GENERATE(table<int, int, int, int, int>(
      {{1, 70, 4, 32, 96}, {3, 5, 8, 16, 41}, {1, 9, 2, 128, 130}, {7, 23, 4, 16, 50}, {40, 68, 8, 32, 72}}));
  // A software renderer takes seconds to compile the tiles of a workgroup, which read zero points as the
  // others do.
  if (device_class == DeviceClass::kHardware && rows > 16 && zeros != Zeros::kPacked) return;
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
  const Graph graph = test::trace(
      x, [&](const Tensors& in) { return Tensors{multiply({in[0], inputs[1], inputs[2]}, attrs)}; });
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

TEST_CASE("Integers of 8 bits are uploaded and multiplied as they are stored", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const bool is_signed = GENERATE(false, true);
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  // Columns in whole vectors, and others.
  const int columns = GENERATE(28, 27);
  constexpr int kDepth = 45;
  const std::size_t bytes = (Shape{kDepth, columns}.elements() + 3) / 4 * 4;
  const Tensor b = narrow_integers({kDepth, columns}, is_signed);
  const Tensor zeros = spread_bytes({columns});
  SECTION("by integers") {
    const int rows = GENERATE(1, 5);
    check_packed(Op::mat_mul_integer, {spread_bytes({rows, kDepth}), b, spread_bytes({rows}), zeros}, {},
                 bytes);
  }
  SECTION("of several matrices, with zero points of the rows") {
    check_op(Op::mat_mul_integer,
             {spread_bytes({2, kDepth}), spread_bytes({3, kDepth, columns}), spread_bytes({2}), zeros}, {});
  }
  SECTION("by integers, where the transpose is stored") {
    const Tensor stored = narrow_integers({columns, kDepth}, is_signed);
    const Tensor transposed = NarrowIntegers::transpose(*NarrowIntegers::of(stored), {kDepth, columns});
    check_packed(Op::mat_mul_integer, {spread_bytes({5, kDepth}), transposed, spread_bytes({5}), zeros}, {},
                 bytes);
  }
  SECTION("by floats, which are quantized") {
    check_packed(
        Op::dynamic_quantize_mat_mul,
        {spread_values({5, kDepth}, 1), b, spread_values({columns}, 2), zeros, spread_values({columns}, 3)},
        {}, bytes);
  }
  SECTION("by windows of images") {
    const Shape filter{3, 3, 5, columns};
    const IntegerConvAttrs attrs = {.stride_w = 2, .padding = Padding::kSame, .low = -100, .high = 100};
    const Tensor x = spread_bytes({2, 7, 6, 5});
    check_packed(Op::conv2d_integer, {x, b.with_shape(filter)}, AttrsView(attrs), bytes);
    check_packed(Op::conv2d_integer,
                 {x, narrow_integers(filter, is_signed), zeros, spread_values({columns}, 4)},
                 AttrsView(attrs), bytes);
  }
}

TEST_CASE("Floats that are quantized give NaN if one is infinite or NaN", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const float value =
      GENERATE(std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
               std::numeric_limits<float>::quiet_NaN());
  const Tensor x = Tensor::from({1.0F, value, 2.0F, 3.0F}, {1, 4});
  check_op(Op::dynamic_quantize_mat_mul, {x, spread_bytes({4, 3}), Tensor::from({0.5F}, {1})}, {});
}

TEST_CASE("Weights in half precision are uploaded and multiplied as they are stored", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  const bool transposed = GENERATE(false, true);
  const auto [rows, depth, columns] =
      GENERATE(table<int, int, int>({{1, 36, 32}, {1, 128, 32}, {3, 45, 27}, {33, 36, 52}}));
  INFO(text(rows, " x ", depth, " x ", columns, transposed ? " transposed" : ""));
  const Shape shape = transposed ? Shape{columns, depth} : Shape{depth, columns};
  const MatMulAttrs attrs = {.transpose_b = transposed, .activation = Activation::kRelu};
  const Tensors inputs = {spread_values({rows, depth}, 1), half_floats(shape, 0),
                          spread_values({columns}, 2)};
  check_packed(Op::mat_mul, inputs, AttrsView(attrs), (shape.elements() + 1) / 2 * 4);
}

TEST_CASE("Many subnormal halves are multiplied as float32", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Shape shape{40, 36};
  check_packed(Op::mat_mul, {spread_values({3, 40}, 1), half_floats(shape, 1000)}, AttrsView(MatMulAttrs{}),
               shape.elements() * sizeof(float));
}

TEST_CASE("Rows of packed weights are gathered as they are stored", "[webgpu][gather]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const int width = GENERATE(20, 33);
  const Shape shape{70, width};
  const Tensor indices = Tensor::from<std::int32_t>({69, 0, 3, 3, 68}, {5});
  const GatherAttrs gather{.axis = 0};
  const AttrsView attrs(gather);
  const auto words = [&](int bits) {
    return (shape.elements() * static_cast<std::size_t>(bits) + 31) / 32 * sizeof(std::int32_t);
  };
  SECTION("integers") {
    const bool is_signed = GENERATE(false, true);
    const int bits = GENERATE(4, 8);
    check_packed(Op::gather, {narrow_integers(shape, is_signed, bits), indices}, attrs, words(bits), 0);
  }
  SECTION("halves") { check_packed(Op::gather, {half_floats(shape, 0), indices}, attrs, words(16), 0); }
}

}  // namespace tenure::webgpu
