// The raw calls for gradients. A pass is a tape and its backward walk; passes nest.

#include <memory>

#include "core/interruption.h"
#include "core/run/open_tapes.h"
#include "ops/autodiff/backward.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

struct GradientPass {
  Tape tape;
  Tensors watched;
  std::unique_ptr<Backward> walk;
};

std::vector<std::unique_ptr<GradientPass>>& passes() {
  static std::vector<std::unique_ptr<GradientPass>> instance;
  return instance;
}

/// Number of tapes that JavaScript has paused.
std::size_t hidden = 0;
/// The pass that the last call used.
std::size_t used_pass = 0;
/// The number of that call.
std::uint32_t used_in_call = 0;

GradientPass& get_pass(int pass) {
  const auto at = static_cast<std::size_t>(pass);
  check(pass >= 0 && at < passes().size() && passes()[at], "the tape is closed");
  used_pass = at;
  used_in_call = interruption::call;
  return *passes()[at];
}

Backward& get_walk(const GradientPass& pass) {
  check(pass.walk != nullptr, "the tape is not walked back");
  return *pass.walk;
}

/// Advances a backward walk. Returns 0 at its end, or the number of a custom gradient that JavaScript
/// computes, with its output's gradient described in the scratch.
int advance(Backward& walk) {
  if (!walk.advance()) return 0;
  export_result(Tensor(walk.custom_gradient()));
  return walk.custom();
}

}  // namespace

void repair_passes() noexcept {
  if (used_in_call == interruption::call && used_pass < passes().size() && passes()[used_pass]) {
    close_tape(passes()[used_pass]->tape);
    // The walk is in an inconsistent state and must not be destroyed.
    static_cast<void>(passes()[used_pass]->walk.release());
  }
  repair_tapes(hidden);
}

/// Opens a tape that watches the tensors whose ids are in the scratch. Returns the number of the pass.
TENURE_CALL int tn_open_tape(int count) {
  return guarded([&] {
    auto pass = std::make_unique<GradientPass>();
    check_room(count);
    // In sequence, as a tensor that is given twice is one source.
    for (int i = 0; i < count; ++i) {
      const Handle handle = read_id(scratch + kIdWords * i);
      Tensor tensor = ownership().get(handle);
      pass->tape.watch(tensor);
      pass->watched.push_back(Tensor::symbolic(tensor.spec(), tensor.value()));
      ownership().replace(handle, std::move(tensor));
    }
    interruption::append(passes(), std::move(pass));
    open_tape(passes().back()->tape);
    return static_cast<int>(passes().size()) - 1;
  });
}
/// Stops the recording of a pass.
TENURE_CALL int tn_close_tape(int pass) {
  return guarded([&] {
    close_tape(get_pass(pass).tape);
    return 0;
  });
}
/// Returns 1 if an op that the pass recorded produced the tensor, else 0.
TENURE_CALL int tn_is_recorded(int pass, double y) {
  return guarded([&] {
    Tape& tape = get_pass(pass).tape;
    const Tensor& tensor = ownership().get(id_from(y));
    return tape.watches(tensor) && tape.producer(tape.find(tensor.value())) ? 1 : 0;
  });
}
/// Starts the backward walk from y, whose gradient is g, or ones if g is 0. Returns 0 at its end, or the
/// number of a custom gradient that it waits for; see tn_supply().
TENURE_CALL int tn_walk_back(int pass, double y, double g) {
  return guarded([&] {
    GradientPass& p = get_pass(pass);
    p.walk = std::make_unique<Backward>(p.tape, ownership().get(id_from(y)),
                                        g == 0 ? Tensor() : ownership().get(id_from(g)));
    return advance(*p.walk);
  });
}
/// Resumes the walk with the gradients of the custom op's inputs, whose ids are in the scratch. Returns what
/// tn_walk_back() returns.
TENURE_CALL int tn_supply(int pass, int count) {
  return guarded([&] {
    Backward& walk = get_walk(get_pass(pass));
    walk.resume_with(tensors_in_scratch(count));
    return advance(walk);
  });
}
/// Describes the gradient of the i-th watched tensor in the scratch. Returns 1, or 0 if y does not depend on
/// the tensor.
TENURE_CALL int tn_gradient(int pass, int i) {
  return guarded([&] {
    const GradientPass& p = get_pass(pass);
    Tensor gradient = get_walk(p).get_gradient(p.watched.at(static_cast<std::size_t>(i)));
    if (!gradient) return 0;
    export_result(std::move(gradient));
    return 1;
  });
}
/// Frees a pass and those inside it.
TENURE_CALL void tn_drop_tape(int pass) {
  unguarded([&] {
    while (passes().size() > static_cast<std::size_t>(pass)) {
      // Freed after it is off the list, as that takes long and may be interrupted.
      const std::unique_ptr<GradientPass> dropped = std::move(passes().back());
      passes().pop_back();
      if (dropped) close_tape(dropped->tape);
    }
  });
}

/// Pauses the open tapes. Returns the argument for tn_resume_tapes().
TENURE_CALL int tn_pause_tapes() {
  const std::size_t paused = pause_tapes();
  hidden = open_tapes().hidden;
  return static_cast<int>(paused);
}
TENURE_CALL void tn_resume_tapes(int paused) {
  hidden = static_cast<std::size_t>(paused);
  resume_tapes(hidden);
}
/// Records y as the result of a custom op of `count` inputs, whose ids are in the scratch. The result, a new
/// tensor with the value of y, is described in the scratch. Returns 1 if a tape recorded it with the gradient
/// number `custom`, else 0.
TENURE_CALL int tn_record_custom(int custom, int count, double y) {
  return guarded([&] {
    const Tensors inputs = tensors_in_scratch(count);
    const TensorList list(inputs);
    const Inputs in(list);
    const Tensor& value = ownership().get(id_from(y));
    Tensor out = value.with_shape(value.shape());
    const bool is_recorded = recorded(in);
    if (is_recorded) {
      out.set_value(next_trace_id());
      record_custom(custom, in, out);
    }
    export_result(std::move(out));
    return is_recorded ? 1 : 0;
  });
}

}  // namespace tenure::wasm
