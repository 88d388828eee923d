// What JavaScript sees as classes and values. Hot calls go through wasm/calls.cpp instead.

#include <emscripten/bind.h>

#include "core/allocator.h"
#include "core/dispatch.h"
#include "owner/ownership.h"

namespace tenure::wasm {
namespace {

using emscripten::val;

/// Counts and bytes as TensorFlow.js gives them, and what lies behind.
struct MemoryInfo {
  double numTensors;
  double numDataBuffers;
  double numBytes;
  double heapUsed;
  double cpuPool;
  double peakBytes;
  double scopes;
};

MemoryInfo memory() {
  const HandleTable& handles = ownership().handles();
  const AllocatorStats stats = allocator_stats();
  return {static_cast<double>(handles.size()),
          static_cast<double>(handles.buffers()),
          static_cast<double>(handles.bytes()),
          static_cast<double>(stats.live),
          static_cast<double>(stats.pooled),
          static_cast<double>(stats.peak),
          static_cast<double>(ownership().open_scopes())};
}

/// Runs `body(scope)` in a scope of its own; `body` hands what shall survive to the scope's parent before it
/// returns. It must not throw: Embind's own frames do not restore the stack pointer when an exception unwinds
/// them.
void tidy(const val& body) {
  const ScopeGuard scope;
  body(scope.id());
}

bool dispose(Handle handle) { return ownership().dispose(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tenure) {
  emscripten::value_object<MemoryInfo>("MemoryInfo")
      .field("numTensors", &MemoryInfo::numTensors)
      .field("numDataBuffers", &MemoryInfo::numDataBuffers)
      .field("numBytes", &MemoryInfo::numBytes)
      .field("heapUsed", &MemoryInfo::heapUsed)
      .field("cpuPool", &MemoryInfo::cpuPool)
      .field("peakBytes", &MemoryInfo::peakBytes)
      .field("scopes", &MemoryInfo::scopes);
  emscripten::function("memory", &memory);
  emscripten::function("tidy", &tidy);
  emscripten::function("dispose", &dispose);
}

}  // namespace tenure::wasm
