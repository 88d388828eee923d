#include "core/memory/allocator.h"
#include "core/memory/memory_user.h"
#include "gl/fixture.h"
#include "ops/ops.h"
#include "owner/memory_report.h"

namespace tenure::gl {

TEST_CASE("The report counts textures in use and free ones, and a trim frees the latter", "[gl][memory]") {
  const GlFixture gl;
  Ownership owner;
  const TextureStats& stats = context().textures().stats();
  owner.add(on_device(some_values({256, 256})));
  {
    const Tensor gone = exp(on_device(some_values({128, 128})));
  }
  const MemoryReport before = report_memory(owner);
  CHECK(before.account.textures() == stats.used_bytes);
  CHECK(before.account.pooled_textures() == stats.free_bytes + context().feedback_buffer().bytes());
  CHECK(stats.free_bytes > 0);
  trim_memory();
  const MemoryReport after = report_memory(owner);
  CHECK(after.account.textures() == before.account.textures());
  CHECK(after.account.pooled_textures() == 0);
}

TEST_CASE("A tensor on the device takes only its bookkeeping of the CPU's memory", "[gl][memory]") {
  const GlFixture gl;
  Ownership owner;
  owner.add(on_device(some_values({256, 256})));
  CHECK(report_memory(owner).account.bytes(MemoryPart::kTensors) == allocated_size(sizeof(Storage)));
}

}  // namespace tenure::gl
