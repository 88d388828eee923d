// Integer convolutions of ONNX models on WebGPU.

#include <algorithm>
#include <string>

#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "core/run/kernel_observer.h"
#include "import/onnx/load.h"
#include "import/onnx/protobuf.h"
#include "miss.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/fixture.h"
#include "webgpu/matmul/integer_dots.h"

using namespace tenure::test::proto;

namespace tenure::webgpu {
namespace {

constexpr std::int32_t kChannels = 32;
constexpr std::int32_t kFilters = 64;
constexpr std::int32_t kSize = 5;

std::string initializer(std::string_view tensor) { return bytes(5, tensor); }

std::string some_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 37 + i / 11);
  return bytes;
}

std::string floats(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += raw({0.01F + static_cast<float>(i % 5) * 0.001F});
  return bytes;
}

/// A model with one convolution of x by 8-bit weights.
struct Model {
  std::string name;
  std::string nodes;
  /// Type and zero point of the weights.
  int type = kInt8;
  int zero = 0;
  /// Type of the output.
  int out = kInt32;
  std::int32_t window = 3;

  bool takes_floats() const { return out == kFloat; }

  std::size_t weights() const {
    return static_cast<std::size_t>(kFilters) * kChannels * static_cast<std::size_t>(window * window);
  }
  std::string file() const {
    const std::string zeros(kFilters, static_cast<char>(zero));
    return model(
        nodes + input(value("x", takes_floats() ? kFloat : kUint8, {1, kChannels, kSize, kSize})) +
        output(value("y", out, {}, false)) +
        initializer(tensor("w", type, {kFilters, kChannels, window, window}, some_bytes(weights()))) +
        initializer(tensor("wz", type, {kFilters}, zeros)) +
        initializer(tensor("ws", kFloat, {kFilters}, floats(kFilters))) +
        initializer(tensor("z", kUint8, {}, raw<std::uint8_t>({120}))) +
        initializer(tensor("s", kFloat, {}, raw({0.03F}))) +
        initializer(tensor("ys", kFloat, {}, raw({9.0F}))));
  }
};

const std::string kConvInteger = node("ConvInteger", {"x", "w", "z", "wz"}, {"y"});
const std::string kQLinearConv = node("QLinearConv", {"x", "s", "z", "w", "ws", "wz", "ys", "z"}, {"y"});
const std::string kQdq = node("QuantizeLinear", {"x", "s", "z"}, {"q"}) +
                         node("DequantizeLinear", {"q", "s", "z"}, {"a"}) +
                         node("DequantizeLinear", {"w", "ws", "wz"}, {"b"}, int_attribute("axis", 0)) +
                         node("Conv", {"a", "b"}, {"y"});

Tensor make_x(bool is_float) {
  Tensor x({{1, kChannels, kSize, kSize}, DType::kInt32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 91 % 256);
  return is_float ? mul(sub(cast(x, {DType::kFloat32}), Tensor::scalar(120.0F)), Tensor::scalar(0.03F)) : x;
}

Tensor run(GraphModel& model, int program, const Tensor& x) {
  return model.run(program, std::span(&x, 1))[0];
}

int compile(GraphModel& model) {
  const std::vector<std::string> inputs = {"x"};
  const std::vector<std::string> outputs = {"y"};
  return model.compile(inputs, outputs);
}

/// Returns the dispatches of the second run of a model.
std::uint32_t count_dispatches(const std::string& file, const Tensor& x) {
  GraphModel model = onnx::load_model(as_bytes(file), {});
  const int program = compile(model);
  run(model, program, x);
  const std::uint32_t before = dispatch_count();
  run(model, program, x);
  return dispatch_count() - before;
}

}  // namespace

TEST_CASE("Integer convolutions of ONNX models multiply bytes as they are stored",
          "[webgpu][product][packed_dot][onnx]") {
  const WebGpuFixture gpu;
  if (!context().limits().has_packed_dot) return miss("the WebGPU device has no dot4I8Packed");
  const cases::AllOnDevice device;
  const Model model = GENERATE(Model{"ConvInteger", kConvInteger},
                               Model{"ConvInteger of one pixel", kConvInteger, kInt8, 0, kInt32, 1},
                               Model{"ConvInteger of uint8", kConvInteger, kUint8, 128},
                               Model{"ConvInteger of 9 bits", kConvInteger, kUint8, 100},
                               Model{"QLinearConv", kQLinearConv, kInt8, 0, kUint8},
                               Model{"QLinearConv of uint8", kQLinearConv, kUint8, 128, kUint8},
                               Model{"Conv of dequantized values", kQdq, kInt8, 0, kFloat});
  INFO(model.name);
  const std::string file = model.file();
  const Tensor x = make_x(model.takes_floats());
  const Tensor expected = [&] {
    const BackendGuard on_cpu(cpu_backend());
    GraphModel own = onnx::load_model(as_bytes(file), {});
    return run(own, compile(own), x);
  }();
  static_cast<void>(expected.data<std::byte>());
  {
    const std::size_t before = allocator_stats().live;
    GraphModel own = onnx::load_model(as_bytes(file), {});
    const int program = compile(own);
    const Tensor got = run(own, program, x);
    // The stored bytes, and those of the filter unless it shares them.
    const std::size_t copies = model.window == 1 ? 1 : 2;
    CHECK(allocator_stats().live - before < copies * model.weights() + model.weights() / 2 + (16 << 10));
    // The filter, which has at most an eighth more room, and the images.
    CHECK(context().buffers().stats().used_bytes < model.weights() * 5 / 4 + 16 * x.bytes());
    const std::string off = cases::difference(got, expected, model.takes_floats() ? 1e-4 : 0);
    INFO(off);
    CHECK(off.empty());
  }
  allow_packed_dot(false);
  const std::uint32_t elementwise = count_dispatches(file, x);
  allow_packed_dot(true);
  // The rows are packed by one dispatch more.
  CHECK(count_dispatches(file, x) == elementwise + 1);
}

}  // namespace tenure::webgpu
