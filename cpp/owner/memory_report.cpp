#include "owner/memory_report.h"

namespace tenure {

std::size_t MemoryReport::scratch() const { return allocator.live - account.bytes(); }

MemoryReport report_memory(const Ownership& ownership) {
  MemoryReport report;
  add_users_to(report.account);
  ownership.handles().scan(1, [&](Handle, const Tensor& tensor, OwnerId owner) {
    Storage* storage = tensor.storage().get();
    const MemoryPart part = ownership.is_in_pipeline(owner) ? MemoryPart::kPipelines
                            : storage->handles() > 1        ? MemoryPart::kViews
                                                            : MemoryPart::kTensors;
    // Two handles would have two references: a buffer with one reference needs no deduplication.
    if (storage->references() == 1) {
      report.account.add_unshared(part, storage);
    } else {
      report.account.add(part, storage);
    }
    return true;
  });
  report.account.settle();
  report.allocator = allocator_stats();
  return report;
}

}  // namespace tenure
