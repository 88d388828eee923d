// The raw calls for gradients. A pass is a tape and the walk back along it; passes nest.

#include <memory>

#include "core/interruption.h"
#include "core/run/open_tapes.h"
#include "ops/autodiff/backward.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

struct Pass {
  Tape tape;
  Tensors watched;
  std::unique_ptr<Backward> walk;
};

std::vector<std::unique_ptr<Pass>>& passes() {
  static std::vector<std::unique_ptr<Pass>> instance;
  return instance;
}

/// How many tapes JavaScript hides.
std::size_t hidden = 0;
/// The pass that a call works on, and the call's number.
std::size_t used_pass = 0;
std::uint32_t used_in = 0;

Pass& pass_of(int pass) {
  const auto at = static_cast<std::size_t>(pass);
  check(pass >= 0 && at < passes().size() && passes()[at], "the tape is closed");
  used_pass = at;
  used_in = interruption::call;
  return *passes()[at];
}

Backward& walk_of(const Pass& pass) {
  check(pass.walk != nullptr, "the tape is not walked back");
  return *pass.walk;
}

/// 0 at the walk's end; or the number of a gradient that JavaScript knows, with that of its output in the
/// scratch.
int go_on(Backward& walk) {
  if (!walk.go_on()) return 0;
  hand_out(Tensor(walk.custom_gradient()));
  return walk.custom();
}

}  // namespace

void repair_passes() noexcept {
  if (used_in == interruption::call && used_pass < passes().size() && passes()[used_pass]) {
    close_tape(passes()[used_pass]->tape);
    // The walk is half-changed, and not to be destroyed.
    static_cast<void>(passes()[used_pass]->walk.release());
  }
  repair_tapes(hidden);
}

/// Opens a tape for the tensors whose ids are in the scratch; gives the number of the pass.
TENURE_CALL int tn_open_tape(int count) {
  return guarded([&] {
    auto pass = std::make_unique<Pass>();
    check_room(count);
    // One after the other: a tensor that is given twice is one source.
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
/// Ends the recording of a pass.
TENURE_CALL int tn_close_tape(int pass) {
  return guarded([&] {
    close_tape(pass_of(pass).tape);
    return 0;
  });
}
/// Whether an op of the pass made the tensor.
TENURE_CALL int tn_is_recorded(int pass, double y) {
  return guarded([&] {
    Tape& tape = pass_of(pass).tape;
    const Tensor& tensor = ownership().get(id_from(y));
    return tape.watches(tensor) && tape.made_by(tape.find(tensor.value())) ? 1 : 0;
  });
}
/// Walks back from y, whose gradient is g, or ones for an id of 0; gives what go_on() does.
TENURE_CALL int tn_walk_back(int pass, double y, double g) {
  return guarded([&] {
    Pass& p = pass_of(pass);
    p.walk = std::make_unique<Backward>(p.tape, ownership().get(id_from(y)),
                                        g == 0 ? Tensor() : ownership().get(id_from(g)));
    return go_on(*p.walk);
  });
}
/// Goes on with the gradients whose ids are in the scratch.
TENURE_CALL int tn_supply(int pass, int count) {
  return guarded([&] {
    Backward& walk = walk_of(pass_of(pass));
    walk.supply(tensors_in_scratch(count));
    return go_on(walk);
  });
}
/// The gradient of the i-th watched tensor, described in the scratch: 1, or 0 where nothing leads to it.
TENURE_CALL int tn_gradient(int pass, int i) {
  return guarded([&] {
    const Pass& p = pass_of(pass);
    Tensor gradient = walk_of(p).gradient_of(p.watched.at(static_cast<std::size_t>(i)));
    if (!gradient) return 0;
    hand_out(std::move(gradient));
    return 1;
  });
}
/// Lets go of a pass and those inside it.
TENURE_CALL void tn_drop_tape(int pass) {
  unguarded([&] {
    while (passes().size() > static_cast<std::size_t>(pass)) {
      // Freed behind the list, as that takes long.
      const std::unique_ptr<Pass> dropped = std::move(passes().back());
      passes().pop_back();
      if (dropped) close_tape(dropped->tape);
    }
  });
}

/// Hides the open tapes; gives what tn_resume_tapes() wants.
TENURE_CALL int tn_pause_tapes() {
  const std::size_t paused = pause_tapes();
  hidden = open_tapes().hidden;
  return static_cast<int>(paused);
}
TENURE_CALL void tn_resume_tapes(int paused) {
  hidden = static_cast<std::size_t>(paused);
  resume_tapes(hidden);
}
/// The value y of a function of `count` inputs, whose ids are in the scratch, as a result of its own,
/// described there: 1 if a tape has recorded it, with the number of its gradient, or 0.
TENURE_CALL int tn_record_custom(int custom, int count, double y) {
  return guarded([&] {
    const Tensors inputs = tensors_in_scratch(count);
    const TensorList list(inputs);
    const Inputs in(list);
    const Tensor& value = ownership().get(id_from(y));
    Tensor out = value.with_shape(value.shape());
    const bool is_recorded = recorded(in);
    if (is_recorded) {
      out.set_value(next_value_number());
      record_custom(custom, in, out);
    }
    hand_out(std::move(out));
    return is_recorded ? 1 : 0;
  });
}

}  // namespace tenure::wasm
