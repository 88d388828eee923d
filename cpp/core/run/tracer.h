#pragma once

#include "core/run/op.h"

namespace tenure {

/// Receiver of ops that have a symbolic input, in place of a kernel. Their output already has its number. At
/// most one is active, set by TraceGuard.
class Tracer {
 public:
  Tracer() = default;
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
  virtual ~Tracer() = default;
  virtual void record(Op op, Inputs in, AttrsView attrs, const Tensor& out) = 0;
};

/// Returns the active tracer, or null.
Tracer* current_tracer();

/// Scope: makes `tracer` the active one; null suspends tracing.
class TraceGuard {
 public:
  explicit TraceGuard(Tracer* tracer);
  ~TraceGuard();
  TraceGuard(const TraceGuard&) = delete;
  TraceGuard& operator=(const TraceGuard&) = delete;

 private:
  Tracer* previous_;
};

}  // namespace tenure
