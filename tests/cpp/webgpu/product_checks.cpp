#include "webgpu/product_checks.h"

#include <cmath>
#include <string>

#include "core/run/dispatch.h"
#include "core/run/kernel_observer.h"
#include "model/plan/plan.h"
#include "model/trace.h"
#include "ops/cases/case.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {
namespace {

// Kernels sum products in different orders.
constexpr double kTolerance = 1e-4;

}  // namespace

Tensor spread_values(const Shape& shape, int seed) {
  Tensor tensor({shape, DType::kFloat32});
  auto* values = tensor.mutable_data<float>();
  for (std::size_t i = 0; i < tensor.elements(); ++i)
    values[i] = std::sin(static_cast<float>(i * 7 + static_cast<std::size_t>(seed) * 131));
  return tensor;
}

void check_op(Op op, const Tensors& inputs, AttrsView attrs) {
  const Tensors moved = cases::to_device(inputs);
  std::vector<const Tensor*> on_device;
  std::vector<const Tensor*> on_cpu;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    on_device.push_back(&moved[i]);
    on_cpu.push_back(&inputs[i]);
  }
  const Tensor got = run(op, Inputs(on_device), attrs);
  CHECK(got.storage()->only_on_device());
  const BackendGuard cpu(cpu_backend());
  const std::string off = cases::difference(got, run(op, Inputs(on_cpu), attrs), kTolerance);
  INFO(off);
  CHECK(off.empty());
}

std::uint32_t count_fused_conv_dispatches(const Shape& out, int stride) {
  constexpr std::int32_t kColumns = 32;
  const Tensors inputs = {spread_values({out[0], out[1] * stride, out[2] * stride, out[3]}, 1),
                          spread_values({3, 3, out[3], kColumns}, 2),
                          spread_values({out[0], out[1], out[2], kColumns}, 3), spread_values({kColumns}, 4)};
  const Graph graph = test::trace(inputs, [=](const Tensors& in) {
    const ConvAttrs attrs = {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame};
    const Tensor y = run(Op::conv2d, {&in[0], &in[1]}, AttrsView(attrs));
    return Tensors{tanh(mul(add(y, in[2]), in[3]))};
  });
  Plan plan(graph);
  Plan on_cpu(graph, cpu_backend());
  const std::uint32_t dispatches = dispatch_count();
  const Tensor got = plan.run(inputs)[0];
  const std::uint32_t count = dispatch_count() - dispatches;
  CHECK(cases::difference(got, on_cpu.run(inputs)[0], kTolerance).empty());
  return count;
}

}  // namespace tenure::webgpu
