// The raw calls of the debug build's ledger.

#ifdef TENURE_DEBUG

#include <algorithm>
#include <cmath>

#include "owner/ledger.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {

/// Starts to record events of handles and scopes, or stops it.
TENURE_CALL void tn_ledger_listen(int on) { ledger::listen(on != 0); }

/// Returns the number of words recorded since the last tn_ledger_take().
TENURE_CALL int tn_ledger_words() { return static_cast<int>(ledger::words()); }
/// Returns the address of the recorded entries (owner/ledger.h), valid until the next call.
TENURE_CALL int tn_ledger_take() {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(ledger::take().data()));
}

/// Returns the number of elements of a tensor that are NaN or infinite; 0 if it is disposed or not float32.
TENURE_CALL int tn_count_not_finite(double handle) {
  return guarded([&] {
    const Tensor* tensor = ownership().find(id_from(handle));
    if (!tensor || tensor->dtype() != DType::kFloat32) return 0;
    const auto values = tensor->values<float>();
    return static_cast<int>(std::ranges::count_if(values, [](float x) { return !std::isfinite(x); }));
  });
}

}  // namespace tenure::wasm

#endif
