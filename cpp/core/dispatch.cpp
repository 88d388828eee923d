#include "core/dispatch.h"

#include <algorithm>
#include <utility>

#include "core/crossings.h"
#include "core/error.h"
#include "core/faults.h"
#include "core/kernel_observer.h"
#include "core/recorder.h"

namespace tenure {
namespace {

struct State {
  const Backend* backend = &cpu_backend();
  std::size_t least_for_device = kLeastForDevice;
  Recorder* tracer = nullptr;
  Recorder* tape = nullptr;
  KernelObserver* observer = nullptr;
};

State& state() {
  static State instance;
  return instance;
}

void show_before() {
  if (state().observer) [[unlikely]]
    state().observer->before();
}

void show_after(Op op, const KernelArgs& args, Output output) {
  if (state().observer) [[unlikely]]
    state().observer->after(op, args, output);
}

DType computed_in(const OpDef& def, Inputs in) {
  switch (def.rule) {
    case Rule::kAny: break;
    case Rule::kSame: return in[0].dtype() == DType::kBool ? DType::kInt32 : in[0].dtype();
    case Rule::kFloat:
    case Rule::kTest: return DType::kFloat32;
    case Rule::kArithmetic:
    case Rule::kCompare: return upcast(upcast(in[0].dtype(), in[1].dtype()), DType::kInt32);
    case Rule::kLogical: return DType::kBool;
  }
  return in[0].dtype();
}

void check_logical(const OpDef& def, Inputs in) {
  for (int i = 0; i < in.size(); ++i) {
    check(in[i].dtype() == DType::kBool, "Argument '", i == 0 ? (in.size() == 1 ? "x" : "a") : "b",
          "' passed to '", def.js_name, "' must be bool tensor, but got ", name_of(in[i].dtype()), " tensor");
  }
}

bool any_symbolic(Inputs in) {
  for (int i = 0; i < in.size(); ++i) {
    if (in[i] && !in[i].has_data()) return true;
  }
  return false;
}

KernelFn cpu_kernel(Op op) { return cpu_backend().kernels[static_cast<std::size_t>(op)]; }

bool belongs_on_device(const Backend& backend, const KernelArgs& args) {
  if (!backend.can_hold || !backend.can_hold(args.out.spec())) return false;
  bool resident = false;
  for (int i = 0; i < args.in.size(); ++i) {
    if (!args.in.has(i)) continue;
    if (!backend.can_hold(args.in[i].spec())) return false;
    resident |= args.in[i].storage()->only_on_device();
  }
  return resident || args.out.elements() >= state().least_for_device;
}

// On the backend's device when an input is only there, or when there is enough to do to pay for the way there
// and back.
void run_kernel(Op op, const KernelArgs& args) {
  const Backend& chosen = *state().backend;
  const KernelFn kernel = chosen.kernels[static_cast<std::size_t>(op)];
  if (!chosen.can_hold) return kernel ? kernel(args) : fall_back(op, args);
  const CrossingScope scope(op);
  if (!belongs_on_device(chosen, args)) return cpu_kernel(op)(args);
  kernel ? kernel(args) : fall_back(op, args);
}

Tensor execute(Op op, const OpDef& def, Inputs in, AttrsView attrs) {
  State& s = state();
  const TensorSpec spec = def.infer(in, attrs);
  spec.shape.validate();
  Tensor out;
  if (s.tracer && any_symbolic(in)) {
    out = Tensor::symbolic(spec, 0);
    s.tracer->record(op, in, attrs, out);
    return out;
  }
  faults::op();
  if (def.kind == OpKind::kView) {
    out = in[0].with_shape(spec.shape);
    show_before();
    show_after(op, {in, attrs, out}, Output::kTensor);
  } else {
    out = s.backend->can_hold ? Tensor::deferred(spec) : Tensor(spec);
    if (spec.shape.elements() > 0) {
      show_before();
      run_kernel(op, {in, attrs, out});
      show_after(op, {in, attrs, out}, Output::kTensor);
    }
  }
  if (s.tape) s.tape->record(op, in, attrs, out);
  return out;
}

Tensor convert(const Tensor& x, DType dtype) {
  check(x.dtype() != DType::kString, "has no kernel for ", name_of(x.dtype()));
  return run(Op::cast, {&x}, AttrsView(CastAttrs{dtype}));
}

// Kernels of elementwise ops see inputs of one type only.
Tensor execute_elementwise(Op op, const OpDef& def, Inputs in, AttrsView attrs) {
  if (def.rule == Rule::kLogical) check_logical(def, in);
  const DType dtype = computed_in(def, in);
  const bool first_fits = in[0].dtype() == dtype;
  const bool second_fits = in.size() < 2 || in[1].dtype() == dtype;
  if (first_fits && second_fits) return execute(op, def, in, attrs);
  const Tensor first = first_fits ? in[0] : convert(in[0], dtype);
  if (in.size() == 1) return execute(op, def, {&first}, attrs);
  const Tensor second = second_fits ? in[1] : convert(in[1], dtype);
  return execute(op, def, {&first, &second}, attrs);
}

void check_count(const OpDef& def, Inputs in) {
  if (in.size() < def.least_inputs || in.size() > def.most_inputs) [[unlikely]] {
    fail("expected ", def.least_inputs,
         def.most_inputs > def.least_inputs ? text(" to ", def.most_inputs) : "", " tensors, got ",
         in.size());
  }
  for (int i = 0; i < def.least_inputs; ++i) check(static_cast<bool>(in[i]), "tensor ", i, " is missing");
}

[[noreturn]] void rethrow_with(const OpDef& def, const Error& error) {
  const std::string_view message = error.what();
  if (!message.empty() && message.front() == '[') throw error;
  fail_with(error.code(), text("[", def.js_name, "] ", message));
}

}  // namespace

Tensor run(Op op, Inputs in, AttrsView attrs) {
  const OpDef& def = op_def(op);
  try {
    check_count(def, in);
    switch (def.kind) {
      case OpKind::kUnary:
      case OpKind::kBinary: return execute_elementwise(op, def, in, attrs);
      case OpKind::kStructural:
      case OpKind::kView: return execute(op, def, in, attrs);
      case OpKind::kComposed: break;
    }
    return def.composed(in, attrs).at(0);
  } catch (const Error& error) {
    rethrow_with(def, error);
  }
}

Tensors run_all(Op op, Inputs in, AttrsView attrs) {
  const OpDef& def = op_def(op);
  if (def.kind != OpKind::kComposed) return {run(op, in, attrs)};
  try {
    check_count(def, in);
    return def.composed(in, attrs);
  } catch (const Error& error) {
    rethrow_with(def, error);
  }
}

void run_step(Op op, const KernelArgs& args, KernelFn kernel, const PreparedKernel* prepared) {
  const CrossingScope scope(op);
  show_before();
  if (prepared) {
    prepared->run(args);
  } else {
    kernel ? kernel(args) : fall_back(op, args);
  }
  show_after(op, args, Output::kPlaced);
}

void fall_back(Op op, const KernelArgs& args) {
  const CrossingScope scope(op);
  ++crossings().fallbacks;
  // Here, and not in the threads of a kernel, since a download belongs to the device's own thread.
  for (int i = 0; i < args.in.size(); ++i) {
    if (args.in.has(i)) args.in[i].storage()->data();
  }
  cpu_kernel(op)(args);
}

void set_observer(KernelObserver* observer) { state().observer = observer; }

void set_backend(const Backend& backend) { state().backend = &backend; }
const Backend& backend() { return *state().backend; }
const Backend& usable_backend() {
  const Backend& chosen = *state().backend;
  return chosen.can_hold && !chosen.can_hold({}) ? cpu_backend() : chosen;
}
void set_least_for_device(std::size_t elements) { state().least_for_device = elements; }
std::size_t least_for_device() { return state().least_for_device; }
std::size_t fallback_count() { return total_crossings().fallbacks; }

Recorder* current_tracer() { return state().tracer; }
Recorder* current_tape() { return state().tape; }

TraceGuard::TraceGuard(Recorder* tracer) : previous_(std::exchange(state().tracer, tracer)) {}
TraceGuard::~TraceGuard() { state().tracer = previous_; }
TapeGuard::TapeGuard(Recorder* tape) : previous_(std::exchange(state().tape, tape)) {}
TapeGuard::~TapeGuard() { state().tape = previous_; }

}  // namespace tenure
