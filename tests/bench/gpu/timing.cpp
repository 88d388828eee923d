#include "timing.h"

#include <thread>

#include "cpu/threads/parallel.h"
#include "gl/device/device_memory.h"

namespace tenure::bench {

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
  gl::move_to_device(tensor);
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
