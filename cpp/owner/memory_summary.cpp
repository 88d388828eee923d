#include "owner/memory_summary.h"

namespace tenure {

std::size_t MemorySummary::scratch() const { return allocator.live - report.bytes(); }

MemorySummary summarize_memory(const Ownership& ownership) {
  MemorySummary summary;
  add_tracked_memory(summary.report);
  ownership.handles().scan(1, [&](Handle, const Tensor& tensor, OwnerId owner) {
    Storage* storage = tensor.storage().get();
    const MemoryPart part = ownership.is_in_pipeline(owner) ? MemoryPart::kPipelines
                            : storage->handles() > 1        ? MemoryPart::kViews
                                                            : MemoryPart::kTensors;
    // Two handles would have two references: a buffer with one reference needs no deduplication.
    if (storage->references() == 1) {
      summary.report.add_unshared(part, storage);
    } else {
      summary.report.add(part, storage);
    }
    return true;
  });
  summary.report.finalize();
  summary.allocator = allocator_stats();
  return summary;
}

}  // namespace tenure
