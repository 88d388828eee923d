#include "owner/memory_report.h"

namespace tenure {

std::size_t MemoryReport::scratch() const {
  std::size_t held = 0;
  for (const MemoryPart part : {MemoryPart::kWeights, MemoryPart::kTensors, MemoryPart::kViews,
                                MemoryPart::kTape, MemoryPart::kPinned}) {
    held += account.bytes(part);
  }
  return allocator.live - held;
}

MemoryReport report_memory(const Ownership& ownership) {
  MemoryReport report;
  add_users_to(report.account);
  ownership.handles().scan(1, [&](Handle, const Tensor& tensor, OwnerId) {
    Storage* storage = tensor.storage().get();
    report.account.add(storage->handles() > 1 ? MemoryPart::kViews : MemoryPart::kTensors, storage);
    return true;
  });
  report.account.settle();
  report.allocator = allocator_stats();
  return report;
}

}  // namespace tenure
