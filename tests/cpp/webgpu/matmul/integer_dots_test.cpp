#include "webgpu/matmul/integer_dots.h"

#include <climits>
#include <span>
#include <string>
#include <vector>

#include "core/memory/narrow_integers.h"
#include "core/run/dispatch.h"
#include "core/run/kernel_observer.h"
#include "core/text.h"
#include "miss.h"
#include "ops/cases/device_checks.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {
namespace {

/// Dispatches of a product whose rows are packed, and of one whose rows are not.
constexpr std::uint32_t kPacked = 2;
constexpr std::uint32_t kUnpacked = 1;

/// Returns bytes that are stored: all of them `value`, or of all values if there is none.
Tensor stored_bytes(const Shape& shape, bool is_signed, std::optional<int> value = std::nullopt) {
  std::vector<std::byte> bytes(shape.elements());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(value.value_or(static_cast<int>(i * 61 % 256)));
  return NarrowIntegers::make(bytes, shape, 8, is_signed);
}

/// Returns bytes that are stored as the transpose, or in order.
Tensor stored_bytes_in(bool is_transposed, const Shape& shape, bool is_signed) {
  if (!is_transposed) return stored_bytes(shape, is_signed);
  const auto columns = shape.back();
  const auto depth = static_cast<std::int32_t>(shape.elements()) / columns;
  return NarrowIntegers::transpose(*NarrowIntegers::of(stored_bytes({columns, depth}, is_signed)), shape);
}

/// Returns int32 values from `low` on, at most 255 more.
Tensor integers(const Shape& shape, int low) {
  Tensor tensor({shape, DType::kInt32});
  auto* values = tensor.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < tensor.elements(); ++i) values[i] = low + static_cast<int>(i * 89 % 256);
  return tensor;
}

Tensor filled(const Shape& shape, int value) {
  Tensor tensor({shape, DType::kInt32});
  std::fill_n(tensor.mutable_data<std::int32_t>(), tensor.elements(), value);
  return tensor;
}

/// Returns the integers of a tensor that stores them in 8 bits.
Tensor unpacked(const Tensor& x) {
  const NarrowIntegers* narrow = NarrowIntegers::of(x);
  if (!narrow) return x;
  Tensor copy(x.spec());
  narrow->read(0, x.elements(), copy.mutable_data<std::int32_t>());
  return copy;
}

/// Compares an op on the device with the CPU's, exactly, with weights that stay packed, input 1. Checks its
/// dispatches.
void check_exact(Op op, const Tensors& inputs, AttrsView attrs, std::uint32_t dispatches) {
  Tensors moved;
  Tensors plain;
  for (const Tensor& input : inputs) plain.push_back(input ? unpacked(input) : input);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    moved.push_back(i == 1 || !inputs[i] ? inputs[i] : cases::to_device(inputs[i]));
  std::vector<const Tensor*> on_device;
  std::vector<const Tensor*> on_cpu;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    on_device.push_back(&moved[i]);
    on_cpu.push_back(&plain[i]);
  }
  const std::uint32_t before = dispatch_count();
  const Tensor got = run(op, Inputs(on_device), attrs);
  CHECK(dispatch_count() - before == dispatches);
  const BackendGuard cpu(cpu_backend());
  const std::string off = cases::difference(got, run(op, Inputs(on_cpu), attrs), 0);
  INFO(off);
  CHECK(off.empty());
}

void check_product(const Tensor& a, const Tensor& b, const Tensor& a_zero = {}, const Tensor& b_zero = {},
                   std::uint32_t dispatches = kPacked) {
  check_exact(Op::mat_mul_integer, {a, b, a_zero, b_zero}, {}, dispatches);
}

/// Requires a device with dot4I8Packed().
void require_packed_dot() {
  if (!context().limits().has_packed_dot) miss("the WebGPU device has no dot4I8Packed");
}

}  // namespace

TEST_CASE("Packed dot products of integers are exact", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  const bool is_signed = GENERATE(false, true);
  const bool is_transposed = GENERATE(false, true);
  const int rows = GENERATE(1, 7);
  // The last word of a row has from one to four elements.
  const int depth = GENERATE(4, 5, 6, 7, 45, 128);
  if (is_transposed && depth % 4 != 0) return;
  const int columns = is_transposed ? 27 : 28;
  INFO(text(rows, " x ", depth, " x ", columns, is_signed ? " signed" : "",
            is_transposed ? " transposed" : ""));
  const Tensor b = stored_bytes_in(is_transposed, {depth, columns}, is_signed);
  check_product(integers({rows, depth}, 0), b);
  check_product(integers({rows, depth}, -128), b, integers({rows}, -128),
                integers({columns}, is_signed ? -128 : 0));
}

