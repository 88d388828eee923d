#include "timing.h"

#include <thread>

#include "core/run/dispatch.h"
#include "cpu/threads/parallel.h"
#include "gl/backend.h"
#include "gl/device/context.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"

namespace tenure::bench {

bool start_device(DeviceKind kind) {
  const bool is_gl = kind == DeviceKind::kWebGl;
  if (!(is_gl ? gl::Context::start() : webgpu::Context::start())) return false;
  set_backend(is_gl ? gl::backend() : webgpu::backend());
  return true;
}

void stop_device() {
  set_backend(cpu_backend());
  gl::Context::stop();
  webgpu::Context::stop();
}

void wait_for_device() {
  if (gl::Context::current()) glFinish();
  webgpu::Context* const context = webgpu::Context::current();
  if (!context) return;
  // A read waits for all commands before it.
  const webgpu::Buffer buffer = context->buffers().take(sizeof(float));
  float first = 0;
  context->submit();
  webgpu::platform::read_now(buffer.id(), &first, sizeof first);
}

Tensor values(const Shape& shape, std::uint32_t seed) {
  Tensor tensor({shape, DType::kFloat32});
  auto* to = tensor.mutable_data<float>();
  std::uint32_t state = seed * 7919U;
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    to[i] = static_cast<float>(state >> 8) / 8388608.0F - 1;
  }
  return tensor;
}

Tensor device_values(const Shape& shape, std::uint32_t seed) {
  Tensor tensor = values(shape, seed);
  backend().device->move_to_device(tensor);
  return tensor;
}

int all_threads() {
  const auto threads = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(threads, 1, cpu::kMaxThreads);
}

void use_threads(int threads) { threads::workers::set_thread_count(threads); }

void settle(const Tensor& x) {
  if (!x.storage()->only_on_device()) x.storage()->data();
}

}  // namespace tenure::bench
