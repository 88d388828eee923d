// The exports of all devices: the choice of the backend, what is worth sending to it, and asynchronous reads.

#include <emscripten/bind.h>

#include <map>

#include "core/memory/memory_tracked.h"
#include "core/run/backend_registry.h"
#include "core/run/dispatch.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// Reads in flight. A read keeps its tensor alive even if the handle is disposed meanwhile.
struct Reads final : MemoryTracked {
  std::map<int, Tensor> tensors;
  void add_to(MemoryReport& report) const override {
    for (const auto& [number, tensor] : tensors) report.add(MemoryPart::kPinned, tensor.storage().get());
  }
};

std::map<int, Tensor>& reads() {
  static Reads instance;
  return instance.tensors;
}

/// Sets the backend: "wasm", the CPU's, or a registered one. Returns false for another name, and if the
/// backend's device is lost.
bool set_backend_by_name(const std::string& name) {
  const Backend* backend = name == "wasm" ? &cpu_backend() : find_backend(name);
  if (!backend || backend->is_lost()) return false;
  set_backend(*backend);
  return true;
}

void set_min_elements_for_device(std::size_t elements) { tenure::set_min_elements_for_device(elements); }

}  // namespace

/// Starts an asynchronous read of a tensor. Returns the read's number, or -1.
TENURE_CALL int tn_start_read(double handle) {
  return guarded([&] {
    static int last = 0;
    const Tensor& tensor = ownership().get(id_from(handle));
    tensor.storage()->start_read();
    reads().emplace(++last, tensor);
    return last;
  });
}

/// Returns 1 if the read's bytes are available or lost, else 0.
TENURE_CALL int tn_poll_read(int read) {
  return guarded([&] { return reads().at(read).storage()->is_read_ready() ? 1 : 0; });
}

/// Returns the address of the elements, with their number of bytes in the scratch. They are valid until
/// tn_end_read().
TENURE_CALL int tn_finish_read(int read) {
  return guarded([&] {
    const Tensor& tensor = reads().at(read);
    scratch[0] = static_cast<std::int32_t>(tensor.bytes());
    return static_cast<int>(reinterpret_cast<std::intptr_t>(tensor.data<std::uint8_t>()));
  });
}
TENURE_CALL void tn_end_read(int read) {
  unguarded([&] { reads().erase(read); });
}

/// Returns 1 if the tensor's bytes are only on the device, so that reading them waits, else 0.
TENURE_CALL int tn_on_device(double handle) {
  return guarded([&] { return ownership().get(id_from(handle)).storage()->only_on_device() ? 1 : 0; });
}

EMSCRIPTEN_BINDINGS(device) {
  emscripten::function("setBackend", &set_backend_by_name);
  emscripten::function("setMinElementsForDevice", &set_min_elements_for_device);
  emscripten::function("minElementsForDevice", &min_elements_for_device);
}

}  // namespace tenure::wasm
