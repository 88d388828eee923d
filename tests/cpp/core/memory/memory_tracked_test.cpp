#include "core/memory/memory_tracked.h"

#include "catch.h"

namespace tenure {
namespace {

struct Holder final : MemoryTracked {
  explicit Holder(std::size_t bytes) : bytes(bytes) {}
  void add_to(MemoryReport& report) const override { report.add(MemoryPart::kPinned, bytes); }
  std::size_t bytes;
};

TEST_CASE("Users of memory are known while they live", "[memory_tracked]") {
  const auto pinned = [] {
    MemoryReport report;
    add_tracked_memory(report);
    report.finalize();
    return report.bytes(MemoryPart::kPinned);
  };
  const std::size_t before = pinned();
  {
    const Holder first(100);
    CHECK(pinned() == before + 100);
    {
      const Holder second(10);
    }
    CHECK(pinned() == before + 100);
  }
  CHECK(pinned() == before);
}

}  // namespace
}  // namespace tenure
