// tenure_gpu_bench SECTION [--webgpu] [--quick] [--models FOLDER] [--tuning measured|hardware|software]:
// prints one JSON object a line. Each section runs in a process of its own, so that a driver crash affects no
// other section.
#include <cstdio>
#include <exception>
#include <string>

#include "gl/device/tuning.h"
#include "report.h"
#include "sections.h"

namespace {

using namespace tenure;

struct Options {
  std::string section;
  std::string models = "models";
  std::string tuning = "measured";
  bench::DeviceKind device = bench::DeviceKind::kWebGl;
  bench::Effort effort;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const bool has_value = i + 1 < count;
    if (argument == "--quick") {
      options.effort.quick = true;
    } else if (argument == "--webgpu") {
      options.device = bench::DeviceKind::kWebGpu;
    } else if (argument == "--models" && has_value) {
      options.models = arguments[++i];
    } else if (argument == "--tuning" && has_value) {
      options.tuning = arguments[++i];
    } else {
      options.section = argument;
    }
  }
  return options;
}

int run_section(const Options& options) {
  if (options.tuning == "hardware") gl::override_tuning(gl::Tuning::hardware());
  if (options.tuning == "software") gl::override_tuning(gl::Tuning::software());
  const bool is_gl = options.device == bench::DeviceKind::kWebGl;
  const bool started = bench::start_device(options.device);
  if (options.section == "device") {
    is_gl ? bench::report_device() : bench::report_webgpu_device();
    return started ? 0 : 1;
  }
  if (!started) {
    std::fprintf(stderr,
                 is_gl ? "no OpenGL ES 3 context that renders to float textures\n" : "no WebGPU adapter\n");
    return 1;
  }
  if (options.section == "bounds") {
    bench::report_bounds(options.effort, options.device);
  } else if (options.section == "ops") {
    bench::report_ops(options.effort);
  } else if (options.section == "models") {
    bench::report_models(options.effort, options.device, options.models);
  } else if (options.section == "thresholds" && is_gl) {
    bench::report_thresholds(options.effort);
  } else {
    std::fprintf(stderr, "expected the section device, bounds, ops, models or thresholds, got \"%s\"\n",
                 options.section.c_str());
    return 2;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const int status = run_section(parse(count, arguments));
    bench::stop_device();
    bench::use_threads(1);
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
