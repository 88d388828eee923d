#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "gl/fixture.h"
#include "ops/ops.h"
#include "owner/memory_summary.h"

namespace tenure::gl {

TEST_CASE("The report counts textures in use and free ones, and a trim frees the latter", "[gl][memory]") {
  const GlFixture gl;
  Ownership owner;
  const TextureStats& stats = context().textures().stats();
  owner.add(on_device(random_values({256, 256})));
  {
    const Tensor gone = exp(on_device(random_values({128, 128})));
  }
  const MemorySummary before = summarize_memory(owner);
  CHECK(before.report.device_bytes() == stats.used_bytes);
  CHECK(before.report.pooled_device_bytes() == stats.free_bytes + context().feedback_buffer().bytes());
  CHECK(stats.free_bytes > 0);
  trim_memory();
  const MemorySummary after = summarize_memory(owner);
  CHECK(after.report.device_bytes() == before.report.device_bytes());
  CHECK(after.report.pooled_device_bytes() == 0);
}

TEST_CASE("A tensor on the device takes only its bookkeeping of the CPU's memory", "[gl][memory]") {
  const GlFixture gl;
  Ownership owner;
  owner.add(on_device(random_values({256, 256})));
  CHECK(summarize_memory(owner).report.bytes(MemoryPart::kTensors) == allocated_size(sizeof(Storage)));
}

}  // namespace tenure::gl
