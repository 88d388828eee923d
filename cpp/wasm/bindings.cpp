// The Embind export memory().

#include <emscripten/bind.h>

#include "owner/memory_summary.h"
#include "wasm/scratch.h"

namespace tenure::wasm {
namespace {

/// Counts and bytes as in TensorFlow.js's memory(), and their breakdown.
struct MemoryInfo {
  double numTensors;
  double numDataBuffers;
  double numBytes;
  double heapUsed;
  double tensorBytes;
  double views;
  double pipelines;
  double pinned;
  double tape;
  double weights;
  double scratch;
  double cpuPool;
  double gpuPool;
  double gpuTextures;
  double peakBytes;
  double scopes;
};

MemoryInfo memory() {
  const HandleTable& handles = ownership().handles();
  const MemorySummary summary = summarize_memory(ownership());
  const auto bytes = [&](MemoryPart part) { return static_cast<double>(summary.report.bytes(part)); };
  return {static_cast<double>(handles.size()),
          static_cast<double>(handles.buffers()),
          static_cast<double>(handles.bytes()),
          static_cast<double>(summary.heap_used()),
          bytes(MemoryPart::kTensors),
          bytes(MemoryPart::kViews),
          bytes(MemoryPart::kPipelines),
          bytes(MemoryPart::kPinned),
          bytes(MemoryPart::kTape),
          bytes(MemoryPart::kWeights),
          static_cast<double>(summary.scratch()),
          static_cast<double>(summary.allocator.pooled),
          static_cast<double>(summary.report.pooled_device_bytes()),
          static_cast<double>(summary.report.device_bytes()),
          static_cast<double>(summary.allocator.peak),
          static_cast<double>(ownership().open_scopes())};
}

}  // namespace

EMSCRIPTEN_BINDINGS(tenure) {
  emscripten::value_object<MemoryInfo>("MemoryInfo")
      .field("numTensors", &MemoryInfo::numTensors)
      .field("numDataBuffers", &MemoryInfo::numDataBuffers)
      .field("numBytes", &MemoryInfo::numBytes)
      .field("heapUsed", &MemoryInfo::heapUsed)
      .field("tensorBytes", &MemoryInfo::tensorBytes)
      .field("views", &MemoryInfo::views)
      .field("pipelines", &MemoryInfo::pipelines)
      .field("pinned", &MemoryInfo::pinned)
      .field("tape", &MemoryInfo::tape)
      .field("weights", &MemoryInfo::weights)
      .field("scratch", &MemoryInfo::scratch)
      .field("cpuPool", &MemoryInfo::cpuPool)
      .field("gpuPool", &MemoryInfo::gpuPool)
      .field("gpuTextures", &MemoryInfo::gpuTextures)
      .field("peakBytes", &MemoryInfo::peakBytes)
      .field("scopes", &MemoryInfo::scopes);
  emscripten::function("memory", &memory);
}

}  // namespace tenure::wasm
