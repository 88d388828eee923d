#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "import/onnx/integers.h"
#include "import/onnx/load.h"
#include "import/onnx/protobuf.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {
namespace {

using namespace tenure::test;
using enum IntegerArithmetic;
using Catch::Matchers::ContainsSubstring;

constexpr std::int32_t kEdges[] = {kMin,  kMin + 1, -65537, -65536, -46341,  -3,       -2,
                                   -1,    0,        1,      2,      3,       31,       46340,
                                   46341, 65535,    65536,  65537,  1 << 30, kMax - 1, kMax};

Tensor vector(const std::vector<std::int32_t>& values) {
  return ints({static_cast<std::int32_t>(values.size())}, values);
}

/// Returns the results of an op on inputs of the device or the CPU; nullopt for an error.
std::optional<std::vector<std::int32_t>> compute(IntegerArithmetic op, const Tensors& inputs,
                                                 bool on_device) {
  std::vector<const Tensor*> pointers;
  const Tensors moved = on_device ? cases::to_device(inputs) : inputs;
  for (const Tensor& input : moved) pointers.push_back(&input);
  const CheckedArithmeticAttrs attrs = {.op = op};
  try {
    const Tensor y =
        run(Op::checked_arithmetic, Inputs(std::span<const Tensor* const>(pointers)), AttrsView(attrs));
    CHECK(y.storage()->only_on_device() == on_device);
    const auto values = y.values<std::int32_t>();
    return std::vector(values.begin(), values.end());
  } catch (const Error& error) {
    CHECK_THAT(error.what(),
               ContainsSubstring(op == kIndex ? " is out of bounds"
                                              : "integers are computed as int32, which cannot hold "));
    return std::nullopt;
  }
}

void check_alike(IntegerArithmetic op, const Tensors& inputs) {
  const auto expected = compute(op, inputs, false);
  const auto found = compute(op, inputs, true);
  if (found != expected) {
    std::string words =
        text("op ", static_cast<int>(op), ", ", expected ? "expected a result" : "expected an error");
    for (const Tensor& input : inputs) {
      words += text("; ", input.shape(), ":");
      for (std::size_t i = 0; i < std::min<std::size_t>(input.elements(), 8); ++i)
        words += text(" ", input.data<std::int32_t>()[i]);
    }
    FAIL_CHECK(words);
  }
}

Tensor sum_on_device(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y) {
  return checked_arithmetic(cases::to_device(vector(x)), vector(y), {.op = kAdd});
}

void wait(const Tensor& x) {
  while (!x.storage()->is_read_ready()) {
  }
}

constexpr auto kSumError =
    "integers are computed as int32, which cannot hold a sum that the GPU computed before this read";

}  // namespace

TEST_CASE("Checked arithmetic of two numbers gives on WebGPU what it gives on the CPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  for (const auto op : {kAdd, kSubtract, kMultiply, kDivide, kPower}) {
    // Pairs with an exact result are computed together, the others one by one.
    std::vector<std::int32_t> exact_x;
    std::vector<std::int32_t> exact_y;
    int errors = 0;
    for (const std::int32_t a : kEdges) {
      for (const std::int32_t b : kEdges) {
        if (compute(op, {vector({a}), vector({b})}, false)) {
          exact_x.push_back(a);
          exact_y.push_back(b);
        } else {
          ++errors;
          CAPTURE(a, b, static_cast<int>(op));
          CHECK_FALSE(compute(op, {vector({1, a}), vector({1, b})}, true));
        }
      }
    }
    CHECK(errors > 0);
    CHECK(exact_x.size() > 20);
    check_alike(op, {vector(exact_x), vector(exact_y)});
  }
  check_alike(kMultiply, {ints({2, 3}, {1, -2, 3, 4, 5, 6}), ints({}, {-7})});
  check_alike(kSubtract, {ints({1}, {kMax}), ints({2, 2}, {1, 2, 3, 0})});
}

