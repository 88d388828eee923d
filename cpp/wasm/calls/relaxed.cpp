// The raw call of the kernels with relaxed SIMD, which are a part of their own.

#include "core/run/backend.h"
#include "wasm/call.h"

namespace tenure::cpu_relaxed {
/// Weak, because engines for local builds and for debugging are linked without these kernels.
[[gnu::weak]] const Backend& kernels();
}  // namespace tenure::cpu_relaxed

namespace tenure::wasm {

/// Makes all ops run the kernels with relaxed SIMD. Call it after their part is loaded.
TENURE_CALL void tn_use_relaxed_kernels() {
  if (cpu_relaxed::kernels) use_cpu_kernels(cpu_relaxed::kernels());
}

}  // namespace tenure::wasm
