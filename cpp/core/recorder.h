#pragma once

#include "core/op.h"

namespace tenure {

/// Sees the ops that run. A tracer gets them instead of a kernel when an input is symbolic, and makes the
/// output; a tape gets them after the kernel. One of each may be active, set by the guards below.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;
  virtual void record(Op op, Inputs in, AttrsView attrs, Tensor& out) = 0;
};

Recorder* current_tracer();
Recorder* current_tape();

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

/// Makes `tape` the current one until the end of the block; null suspends recording.
class TapeGuard {
 public:
  explicit TapeGuard(Recorder* tape);
  ~TapeGuard();
  TapeGuard(const TapeGuard&) = delete;
  TapeGuard& operator=(const TapeGuard&) = delete;

 private:
  Recorder* previous_;
};

}  // namespace tenure
