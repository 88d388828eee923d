#include "webgpu/fixture.h"

#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "miss.h"
#include "webgpu/backend.h"

namespace tenure::webgpu {
namespace {

/// Ends the device before the program does: SwiftShader's threads outlive the objects of its library.
class DeviceEnd final : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats& /*stats*/) override { Context::stop(); }
};

CATCH_REGISTER_LISTENER(DeviceEnd)

}  // namespace

WebGpuFixture::WebGpuFixture() {
  if (!Context::current() && !Context::start()) miss("no WebGPU device to be had");
  set_backend(webgpu::backend());
  live_ = allocator_stats().live;
}

WebGpuFixture::~WebGpuFixture() {
  set_backend(cpu_backend());
  CHECK(allocator_stats().live == live_);
  Context* current = Context::current();
  if (!current) return;
  CHECK_FALSE(current->lost());
  CHECK(current->loss().reason.empty());
  CHECK(current->buffers().stats().used == 0);
  CHECK(current->buffers().stats().used_bytes == 0);
  if (current->lost()) Context::stop();
}

Tensor counted_values(const Shape& shape) {
  Tensor tensor({shape, DType::kFloat32});
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    tensor.mutable_data<float>()[i] = static_cast<float>(i) / 8;
  }
  return tensor;
}

}  // namespace tenure::webgpu
