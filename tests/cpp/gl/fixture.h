#pragma once

#include "catch.h"
#include "core/activation.h"
#include "core/run/op.h"
#include "gl/device/context.h"
#include "gl/device/tuning.h"

namespace tenure::gl {

/// Fixture of tests that need a GPU, or Mesa in its place: starts a context and selects the GL backend until
/// the end of the test, or skips the test with miss(). Checks at the end that all memory is freed, the GPU's
/// and the CPU's.
/// The environment variable TENURE_GL_TUNING chooses the kernels: "software", the default, for the same tests
/// everywhere, "hardware", or "measured".
class GlFixture {
 public:
  GlFixture();
  ~GlFixture();
  GlFixture(const GlFixture&) = delete;
  GlFixture& operator=(const GlFixture&) = delete;

 private:
  std::size_t live_ = 0;
};

/// Scope: restarts the context with this tuning, and with the previous one at the end.
class TuningGuard {
 public:
  explicit TuningGuard(const Tuning& tuning);
  ~TuningGuard();
  TuningGuard(const TuningGuard&) = delete;
  TuningGuard& operator=(const TuningGuard&) = delete;

 private:
  std::optional<Tuning> previous_;
};

/// Returns a tensor of values from -2 to 2 that repeat after 4093 elements; ints from -9 to 9, bools in a
/// pattern.
Tensor random_values(const Shape& shape, DType dtype = DType::kFloat32);

/// Returns a copy of the tensor that is only on the CPU.
Tensor on_cpu(const Tensor& x);
/// Returns a copy of the tensor that is only on the device, so that the next op runs there whatever its size.
Tensor on_device(const Tensor& x);

/// Returns the result of the CPU's kernel.
Tensor reference(Op op, const std::vector<Tensor>& inputs, AttrsView attrs = {});

/// Compares a result with the CPU's: floats within `tolerance` of the larger of 1 and the CPU's value, NaN
/// with NaN, ints and bools exactly.
void expect_equal(const Tensor& got, const Tensor& expected, double tolerance = 1e-5);

/// Runs the op on the GPU, with its inputs there, and on the CPU, and compares the results. Checks that the
/// GPU's run did not fall back.
void expect_gl_equals_cpu(Op op, const std::vector<Tensor>& inputs, AttrsView attrs = {},
                          double tolerance = 1e-5);

}  // namespace tenure::gl
