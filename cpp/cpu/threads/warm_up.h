#pragma once

#include "core/run/backend.h"

/// JIT warm-up. WebAssembly engines compile a function quickly when it is first called, and optimize it once
/// it has run for a while: both take time from a model's first predictions, unless done while its weights are
/// packed.
namespace tenure::cpu {

/// Calls the kernel of a common op with a few numbers, once per op, and triggers JIT tier-up of the loops
/// that it will have for these shapes.
void warm_up(Op op, const Shape& x, const Shape& weights, AttrsView attrs);

/// Triggers JIT tier-up: calls a function without work so often that V8 optimizes it, on a background thread.
/// V8 does so when a function has spent its budget of 13 million bytes (flag wasm-tiering-budget): a backward
/// jump of a loop spends the bytes of code that it jumps over, a return those of the whole function.
/// `code_bytes` is the size of the function's baseline code, as --trace-wasm-compilation-times prints it.
template <class Call>
void force_jit_tier_up(int code_bytes, const Call& call) {
  // Half as many again, because code for other processors may be shorter.
  constexpr int kBudget = 13'000'000 / 2 * 3;
#pragma GCC unroll 1
  for (int calls = kBudget / code_bytes; calls > 0; --calls) call();
}

}  // namespace tenure::cpu