TEST_CASE("Checked sums and products give on WebGPU what they give on the CPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  std::mt19937 random(7);
  const auto pick = [&](std::uint32_t count) { return static_cast<std::int32_t>(random() % count); };
  const auto check_rows = [&](std::int32_t rows, std::int32_t extent,
                              const std::vector<std::int32_t>& values) {
    const Tensor x = ints({rows, extent}, values);
    for (const auto op : {kSum, kProduct, kCumulativeSum, kCumulativeProduct}) check_alike(op, {x});
  };
  // Sums and products that are beyond int32 on the way, and come back or stay beyond.
  for (const std::vector<std::int32_t>& row :
       std::vector<std::vector<std::int32_t>>{{kMax, 1, -1},
                                              {kMax, kMax, kMin, kMin},
                                              {kMin, -1},
                                              {kMin, -1, -1},
                                              {65536, 32768, -1},
                                              {65536, 65536, 0},
                                              {65536, 65535, 1},
                                              {65537, 65535, -1},
                                              {kMin, kMin, kMin, kMin},
                                              {1, 1, 1},
                                              {kMin},
                                              {kMax},
                                              {-46341, 46341},
                                              {3, 5, 17, 257, 65537, 0, 7}})
    check_rows(1, static_cast<std::int32_t>(row.size()), row);
  for (const std::int32_t extent : {1, 2, 63, 64, 65, 130, 1000}) {
    for (const std::int32_t range : {2, 3, 70000, kMax}) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(3 * extent));
      for (std::int32_t& value : values) value = pick(static_cast<std::uint32_t>(range)) - range / 2;
      check_rows(3, extent, values);
      std::fill(values.begin(), values.end(), range);
      check_rows(3, extent, values);
    }
  }
}

TEST_CASE("Checked sums of products give on WebGPU what they give on the CPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  check_alike(kDotProducts, {ints({1, 4}, {kMin, kMin, kMin, kMin}), ints({1, 4}, {kMin, kMin, kMin, kMin})});
  // 2^62 and its negative, 2^31 beside others that end below and above.
  check_alike(kDotProducts, {ints({1, 4}, {kMin, kMin, 1, 3}), ints({1, 4}, {kMin, kMax, kMin, -5})});
  check_alike(kDotProducts, {ints({1, 4}, {kMin, kMin, kMin, 2}), ints({1, 4}, {kMax, kMin, -1, 7})});
  check_alike(kDotProducts, {ints({1, 2}, {kMin, 1}), ints({1, 2}, {-1, -1})});
  check_alike(kDotProducts, {ints({1, 2}, {kMin, 1}), ints({1, 2}, {1, -1})});
  check_alike(kDotProducts, {ints({1, 1}, {kMin}), ints({1, 1}, {-1})});
  std::mt19937 random(3);
  for (const std::int32_t range : {100, 20000, 2000000}) {
    std::vector<std::int32_t> x(2 * 3 * 5);
    std::vector<std::int32_t> y(2 * 4 * 5);
    for (auto* values : {&x, &y}) {
      for (std::int32_t& value : *values)
        value = static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(range)) - range / 2;
    }
    check_alike(kDotProducts, {ints({2, 3, 5}, x), ints({2, 4, 5}, y)});
  }
}

TEST_CASE("Floats are truncated on WebGPU as on the CPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float below = std::nextafter(0x1p31F, 0.0F);
  const Tensor within = floats({0, -0.0F, 1.9F, -1.9F, below, -below, -0x1p31F, kInfinity, -kInfinity,
                                std::nanf(""), -std::nanf(""), 1e-40F, 16777218});
  CHECK(compute(kTruncate, {within}, true) == compute(kTruncate, {within}, false));
  CHECK(compute(kTruncate, {within}, true));
  for (const float beyond : {0x1p31F, std::nextafter(-0x1p31F, -kInfinity), 3e38F, -3e38F}) {
    CHECK_FALSE(compute(kTruncate, {floats({1, beyond})}, false));
    CHECK_FALSE(compute(kTruncate, {floats({1, beyond})}, true));
  }
}

TEST_CASE("Unsigned integers and indices are checked on WebGPU as on the CPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  for (const auto op : {kUint32, kUint64}) {
    check_alike(op, {vector({0, 1, kMax})});
    check_alike(op, {vector({0, 1, -1})});
    check_alike(op, {vector({kMin})});
  }
  check_alike(kIndex, {ints({3, 2}, {0, 4, -3, -5, 2, -1}), vector({3, 5})});
  check_alike(kIndex, {ints({2, 2}, {0, 5, -3, -5}), vector({3, 5})});
  check_alike(kIndex, {ints({2, 2}, {0, 4, -4, -5}), vector({3, 5})});
  check_alike(kIndex, {ints({}, {-7}), vector({7})});
  for (const std::int32_t index : {7, -8, kMin, kMax})
    check_alike(kIndex, {vector({1, index, 3}), vector({7})});
  const Tensor outside =
      checked_arithmetic(cases::to_device(vector({3, 7})), vector({7}), {.op = kIndex, .axis = 2});
  CHECK_THROWS_WITH(
      outside.data<std::int32_t>(),
      "an index that the GPU computed before this read is out of bounds: from axis 2 on, extents are [7]");
}

TEST_CASE("Checked arithmetic on values of the CPU runs there, whatever its size", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor x = ints({2, 5000}, std::vector<std::int32_t>(10000, kMax));
  const Tensor y = checked_arithmetic(x, ints({1}, {-1}), {.op = kAdd});
  CHECK(y.storage()->on_cpu());
  CHECK_THROWS_WITH(checked_arithmetic(x, ints({1}, {2}), {.op = kAdd}), ContainsSubstring("2147483647 + 2"));
}

