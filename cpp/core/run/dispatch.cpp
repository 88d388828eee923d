#include "core/run/dispatch.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/memory/transfer_stats.h"
#include "core/run/fault_injection.h"
#include "core/run/kernel_observer.h"
#include "core/run/lazy.h"
#include "core/run/op_traits.h"
#include "core/run/open_tapes.h"
#include "core/run/tracer.h"
#include "core/strings.h"

namespace tenure {
namespace {

struct State {
  const Backend* backend = &cpu_backend();
  const Backend* chosen = backend;
  std::optional<std::size_t> min_elements_for_device;
  std::size_t min_lazy_elements = kMinLazyElements;
  Tracer* tracer = nullptr;
  KernelObserver* observer = nullptr;
  std::string_view node;
};

State& state() {
  static State instance;
  return instance;
}

void notify_before() {
  if (state().observer) [[unlikely]]
    state().observer->before();
}

void notify_after(Op op, const KernelArgs& args, Output output) {
  if (state().observer) [[unlikely]]
    state().observer->after(op, args, output);
}

DType compute_dtype(const OpDef& def, Inputs in) {
  switch (def.rule) {
    case DTypeRule::kAny: break;
    case DTypeRule::kSame: return in[0].dtype() == DType::kBool ? DType::kInt32 : in[0].dtype();
    case DTypeRule::kFloat:
    case DTypeRule::kTest: return DType::kFloat32;
    case DTypeRule::kArithmetic:
    case DTypeRule::kCompare: return upcast(upcast(in[0].dtype(), in[1].dtype()), DType::kInt32);
    case DTypeRule::kLogical: return DType::kBool;
  }
  return in[0].dtype();
}

bool any_symbolic(Inputs in) {
  for (int i = 0; i < in.size(); ++i) {
    if (in[i] && !in[i].has_data()) return true;
  }
  return false;
}

bool belongs_on_device(const Device& device, Inputs in, const TensorSpec& out) {
  if (!device.supports(out)) return false;
  bool resident = false;
  for (int i = 0; i < in.size(); ++i) {
    if (!in.has(i)) continue;
    if (!device.supports(in[i].spec())) return false;
    resident |= in[i].storage()->only_on(device);
  }
  return resident || out.shape.elements() >= min_elements_for_device();
}

// Not in the threads of a kernel: a download must run on the device's own thread, and computing a pending
// result starts threads itself. Returns false if the kernel has packed weights to read that it cannot.
bool sync_to_host(Op op, Inputs in) {
  bool is_complete = true;
  for (int i = 0; i < in.size(); ++i) {
    if (!in.has(i)) continue;
    if (in[i].storage()->stays_packed()) [[unlikely]] {
      is_complete &= op_traits(op).reads_packed(i, in[i].dtype());
    } else {
      in[i].storage()->data();
    }
  }
  return is_complete;
}

// Runs a kernel on packed weights, which are unpacked for as long as it runs.
[[gnu::noinline]] void run_on_unpacked(KernelFn kernel, const KernelArgs& args) {
  const ScopedMaterialization materialized;
  for (int i = 0; i < args.in.size(); ++i) {
    if (args.in.has(i)) args.in[i].storage()->data();
  }
  kernel(args);
}

void run_host_kernel(Op op, KernelFn kernel, const KernelArgs& args) {
  if (!sync_to_host(op, args.in)) [[unlikely]]
    return run_on_unpacked(kernel, args);
  kernel(args);
}

void run_cpu_kernel(Op op, const KernelArgs& args) { run_host_kernel(op, cpu_backend().kernel(op), args); }

// Runs the op on the backend's device if an input is only there, or if it is large enough to pay for the
// transfers.
void run_device_or_cpu_kernel(Op op, const KernelArgs& args) {
  const Backend& chosen = *state().backend;
  const KernelFn kernel = chosen.kernel(op);
  if (!chosen.is_device()) return kernel ? run_host_kernel(op, kernel, args) : run_cpu_fallback(op, args);
  const TransferScope scope(op);
  if (!belongs_on_device(*chosen.device, args.in, args.out.spec())) return run_cpu_kernel(op, args);
  kernel ? kernel(args) : run_cpu_fallback(op, args);
}

/// Returns the backend that runs an eager op: the current one, or the chosen device, for which the CPU stands
/// in, if an input must stay there.
const Backend& get_eager_backend(Inputs in) {
  const State& s = state();
  if (s.backend == s.chosen) [[likely]]
    return *s.backend;
  for (int i = 0; i < in.size(); ++i) {
    if (in.has(i) && must_stay_on_device(in[i], *s.chosen)) return *s.chosen;
  }
  return *s.backend;
}

// No op is deferred while single ops are traced, shown to an observer, or recorded on tapes.
bool can_defer(const OpDef& def, const TensorSpec& out) {
  const State& s = state();
  return out.shape.elements() >= s.min_lazy_elements && is_elementwise(def.kind) && s.backend == s.chosen &&
         !s.tracer && !s.observer && !open_tapes().recording;
}

// Returns the pending result of an elementwise op; an empty tensor if the op is to run eagerly.
[[gnu::noinline]] Tensor try_defer(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  const Backend& chosen = *state().backend;
  if (chosen.is_device() && !belongs_on_device(*chosen.device, in, spec)) return {};
  return lazy::evaluate(chosen, op, in, attrs, spec);
}

// Out of line, like trace(), to keep execute() small, through which all ops run: an engine re-optimises a
// function after a budget of executed code, long functions after fewer calls and more slowly.
[[gnu::noinline]] Tensor run_eager(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  const BackendGuard guard(get_eager_backend(in));
  Tensor out = state().backend->is_device() ? Tensor::deferred(spec) : Tensor(spec);
  if (spec.shape.elements() == 0) return out;
  notify_before();
  run_device_or_cpu_kernel(op, {in, attrs, out});
  notify_after(op, {in, attrs, out}, Output::kTensor);
  return out;
}

[[gnu::noinline]] Tensor trace(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  Tensor out = Tensor::symbolic(spec, next_trace_id());
  state().tracer->record(op, in, attrs, out);
  if (open_tapes().recording) record_on_tapes(op, in, attrs, out);
  return out;
}

Tensor run_or_defer(Op op, const OpDef& def, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  if (def.kind == OpKind::kView) {
    Tensor out = in[0].with_shape(spec.shape);
    notify_before();
    notify_after(op, {in, attrs, out}, Output::kTensor);
    return out;
  }
  if (can_defer(def, spec)) [[unlikely]] {
    if (Tensor waits = try_defer(op, in, attrs, spec)) return waits;
  }
  return run_eager(op, in, attrs, spec);
}

Tensor execute(Op op, const OpDef& def, Inputs in, AttrsView attrs) {
  const TensorSpec spec = def.infer(in, attrs);
  spec.shape.validate();
  if (state().tracer && any_symbolic(in)) return trace(op, in, attrs, spec);
  fault_injection::op();
  Tensor out = run_or_defer(op, def, in, attrs, spec);
  if (open_tapes().recording) [[unlikely]]
    record_on_tapes(op, in, attrs, out);
  return out;
}

Tensor convert(const Tensor& x, DType dtype) { return run(Op::cast, {&x}, AttrsView(CastAttrs{dtype})); }

// Kernels of elementwise ops take inputs of one type only.
Tensor execute_elementwise(Op op, const OpDef& def, Inputs in, AttrsView attrs) {
  const DType dtype = compute_dtype(def, in);
  const bool first_fits = in[0].dtype() == dtype;
  const bool second_fits = in.size() < 2 || in[1].dtype() == dtype;
  if (first_fits && second_fits) return execute(op, def, in, attrs);
  const Tensor first = first_fits ? in[0] : convert(in[0], dtype);
  if (in.size() == 1) return execute(op, def, {&first}, attrs);
  const Tensor second = second_fits ? in[1] : convert(in[1], dtype);
  return execute(op, def, {&first, &second}, attrs);
}

std::string argument_name(const OpDef& def, int i) {
  const InputDef& input = def.input(i);
  return input.form == InputDef::kList ? text(input.name, "[", i - (def.input_count - 1), "]")
                                       : std::string(input.name);
}

std::string dtype_names(std::uint8_t accepted) {
  if (accepted == types::kNumericOrBool) return "numeric";
  std::string words;
  for (int number = 0; number <= static_cast<int>(DType::kComplex64); ++number) {
    const auto dtype = static_cast<DType>(number);
    if (accepted >> number & 1) words += text(words.empty() ? "" : " or ", get_name(dtype));
  }
  return words;
}

[[noreturn, gnu::cold]] void fail_count(const OpDef& def, Inputs in) {
  int required = 0;
  bool is_list = false;
  for (int i = 0; i < def.input_count; ++i) {
    required += def.inputs[i].form != InputDef::kOptional;
    is_list |= def.inputs[i].form == InputDef::kList;
  }
  fail("expected ", required,
       is_list                      ? " or more"
       : def.input_count > required ? text(" to ", static_cast<int>(def.input_count))
                                    : "",
       " tensors, got ", in.size());
}

[[noreturn, gnu::cold]] void fail_input(const OpDef& def, int i, const Tensor& x) {
  const std::string name = argument_name(def, i);
  if (!x) fail("argument '", name, "' is missing");
  if (x.dtype() == DType::kComplex64) fail(def.js_name, " does not support complex64 tensors");
  fail("Argument '", name, "' passed to '", def.js_name, "' must be ", dtype_names(def.input(i).types),
       " tensor, but got ", get_name(x.dtype()), " tensor");
}

/// Checks the inputs against the op's row: their number, which may be missing, and their types. Returns the
/// types that occur, one bit for each.
unsigned check_inputs(const OpDef& def, Inputs in) {
  const int given = in.size();
  if (given > def.input_count && (def.input_count == 0 || def.input(given).form != InputDef::kList))
      [[unlikely]]
    fail_count(def, in);
  unsigned seen = 0;
  for (int i = 0; i < given; ++i) {
    const InputDef& input = def.input(i);
    const Tensor& x = in[i];
    const unsigned type = x ? 1U << static_cast<int>(x.dtype()) : 0;
    const bool fits =
        x ? (type & (input.types | def.overloaded_types)) != 0 : input.form == InputDef::kOptional;
    if (!fits) [[unlikely]]
      fail_input(def, i, x);
    seen |= type;
  }
  for (int i = given; i < def.input_count; ++i) {
    if (def.inputs[i].form != InputDef::kOptional) [[unlikely]]
      fail_count(def, in);
  }
  return seen;
}

// Runs a data-movement op on strings: moves int32 indices, then gathers the strings.
[[gnu::cold]] Tensor move_strings(Op op, const OpDef& def, Inputs in, AttrsView attrs) {
  check(!any_symbolic(in), "strings cannot be part of a graph of known shapes");
  const auto is_moved = [&](int i) { return (def.input(i).types & types::kString) != 0 && in.has(i); };
  std::vector<std::string_view> strings;
  Tensors numbers(static_cast<std::size_t>(in.size()));
  std::vector<const Tensor*> inputs;
  for (int i = 0; i < in.size(); ++i) {
    Tensor& number = numbers[static_cast<std::size_t>(i)];
    inputs.push_back(is_moved(i) ? &number : &in[i]);
    if (!is_moved(i)) continue;
    check(in[i].dtype() == DType::kString, "Can not upcast string with ", get_name(in[i].dtype()));
    const Strings values(in[i]);
    number = Tensor(TensorSpec{in[i].shape(), DType::kInt32});
    auto* index = number.mutable_data<std::int32_t>();
    for (std::size_t k = 0; k < values.size(); ++k) {
      *index++ = static_cast<std::int32_t>(strings.size());
      strings.push_back(values[k]);
    }
  }
  const BackendGuard on_cpu(cpu_backend());
  const Tensor ids = execute(op, def, Inputs(std::span<const Tensor* const>(inputs)), attrs);
  std::vector<std::string_view> moved;
  moved.reserve(ids.elements());
  if (ids.elements() > 0) {
    for (const std::int32_t index : ids.values<std::int32_t>()) {
      moved.push_back(strings[static_cast<std::size_t>(index)]);
    }
  }
  return make_string_tensor(moved, ids.shape());
}

}  // namespace

Tensor run(Op op, Inputs in, AttrsView attrs) {
  const OpDef& def = op_def(op);
  try {
    const unsigned seen = check_inputs(def, in);
    if (seen & def.overloaded_types) [[unlikely]]
      return def.dtype_overload(op, in, attrs);
    switch (def.kind) {
      case OpKind::kUnary:
      case OpKind::kBinary: return execute_elementwise(op, def, in, attrs);
      case OpKind::kStructural:
        if (seen & types::kString) [[unlikely]]
          return move_strings(op, def, in, attrs);
        if (def.decomposition && open_tapes().recording && recorded(in)) [[unlikely]] {
          if (Tensors result = def.decomposition(in, attrs); !result.empty()) return std::move(result[0]);
        }
        return execute(op, def, in, attrs);
      case OpKind::kView: return execute(op, def, in, attrs);
      case OpKind::kComposed:
      case OpKind::kHost: break;
    }
    return run_all(op, in, attrs).at(0);
  } catch (const Error& error) {
    rethrow_with_op(error, def.js_name);
  }
}

Tensors run_all(Op op, Inputs in, AttrsView attrs) {
  const OpDef& def = op_def(op);
  if (!def.composed) return {run(op, in, attrs)};
  try {
    check_inputs(def, in);
    if (def.kind == OpKind::kHost) check(!any_symbolic(in), "cannot be part of a graph of known shapes");
    return def.composed(in, attrs);
  } catch (const Error& error) {
    rethrow_with_op(error, def.js_name);
  }
}

void run_planned(Op op, const KernelArgs& args, KernelFn kernel, const PreparedKernel* prepared) {
  const TransferScope scope(op);
  notify_before();
  if (prepared) {
    prepared->run(args);
  } else {
    kernel ? kernel(args) : run_cpu_fallback(op, args);
  }
  notify_after(op, args, Output::kPlaced);
}

void run_cpu_fallback(Op op, const KernelArgs& args) {
  const TransferScope scope(op);
  ++transfer_stats().fallbacks;
  run_cpu_kernel(op, args);
}

NodeScope::NodeScope(std::string_view name) : previous_(std::exchange(state().node, name)) {}
NodeScope::~NodeScope() { state().node = previous_; }
std::string_view current_node() { return state().node; }

void set_observer(KernelObserver* observer) { state().observer = observer; }

std::uint32_t& dispatch_count() {
  static std::uint32_t count = 0;
  return count;
}

void set_backend(const Backend& backend) { state().backend = state().chosen = &backend; }
const Backend& exchange_backend(const Backend& backend) { return *std::exchange(state().backend, &backend); }
void repair_dispatch() noexcept {
  state().backend = state().chosen;
  state().tracer = nullptr;
  state().node = {};
}
const Backend& backend() { return *state().backend; }
const Backend& usable_backend() {
  const Backend& chosen = *state().backend;
  return chosen.is_lost() ? cpu_backend() : chosen;
}
bool must_stay_on_device(const Tensor& tensor, const Backend& backend) {
  return backend.is_device() && !backend.device->costs().has_fast_sync_reads && tensor.storage() &&
         tensor.storage()->only_on(*backend.device);
}
void set_min_elements_for_device(std::optional<std::size_t> elements) {
  state().min_elements_for_device = elements;
}
std::size_t min_elements_for_device() {
  const State& s = state();
  if (s.min_elements_for_device) return *s.min_elements_for_device;
  return s.backend->is_device() ? s.backend->device->costs().min_elements : kMinElementsForDevice;
}
void set_min_lazy_elements(std::size_t elements) {
  state().min_lazy_elements = std::max(elements, std::size_t{1});
}
std::size_t min_lazy_elements() { return state().min_lazy_elements; }
std::size_t fallback_count() { return total_transfer_stats().fallbacks; }

Tracer* current_tracer() { return state().tracer; }

TraceGuard::TraceGuard(Tracer* tracer) : previous_(std::exchange(state().tracer, tracer)) {}
TraceGuard::~TraceGuard() { state().tracer = previous_; }

}  // namespace tenure
