#pragma once

#include "core/run/backend.h"

/// Engines of WebAssembly compile a function quickly when it is first called, and well once it has run for a
/// while: both take time from a model's first predictions, unless it is done while its weights are packed.
namespace tenure::cpu {

/// Calls the kernel of an op that models are made of with a few numbers, and has the loops compiled that it
/// will have for these shapes.
void warm_up(Op op, const Shape& x, const Shape& weights, AttrsView attrs);

/// Calls a function that is given nothing to do, so often that V8 compiles it well, on a thread beside. It
/// does so when a function has spent its budget of 13 million bytes (its flag wasm-tiering-budget): those of
/// the code that its loops go back over, and at its end all that it has. `code_bytes`: of the quick code, as
/// --trace-wasm-compilation-times tells.
template <class Call>
void compile_ahead(int code_bytes, const Call& call) {
  // Half as many again, for code of other processors may be shorter.
  constexpr int kBudget = 13'000'000 / 2 * 3;
#pragma GCC unroll 1
  for (int calls = kBudget / code_bytes; calls > 0; --calls) call();
}

}  // namespace tenure::cpu
