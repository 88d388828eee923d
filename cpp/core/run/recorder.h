#pragma once

#include "core/run/op.h"

namespace tenure {

/// Gets the ops that have a symbolic input in place of a kernel; their output has its number already. One may
/// be active, set by the guard below.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;
  virtual void record(Op op, Inputs in, AttrsView attrs, const Tensor& out) = 0;
};

Recorder* current_tracer();

/// Makes `tracer` the current one until the end of the block; null suspends tracing.
class TraceGuard {
 public:
  explicit TraceGuard(Recorder* tracer);
  ~TraceGuard();
  TraceGuard(const TraceGuard&) = delete;
  TraceGuard& operator=(const TraceGuard&) = delete;

 private:
  Recorder* previous_;
};

}  // namespace tenure
