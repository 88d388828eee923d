#pragma once

#include "catch.h"
#include "core/activation.h"
#include "core/run/op.h"
#include "gl/device/context.h"
#include "gl/device/tuning.h"

namespace tenure::gl {

/// A test that needs a GPU, or Mesa in its place: makes a context and computes there until the end of the
/// test, or misses it. Checks that all memory is back at the end, the GPU's and the CPU's.
/// Kernels are chosen as TENURE_GL_TUNING says: "software", the default, for the same tests everywhere,
/// "hardware", or "measured".
class GlFixture {
 public:
  GlFixture();
  ~GlFixture();
  GlFixture(const GlFixture&) = delete;
  GlFixture& operator=(const GlFixture&) = delete;

 private:
  std::size_t live_ = 0;
};

/// Restarts the context with these choices until the end of the block; then with those that were before.
class TuningGuard {
 public:
  explicit TuningGuard(const Tuning& tuning);
  ~TuningGuard();
  TuningGuard(const TuningGuard&) = delete;
  TuningGuard& operator=(const TuningGuard&) = delete;

 private:
  std::optional<Tuning> previous_;
};

/// A tensor of values from -2 to 2 that repeat after some thousand; ints from -9 to 9, bools in a pattern.
Tensor some_values(const Shape& shape, DType dtype = DType::kFloat32);

/// Drops what the device has computed into a tensor that is on the CPU alone.
Tensor on_cpu(const Tensor& x);
/// Moves a tensor to the device, so that the next op runs there whatever its size.
Tensor on_device(const Tensor& x);

/// What the CPU's kernel gives.
Tensor reference(Op op, const std::vector<Tensor>& inputs, AttrsView attrs = {});

/// Compares a result with the CPU's: floats within `tolerance` of the larger of 1 and the CPU's value, NaN
/// with NaN, ints and bools exactly.
void expect_equal(const Tensor& got, const Tensor& expected, double tolerance = 1e-5);

/// Runs the op on the GPU, of inputs that are there, and on the CPU, checks that the first did not fall back,
/// and compares.
void expect_gl_equals_cpu(Op op, const std::vector<Tensor>& inputs, AttrsView attrs = {},
                          double tolerance = 1e-5);

}  // namespace tenure::gl
