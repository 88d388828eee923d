#include "gl/fixture.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/device/device_memory.h"
#include "miss.h"

namespace tenure::gl {
namespace {

Inputs as_inputs(const std::vector<Tensor>& tensors, std::vector<const Tensor*>& pointers) {
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  return Inputs(std::span<const Tensor* const>(pointers));
}

bool near(float got, float expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  const double scale = std::max(1.0, std::abs(static_cast<double>(expected)));
  return std::abs(static_cast<double>(got) - expected) <= tolerance * scale;
}

template <class T, class Near>
void compare(const Tensor& got, const Tensor& expected, Near near) {
  for (std::size_t i = 0; i < expected.elements(); ++i) {
    const T a = got.data<T>()[i];
    const T b = expected.data<T>()[i];
    if (near(a, b)) continue;
    INFO("element " << i << ": " << +a << " on the GPU, " << +b << " on the CPU");
    FAIL_CHECK();
    return;
  }
}

void choose_asked_tuning() {
  static bool chosen = false;
  if (std::exchange(chosen, true)) return;
  const char* variable = std::getenv("TENURE_GL_TUNING");
  const std::string_view asked = variable && *variable ? variable : "software";
  if (asked == "measured") return;
  if (asked != "software" && asked != "hardware") {
    FAIL("TENURE_GL_TUNING is \"" << asked << "\", not software, hardware or measured");
  }
  override_tuning(asked == "hardware" ? Tuning::hardware() : Tuning::software());
}

}  // namespace

GlFixture::GlFixture() {
  choose_asked_tuning();
  if (!Context::current() && !Context::start()) miss("no EGL context to be had");
  set_backend(gl::backend());
  live_ = allocator_stats().live;
}

GlFixture::~GlFixture() {
  set_backend(cpu_backend());
  CHECK(allocator_stats().live == live_);
  if (Context* current = Context::current()) {
    CHECK(current->textures().stats().used == 0);
    CHECK(current->textures().stats().used_bytes == 0);
  }
}

TuningGuard::TuningGuard(const Tuning& tuning) : previous_(overridden_tuning()) {
  override_tuning(tuning);
  REQUIRE(Context::start());
}

TuningGuard::~TuningGuard() {
  override_tuning(previous_);
  Context::start();
}

Tensor random_values(const Shape& shape, DType dtype) {
  Tensor tensor({shape, dtype});
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    const std::size_t mixed = i * 2654435761U % 4093;
    if (dtype == DType::kFloat32) tensor.mutable_data<float>()[i] = static_cast<float>(mixed) / 1023.0F - 2;
    if (dtype == DType::kInt32)
      tensor.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(mixed % 19) - 9;
    if (dtype == DType::kBool) tensor.mutable_data<std::uint8_t>()[i] = mixed % 3 == 0;
  }
  return tensor;
}

Tensor on_cpu(const Tensor& x) {
  Tensor copy(x.spec());
  std::memcpy(copy.mutable_data<std::byte>(), x.data<std::byte>(), x.bytes());
  return copy;
}

Tensor on_device(const Tensor& x) {
  Tensor copy = on_cpu(x);
  if (copy.elements() > 0) device().move_to_device(copy);
  return copy;
}

Tensor reference(Op op, const std::vector<Tensor>& inputs, AttrsView attrs) {
  const BackendGuard guard(cpu_backend());
  std::vector<const Tensor*> pointers;
  return run(op, as_inputs(inputs, pointers), attrs);
}

void expect_equal(const Tensor& got, const Tensor& expected, double tolerance) {
  REQUIRE(got.spec() == expected.spec());
  switch (got.dtype()) {
    case DType::kInt32: return compare<std::int32_t>(got, expected, std::equal_to<>());
    case DType::kBool: return compare<std::uint8_t>(got, expected, std::equal_to<>());
    default: compare<float>(got, expected, [=](float a, float b) { return near(a, b, tolerance); });
  }
}

void expect_gl_equals_cpu(Op op, const std::vector<Tensor>& inputs, AttrsView attrs, double tolerance) {
  INFO("op " << op_def(op).name);
  for (const Tensor& input : inputs) UNSCOPED_INFO(text(input.shape(), " ", get_name(input.dtype())));
  const Tensor expected = reference(op, inputs, attrs);
  std::vector<Tensor> moved;
  moved.reserve(inputs.size());
  for (const Tensor& input : inputs) moved.push_back(input ? on_device(input) : input);
  std::vector<const Tensor*> pointers;
  const std::size_t fallbacks = fallback_count();
  const Tensor got = run(op, as_inputs(moved, pointers), attrs);
  CHECK(fallback_count() == fallbacks);
  CHECK((got.elements() == 0 || got.storage()->only_on_device()));
  expect_equal(got, expected, tolerance);
}

}  // namespace tenure::gl