TEST_CASE("Packed dot products have corrections at the ends of 8 bits", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  constexpr int kRows = 3;
  constexpr int kDepth = 43;
  constexpr int kColumns = 8;
  const bool is_signed = GENERATE(false, true);
  const int low = is_signed ? -128 : 0;
  const int a = GENERATE(-128, 0, 127, 255);
  const int b = GENERATE(0, 255) + low;
  for (const int a_zero : {-128, 127, 255}) {
    for (const int b_zero : {low, low + 255}) {
      INFO(text("(", a, " - ", a_zero, ") * (", b, " - ", b_zero, ")"));
      check_product(filled({kRows, kDepth}, a), stored_bytes({kDepth, kColumns}, is_signed, b),
                    filled({1}, a_zero), filled({1}, b_zero));
    }
  }
}

TEST_CASE("Rows of more than 8 bits are multiplied as they are", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  const int depth = GENERATE(20, 23);
  constexpr int kColumns = 12;
  Tensor a = integers({6, depth}, -100);
  auto* values = a.mutable_data<std::int32_t>();
  const auto set = [&](int row, int k, int value) { values[row * depth + k] = value; };
  // Row 1 spans 8 bits far from 0, row 2 one more, and row 4 all of int32, of which no sum is a limit.
  for (int k = 0; k < depth; ++k) {
    set(1, k, 100000 + k % 2 * 255);
    set(2, k, -7 + k % 2 * 256);
  }
  set(4, 3, INT_MIN);
  set(4, depth - 1, INT_MAX);
  set(5, depth - 1, 40000);
  // The CPU's kernel takes integers of 16 bits.
  const Tensor b = stored_bytes({depth, kColumns}, true);
  const Tensor zeros = integers({6}, -9);
  const Tensor b_zeros = integers({kColumns}, -128);
  const Tensor on_device = cases::to_device(a);
  const Tensor got = run(Op::mat_mul_integer, {&on_device, &b, &zeros, &b_zeros}, {});
  std::vector<double> expected;
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      std::uint32_t sum = 0;
      for (int k = 0; k < depth; ++k) {
        const int byte = (k * kColumns + column) * 61 % 256;
        const int weight = byte < 128 ? byte : byte - 256;
        const int b_zero = -128 + column * 89 % 256;
        sum += (static_cast<std::uint32_t>(values[row * depth + k]) -
                static_cast<std::uint32_t>(-9 + row * 89 % 256)) *
               static_cast<std::uint32_t>(weight - b_zero);
      }
      expected.push_back(static_cast<std::int32_t>(sum));
    }
  }
  const std::string off = cases::difference(got, expected, 0);
  INFO(off);
  CHECK(off.empty());
}

TEST_CASE("Packed dot products of batches, of many rows and of long rows are exact",
          "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  const auto [batch, rows, depth, columns] = GENERATE(
      table<int, int, int, int>({{2, 3, 52, 20}, {1, 130, 68, 36}, {1, 1, 1500, 16}, {1, 1, 259, 4}}));
  INFO(text(batch, " x ", rows, " x ", depth, " x ", columns));
  const Tensor b = stored_bytes({depth, columns}, true);
  check_product(integers({batch, rows, depth}, 0), b, filled({1}, 131), integers({columns}, -128));
  check_product(integers({batch * rows, depth}, 0), b);
}

TEST_CASE("Floats are quantized to the bytes of packed dot products", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const ClassGuard guard(GENERATE(DeviceClass::kSoftware, DeviceClass::kHardware));
  const int depth = GENERATE(36, 39);
  const Tensor b = stored_bytes({depth, 12}, GENERATE(false, true));
  const Tensors inputs = {spread_values({5, depth}, 1), b, spread_values({12}, 2), integers({12}, -128),
                          spread_values({12}, 3)};
  const Tensor x = cases::to_device(inputs[0]);
  const Tensor got =
      run(Op::dynamic_quantize_mat_mul, {&x, &inputs[1], &inputs[2], &inputs[3], &inputs[4]}, {});
  CHECK(got.storage()->only_on_device());
  const BackendGuard cpu(cpu_backend());
  const Tensor expected =
      run(Op::dynamic_quantize_mat_mul, {&inputs[0], &inputs[1], &inputs[2], &inputs[3], &inputs[4]}, {});
  const std::string off = cases::difference(got, expected, 1e-5);
  INFO(off);
  CHECK(off.empty());
}