TEST_CASE("The next read reports an overflow on WebGPU once", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor beyond = sum_on_device({1, kMax}, {1, 1});
  const Tensor later = sum_on_device({1, kMax}, {1, 0});
  SECTION("synchronous") {
    CHECK_THROWS_WITH(later.data<std::int32_t>(), kSumError);
    CHECK(later.data<std::int32_t>()[1] == kMax);
  }
  SECTION("asynchronous") {
    later.storage()->start_read();
    // Dispatches after the start of a read are reported by the next.
    const Tensor other = checked_arithmetic(cases::to_device(vector({kMin})), {.op = kProduct});
    const Tensor last = checked_arithmetic(cases::to_device(vector({kMin})), vector({-1}), {.op = kMultiply});
    wait(later);
    CHECK_THROWS_WITH(later.data<std::int32_t>(), kSumError);
    last.storage()->start_read();
    wait(last);
    CHECK_THROWS_WITH(last.data<std::int32_t>(), ContainsSubstring("a product that the GPU"));
    CHECK(other.data<std::int32_t>()[0] == kMin);
  }
  SECTION("of a tensor that has nothing to do with it") {
    const Tensor other = cases::to_device(vector({5}));
    CHECK_THROWS_WITH(other.data<std::int32_t>(), kSumError);
    CHECK(other.data<std::int32_t>()[0] == 5);
  }
  // Work goes on.
  CHECK(sum_on_device({1}, {2}).data<std::int32_t>()[0] == 3);
  later.storage()->start_read();
  wait(later);
  CHECK(later.data<std::int32_t>()[1] == kMax);
}

TEST_CASE("Reads that are in flight at the same time all report an overflow on WebGPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor beyond = sum_on_device({1, kMax}, {1, 1});
  const Tensor doubled = add(beyond, beyond);
  beyond.storage()->start_read();
  doubled.storage()->start_read();
  wait(beyond);
  wait(doubled);
  CHECK_THROWS_WITH(beyond.data<std::int32_t>(), kSumError);
  // Another reader of the same tensor.
  CHECK_THROWS_WITH(beyond.data<std::int32_t>(), kSumError);
  CHECK_THROWS_WITH(doubled.data<std::int32_t>(), kSumError);
  for (const Tensor& x : {beyond, doubled}) {
    x.storage()->start_read();
    wait(x);
    CHECK(x.data<std::int32_t>()[0] == (x.storage() == beyond.storage() ? 2 : 4));
  }
}

TEST_CASE("An overflow whose read was given up is left to the next read on WebGPU", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  sum_on_device({1, kMax}, {1, 1}).storage()->start_read();
  const Tensor other = cases::to_device(vector({1}));
  if (GENERATE(false, true)) {
    other.storage()->start_read();
    wait(other);
  }
  CHECK_THROWS_WITH(other.data<std::int32_t>(), kSumError);
}

TEST_CASE("An overflow on WebGPU is forgotten with its device", "[webgpu][checked]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const bool is_reading = GENERATE(false, true);
  {
    const Tensor beyond = sum_on_device({1, kMax}, {1, 1});
    if (is_reading) beyond.storage()->start_read();
    Context::current()->lose({"a test"});
    CHECK(beyond.storage()->is_read_ready());
    CHECK_THROWS_WITH(beyond.data<std::int32_t>(), ContainsSubstring("lost"));
  }
  REQUIRE(Context::start());
  CHECK(sum_on_device({1}, {2}).data<std::int32_t>()[0] == 3);
}

TEST_CASE("The node that overflowed on WebGPU is named", "[webgpu][checked][onnx]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  using namespace proto;
  const std::string nodes = node("Mul", {"a", "b"}, {"m"}) + node("Add", {"m", "b"}, {"y"}) +
                            output(bytes(1, "y")) + input(value("a", kInt64, {}, false)) +
                            input(value("b", kInt64, {}, false));
  GraphModel model = onnx::load_model(as_bytes(proto::model(nodes, 18)));
  const int program = model.compile(std::vector<std::string>{"a", "b"}, std::vector<std::string>{"y"});
  // The first run has no plan.
  for (int i = 0; i < 3; ++i) {
    const auto run = [&](std::int32_t a) {
      return model.run(program, cases::to_device({vector({a, 2}), vector({3, 4})}))[0];
    };
    CHECK(run(5).data<std::int32_t>()[0] == 18);
    CHECK_THROWS_WITH(run(kMax).data<std::int32_t>(),
                      ContainsSubstring("a product") && ContainsSubstring("\"m\""));
    CHECK(run(-5).data<std::int32_t>()[0] == -12);
  }
}

}  // namespace tenure::webgpu
