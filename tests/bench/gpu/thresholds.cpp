#include <array>
#include <functional>
#include <string>
#include <vector>

#include "gl/backend.h"
#include "gl/device/context.h"
#include "gl/device/tuning.h"
#include "ops/ops.h"
#include "report.h"
#include "sections.h"

namespace tenure::bench {
namespace {

using gl::Tuning;

struct Workload {
  std::string name;
  std::vector<Shape> inputs;
  std::function<Tensor(const Tensors&)> run;
};

Tensors inputs_of(const Workload& workload, Tensor (*make)(const Shape&, std::uint32_t)) {
  Tensors inputs;
  for (const Shape& shape : workload.inputs) inputs.push_back(make(shape, 1));
  return inputs;
}

/// Returns the milliseconds with these choices, on a context of its own.
double time_with(const Effort& effort, const Tuning& tuning, const Workload& workload) {
  gl::override_tuning(tuning);
  if (!gl::Context::start()) return 0;
  const Tensors inputs = inputs_of(workload, device_values);
  return time_on_device(effort, [&] { workload.run(inputs); });
}

double time_on_cpu(const Effort& effort, const Workload& workload) {
  const BackendGuard on_cpu(cpu_backend());
  const Tensors inputs = inputs_of(workload, values);
  return time_on_device(effort, [&] { settle(workload.run(inputs)); });
}

Workload square_product(std::int32_t size) {
  return {text("matmul ", size), {{size, size}, {size, size}}, [](const Tensors& in) {
            return mat_mul(in[0], in[1]);
          }};
}

Workload conv(std::int32_t size, std::int32_t channels, std::int32_t kernel) {
  return {text("conv ", kernel, "x", kernel, " ", size, "x", size, "x", channels),
          {{1, size, size, channels}, {kernel, kernel, channels, channels}},
          [](const Tensors& in) { return conv2d(in[0], in[1], {.padding = Padding::kSame}); }};
}

Workload depthwise(std::int32_t size, std::int32_t channels) {
  return {text("depthwise 3x3 ", size, "x", size, "x", channels),
          {{1, size, size, channels}, {3, 3, channels, 1}},
          [](const Tensors& in) { return depthwise_conv2d(in[0], in[1], {.padding = Padding::kSame}); }};
}

Workload backprop(std::int32_t size, std::int32_t channels) {
  return {text("conv2d backprop filter 3x3 ", size, "x", size, "x", channels),
          {{1, size, size, channels}, {1, size, size, channels}},
          [channels](const Tensors& in) {
            return conv2d_backprop_filter(
                in[0], in[1], {.output_shape = {3, 3, channels, channels}, .padding = Padding::kSame});
          }};
}

Workload transposition(std::int32_t size) {
  return {text("transpose ", size, "x", size), {{size, size}}, [](const Tensors& in) {
            return transpose(in[0], {.perm = {1, 0}});
          }};
}

/// Reports matrix products in fragment and vertex shaders, and ways of fetching in fragment shaders.
void report_products(const Effort& effort) {
  std::vector<Workload> workloads = {square_product(64), depthwise(28, 64)};
  if (!effort.quick) {
    for (const std::int32_t size : {128, 256, 512, 1024, 2048}) workloads.push_back(square_product(size));
    workloads.insert(workloads.end(),
                     {conv(56, 64, 3), conv(14, 64, 3), conv(28, 256, 1), depthwise(112, 64)});
    workloads.push_back({"matmul 16x1024x1024", {{16, 1024}, {1024, 1024}}, square_product(1).run});
  }
  for (const Workload& workload : workloads) {
    Tuning tuning = Tuning::hardware();
    const double by_texel = time_with(effort, tuning, workload);
    tuning.fetches_by_lod = true;
    const double by_lod = time_with(effort, tuning, workload);
    tuning.vertex_tiles = true;
    const double by_vertices = time_with(effort, tuning, workload);
    Row("product")
        .set("name", workload.name)
        .set("fragments_texel_ms", by_texel)
        .set("fragments_lod_ms", by_lod)
        .set("vertices_ms", by_vertices)
        .set("cpu_ms", time_on_cpu(effort, workload));
  }
}

/// Reports each tuning choice alone, beside the default tuning of hardware.
void report_choices(const Effort& effort) {
  const std::int32_t side = effort.quick ? 512 : 2048;
  std::vector<Workload> workloads = {
      transposition(side),
      {text("relu ", side, "x", side), {{side, side}}, [](const Tensors& in) { return relu(in[0]); }},
      {text("softmax ", side, "x500"), {{side, 500}}, [](const Tensors& in) { return softmax(in[0]); }},
      {text("sum axis 0 of ", side, "x", side),
       {{side, side}},
       [](const Tensors& in) { return sum(in[0], {.axes = {0}}); }},
      {text("slice ", side, "x", side),
       {{side, side}},
       [side](const Tensors& in) { return slice(in[0], {.begin = {1, 1}, .size = {side - 2, side - 3}}); }},
  };
  if (effort.quick) workloads.resize(2);
  for (const Workload& workload : workloads) {
    Row row("choice");
    row.set("name", workload.name).set("base_ms", time_with(effort, Tuning::hardware(), workload));
    Tuning tuning = Tuning::hardware();
    tuning.fetches_by_lod = true;
    row.set("lod_ms", time_with(effort, tuning, workload));
    tuning = Tuning::hardware();
    tuning.divides_in_float = true;
    row.set("float_division_ms", time_with(effort, tuning, workload));
    tuning = Tuning::hardware();
    tuning.draws_squares = true;
    row.set("squares_ms", time_with(effort, tuning, workload)).set("cpu_ms", time_on_cpu(effort, workload));
  }
}

/// Reports the time of split-K sums by their number of vertices.
void report_splits(const Effort& effort) {
  const Workload workload = effort.quick ? backprop(16, 16) : backprop(56, 64);
  const double on_cpu = time_on_cpu(effort, workload);
  for (int power = 6; power <= 16; power += effort.quick ? 5 : 2) {
    Tuning tuning = Tuning::hardware();
    tuning.busy_vertices = std::size_t{1} << power;
    Row("split")
        .set("name", workload.name)
        .set("vertices", tuning.busy_vertices)
        .set("ms", time_with(effort, tuning, workload))
        .set("cpu_ms", on_cpu);
  }
}

/// Reports ops of GPU_KERNEL rows, which run on the CPU if the device is slower.
void report_leavings(const Effort& effort) {
  const std::int32_t size = effort.quick ? 14 : 56;
  const Shape image{4, size, size, 32};
  const Shape pooled{4, size / 2, size / 2, 32};
  std::vector<Workload> workloads = {
      backprop(size, 32),
      transposition(effort.quick ? 128 : 1024),
      {"average pool backprop 2x2",
       {pooled},
       [image](const Tensors& in) {
         return avg_pool_backprop(in[0], {.input_shape = {image[0], image[1], image[2], image[3]},
                                          .window_h = 2,
                                          .window_w = 2,
                                          .stride_h = 2,
                                          .stride_w = 2});
       }},
      {"depthwise backprop filter 3x3",
       {image, image},
       [](const Tensors& in) {
         return depthwise_conv2d_backprop_filter(in[0], in[1],
                                                 {.output_shape = {3, 3, 32, 1}, .padding = Padding::kSame});
       }},
  };
  if (effort.quick) workloads.resize(2);
  for (const Workload& workload : workloads) {
    Row("leaving")
        .set("name", workload.name)
        .set("device_ms", time_with(effort, Tuning::hardware(), workload))
        .set("cpu_ms", time_on_cpu(effort, workload));
  }
}

/// Reports the size from which the device is faster, with and without transfers.
void report_sizes(const Effort& effort, const char* family, const std::vector<Workload>& workloads) {
  for (const Workload& workload : workloads) {
    const Tensors here = inputs_of(workload, values);
    const Tensors there = inputs_of(workload, device_values);
    const auto round_trip = [&] {
      Tensors fresh;
      for (const Tensor& x : here) fresh.push_back(Tensor::from(x.values<float>(), x.shape()));
      return workload.run(fresh).storage()->data();
    };
    set_min_elements_for_device(0);
    const double way = time_on_device(effort, round_trip);
    const double resident = time_on_device(effort, [&] { workload.run(there); });
    set_min_elements_for_device(std::nullopt);
    Row("size")
        .set("family", family)
        .set("name", workload.name)
        .set("elements", workload.inputs[0].elements())
        .set("round_trip_ms", way)
        .set("resident_ms", resident)
        .set("cpu_ms", time_on_cpu(effort, workload));
  }
}

}  // namespace

void report_thresholds(const Effort& effort) {
  std::vector<Workload> sums;
  std::vector<Workload> products;
  for (int power = 8; power <= (effort.quick ? 14 : 22); power += 2) {
    sums.push_back({text("add of ", 1 << power),
                    {Shape{1 << power}, Shape{1 << power}},
                    [](const Tensors& in) { return add(in[0], in[1]); }});
  }
  for (const std::int32_t size : {16, 32, 64, 128, 256, 512, 1024}) {
    if (!effort.quick || size <= 64) products.push_back(square_product(size));
  }
  report_sizes(effort, "add", sums);
  report_sizes(effort, "matmul", products);
  report_products(effort);
  report_choices(effort);
  report_splits(effort);
  report_leavings(effort);
}

}  // namespace tenure::bench