TEST_CASE("Packed dot products of windows are exact", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  require_packed_dot();
  const cases::AllOnDevice device;
  const bool is_hardware = GENERATE(false, true);
  const ClassGuard guard(is_hardware ? DeviceClass::kHardware : DeviceClass::kSoftware);
  struct Convolution {
    Shape x;
    Shape filter;
    IntegerConvAttrs attrs;
  };
  const Convolution convolutions[] = {
      {{2, 7, 6, 5}, {3, 3, 5, 12}, {.stride_w = 2, .padding = Padding::kSame}},
      {{1, 4, 5, 24}, {1, 1, 24, 16}, {}},
      {{3, 9, 8, 8},
       {3, 2, 8, 20},
       {.dilation_h = 2,
        .dilation_w = 3,
        .padding = Padding::kExplicit,
        .pad_top = 2,
        .pad_bottom = 1,
        .pad_left = 3}},
      {{1, 6, 6, 16}, {1, 1, 16, 8}, {.stride_h = 2, .stride_w = 2}},
  };
  for (const auto& [x_shape, filter_shape, attrs] : convolutions) {
    for (const bool is_signed : {false, true}) {
      for (const bool is_transposed : {false, true}) {
        const bool can_be_transposed = filter_shape[2] % 4 == 0;
        if (is_transposed && !can_be_transposed) continue;
        // A software renderer takes seconds to compile each kernel with a barrier.
        if (is_hardware && (can_be_transposed || !is_signed)) continue;
        const Tensor filter = stored_bytes_in(is_transposed, filter_shape, is_signed);
        const std::int32_t columns = filter_shape.back();
        INFO(text(x_shape, filter_shape, is_signed ? " signed" : "", is_transposed ? " transposed" : ""));
        Tensor x = integers(x_shape, -131);
        check_exact(Op::conv2d_integer, {x, filter}, AttrsView(attrs), kPacked);
        // A pixel of 16 bits.
        x.mutable_data<std::int32_t>()[x_shape.back() + 1] = -3000;
        check_exact(Op::conv2d_integer, {x, filter, integers({columns}, 70000)}, AttrsView(attrs), kPacked);
        IntegerConvAttrs scaled = attrs;
        scaled.low = -100;
        scaled.high = 120;
        Tensor wholes({x_shape, DType::kFloat32});
        for (std::size_t i = 0; i < x.elements(); ++i)
          wholes.mutable_data<float>()[i] = static_cast<float>(x.data<std::int32_t>()[i]);
        check_exact(Op::conv2d_integer, {wholes, filter, integers({1}, 500), Tensor::from({0.001F}, {1})},
                    AttrsView(scaled), kPacked);
      }
    }
  }
}

TEST_CASE("Products of other forms have no packed dot products", "[webgpu][product][packed_dot]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  const Tensor a = integers({5, 24}, -128);
  // Columns that are no whole words, weights of 32 bits, short rows, and a batch of matrices.
  check_product(a, stored_bytes({24, 6}, true), {}, {}, kUnpacked);
  check_product(a, integers({24, 8}, -128), {}, {}, kUnpacked);
  check_product(integers({5, 3}, -128), stored_bytes({3, 8}, true), {}, {}, kUnpacked);
  check_product(integers({2, 5, 24}, -128), stored_bytes({2, 24, 8}, true), {}, {}, kUnpacked);
  // The transpose, with rows that are no whole words.
  check_product(integers({5, 23}, -128), stored_bytes_in(true, {23, 8}, true), {}, {}, kUnpacked);
  SECTION("a filter for each channel") {
    check_exact(Op::conv2d_integer, {integers({1, 5, 5, 8}, -128), stored_bytes({3, 3, 1, 8}, true)},
                AttrsView(IntegerConvAttrs{}), kUnpacked);
  }
  SECTION("a device without them") {
    allow_packed_dot(false);
    check_product(a, stored_bytes({24, 8}, true), {}, {}, kUnpacked);
    allow_packed_dot(true);
  }
}

}  // namespace tenure::webgpu
