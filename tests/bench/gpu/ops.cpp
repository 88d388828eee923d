#include "ops/ops.h"

#include <functional>
#include <limits>
#include <vector>

#include "core/run/dispatch.h"
#include "report.h"
#include "sections.h"

namespace tenure::bench {
namespace {

using Run = std::function<Tensor(const Tensors&)>;

struct Workload {
  const char* family;
  std::string name;
  std::vector<Shape> inputs;
  /// Multiplications and additions of a call; 0 if not counted.
  double flops;
  Run run;
};

double product_of(const Shape& shape) { return static_cast<double>(shape.elements()); }

Workload elementwise(const char* name, int operands, std::size_t elements, Run run) {
  const auto side = static_cast<std::int32_t>(elements >> 10);
  return {"elementwise", name, std::vector<Shape>(static_cast<std::size_t>(operands), Shape{side, 1024}), 0,
          std::move(run)};
}

Workload matmul(int rows, int depth, int columns) {
  return {"matmul",
          text("matmul ", rows, "x", depth, "x", columns),
          {{rows, depth}, {depth, columns}},
          2.0 * rows * depth * columns,
          [](const Tensors& in) { return mat_mul(in[0], in[1]); }};
}

Workload conv(int size, int channels, int filters, int kernel, int stride) {
  const int out = (size + stride - 1) / stride;
  return {"conv",
          text("conv ", kernel, "x", kernel, stride > 1 ? text(" s", stride) : "", " ", size, "x", size, "x",
               channels, "->", filters),
          {{1, size, size, channels}, {kernel, kernel, channels, filters}},
          2.0 * out * out * filters * kernel * kernel * channels,
          [stride](const Tensors& in) {
            return conv2d(in[0], in[1], {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame});
          }};
}

Workload depthwise(int size, int channels, int kernel, int stride) {
  const int out = (size + stride - 1) / stride;
  return {"depthwise",
          text("depthwise ", kernel, "x", kernel, stride > 1 ? text(" s", stride) : "", " ", size, "x", size,
               "x", channels),
          {{1, size, size, channels}, {kernel, kernel, channels, 1}},
          2.0 * out * out * channels * kernel * kernel,
          [stride](const Tensors& in) {
            return depthwise_conv2d(in[0], in[1],
                                    {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame});
          }};
}

Workload move(const char* family, const char* name, const Shape& shape, Run run) {
  return {family, name, {shape}, 0, std::move(run)};
}

std::vector<Workload> elementwise_workloads() {
  constexpr std::size_t kLargeElements = std::size_t{1} << 22;
  constexpr std::size_t kSome = std::size_t{1} << 20;
  return {
      elementwise("add 4M", 2, kLargeElements, [](const Tensors& in) { return add(in[0], in[1]); }),
      elementwise("relu 4M", 1, kLargeElements, [](const Tensors& in) { return relu(in[0]); }),
      elementwise("multiply 4M by 2", 1, kLargeElements,
                  [](const Tensors& in) { return mul(in[0], Tensor::scalar(2.0F)); }),
      elementwise("sigmoid 1M", 1, kSome, [](const Tensors& in) { return sigmoid(in[0]); }),
      elementwise("exp 1M", 1, kSome, [](const Tensors& in) { return exp(in[0]); }),
      elementwise("x * y + x, relu, sub: 1M", 2, kSome,
                  [](const Tensors& in) { return sub(relu(add(mul(in[0], in[1]), in[0])), in[1]); }),
      elementwise("add 4K", 2, 4096, [](const Tensors& in) { return add(in[0], in[1]); }),
  };
}

std::vector<Workload> product_workloads() {
  return {
      matmul(256, 256, 256),    matmul(512, 512, 512),    matmul(1024, 1024, 1024), matmul(2048, 2048, 2048),
      matmul(4096, 4096, 4096), matmul(1, 1024, 1024),    matmul(16, 1024, 1024),   conv(56, 64, 64, 3, 1),
      conv(28, 128, 128, 3, 1), conv(14, 256, 256, 3, 1), conv(28, 256, 256, 1, 1), conv(14, 512, 512, 1, 1),
      conv(224, 3, 32, 3, 2),   conv(56, 64, 128, 3, 2),  depthwise(112, 64, 3, 1), depthwise(56, 128, 3, 2),
      depthwise(14, 512, 3, 1), depthwise(28, 240, 5, 1),
  };
}

Tensor scale_and_shift(const Tensors& in) {
  const Tensor one = Tensor::from({1.0F}, {1});
  const Tensor each = tile(one, {.reps = {64}});
  return batch_norm(in[0], each, each, each, each);
}

std::vector<Workload> movement_workloads() {
  const Shape square{2048, 2048};
  const Shape image{1, 112, 112, 64};
  return {
      move("reduction", "sum axis 0 of 2048x2048", square,
           [](const Tensors& in) { return sum(in[0], {.axes = {0}}); }),
      move("reduction", "sum axis 1 of 2048x2048", square,
           [](const Tensors& in) { return sum(in[0], {.axes = {1}}); }),
      move("reduction", "sum of 2048x2048", square,
           [](const Tensors& in) { return sum(in[0], {.axes = {0, 1}}); }),
      move("reduction", "argMax axis 1 of 2048x2048", square,
           [](const Tensors& in) { return arg_max(in[0], {.axis = 1}); }),
      move("transpose", "transpose 2048x2048", square,
           [](const Tensors& in) { return transpose(in[0], {.perm = {1, 0}}); }),
      move("transpose", "transpose 1x112x112x64 to channels first", image,
           [](const Tensors& in) { return transpose(in[0], {.perm = {0, 3, 1, 2}}); }),
      move("softmax", "softmax 1024x1000", {1024, 1000}, [](const Tensors& in) { return softmax(in[0]); }),
      move("pool", "max pool 3x3 s2 112x112x64", image,
           [](const Tensors& in) {
             return max_pool(
                 in[0],
                 {.window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
           }),
      move("image", "resize bilinear 112x112x64 to 224x224", image,
           [](const Tensors& in) { return resize_bilinear(in[0], {.height = 224, .width = 224}); }),
      move("normalization", "batch norm 112x112x64", image, scale_and_shift),
      move("movement", "slice 1024x1024 of 2048x2048", square,
           [](const Tensors& in) { return slice(in[0], {.begin = {512, 512}, .size = {1024, 1024}}); }),
      move("movement", "pad 112x112x64 by 1", image,
           [](const Tensors& in) { return pad(in[0], {.before = {0, 1, 1, 0}, .after = {0, 1, 1, 0}}); }),
  };
}

struct Timed {
  double milliseconds = 0;
  double bytes = 0;  ///< of inputs and output
  bool on_device = false;
};

Timed time_workload(const Effort& effort, const Workload& workload, const Tensors& inputs) {
  Timed result;
  for (const Tensor& x : inputs) result.bytes += static_cast<double>(x.bytes());
  const Tensor first = workload.run(inputs);
  result.bytes += static_cast<double>(first.bytes());
  result.on_device = first.storage()->only_on_device();
  result.milliseconds = time_on_device(effort, [&] { settle(workload.run(inputs)); });
  return result;
}

void report_workload(const Effort& effort, const Workload& workload) {
  Tensors here;
  Tensors there;
  for (std::size_t i = 0; i < workload.inputs.size(); ++i) {
    here.push_back(values(workload.inputs[i], static_cast<std::uint32_t>(i) + 1));
    there.push_back(device_values(workload.inputs[i], static_cast<std::uint32_t>(i) + 1));
  }
  const Timed device = time_workload(effort, workload, there);
  const BackendGuard on_cpu(cpu_backend());
  const double alone = time_workload(effort, workload, here).milliseconds;
  use_threads(all_threads());
  const double together = all_threads() > 1 ? time_workload(effort, workload, here).milliseconds : alone;
  use_threads(1);
  Row row("op");
  row.set("family", workload.family)
      .set("name", workload.name)
      .set("on_device", device.on_device)
      .set("device_ms", device.milliseconds)
      .set("cpu_ms", alone)
      .set("cpu_threads_ms", together);
  if (workload.flops > 0) row.set("flops", workload.flops);
  row.set("bytes", device.bytes);
}

}  // namespace

void report_ops(const Effort& effort) {
  // WebGPU would defer elementwise ops on many floats, and drop their results without computing them.
  set_min_lazy_elements(std::numeric_limits<std::size_t>::max());
  for (const auto& workloads : {elementwise_workloads(), product_workloads(), movement_workloads()}) {
    for (const Workload& workload : workloads) {
      // A rehearsal skips workloads that take a software renderer seconds.
      const double size = workload.flops > 0 ? workload.flops / 8 : 8 * product_of(workload.inputs[0]);
      if (effort.quick && size > 1e7) continue;
      report_workload(effort, workload);
    }
  }
  set_min_lazy_elements(kMinLazyElements);
}

}  // namespace tenure::bench
