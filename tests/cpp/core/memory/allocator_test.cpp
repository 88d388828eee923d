#include "core/memory/allocator.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/memory/memory_tracked.h"

namespace tenure {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// No budget again at the end of a test.
struct Budget {
  explicit Budget(std::size_t more) {
    trim_memory();
    set_memory_budget(allocator_stats().live + more);
  }
  ~Budget() { set_memory_budget(kNoBudget); }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
};

/// Keeps a block to be quick, as a pool does.
struct Keeper final : MemoryTracked {
  explicit Keeper(std::size_t bytes) : bytes(bytes), block(allocate(bytes)) {}
  ~Keeper() override { Keeper::trim(); }
  void add_to(MemoryReport& report) const override { report.add(MemoryPart::kPinned, bytes); }
  void trim() noexcept override {
    if (block) deallocate(block, bytes);
    block = nullptr;
  }
  std::size_t bytes;
  void* block;
};

TEST_CASE("Blocks are aligned, distinct and as large as asked", "[allocator]") {
  const AllocatorStats before = allocator_stats();
  struct Block {
    unsigned char* data;
    std::size_t bytes;
  };
  std::vector<Block> blocks;
  for (const std::size_t bytes :
       {0, 1, 31, 32, 33, 40, 41, 56, 64, 65, 100, 1000, 4097, 65536, 1 << 20, (1 << 20) + 1}) {
    auto* data = static_cast<unsigned char*>(allocate(bytes));
    REQUIRE(data != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(data) % (bytes < 1024 ? 16 : 64) == 0);
    std::memset(data, static_cast<int>(blocks.size()), bytes);
    blocks.push_back({data, bytes});
  }
  CHECK(allocator_stats().blocks == before.blocks + blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t k = 0; k < blocks[i].bytes; ++k) REQUIRE(blocks[i].data[k] == i);
    deallocate(blocks[i].data, blocks[i].bytes);
  }
  CHECK(allocator_stats().live == before.live);
  CHECK(allocator_stats().blocks == before.blocks);
  CHECK(allocator_stats().peak >= before.live + (2 << 20));
}

TEST_CASE("What is in use and what is pooled add up", "[allocator]") {
  trim_allocator();
  CHECK(allocator_stats().pooled == 0);
  const std::size_t live = allocator_stats().live;
  void* block = allocate(1000);
  const std::size_t capacity = allocator_stats().live - live;
  CHECK(capacity >= 1000);
  CHECK(capacity <= 1250);
  deallocate(block, 1000);
  // Nothing is pooled where a sanitizer watches what was given back.
  const std::size_t pooled = allocator_stats().pooled;
  CHECK((pooled == capacity || pooled == 0));
  if (pooled > 0) {
    CHECK(allocate(1000) == block);
    CHECK(allocator_stats().pooled == 0);
    deallocate(block, 1000);
  }
  trim_allocator();
  CHECK(allocator_stats().pooled == 0);
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Large blocks go back to the system at once", "[allocator]") {
  trim_allocator();
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  deallocate(allocate(kLarge), kLarge);
  CHECK(allocator_stats().pooled == 0);
}

TEST_CASE("The pool is bounded", "[allocator]") {
  constexpr std::size_t kBytes = 1 << 20;
  std::vector<void*> blocks;
  for (int i = 0; i < 40; ++i) blocks.push_back(allocate(kBytes));
  for (void* block : blocks) deallocate(block, kBytes);
  CHECK(allocator_stats().pooled <= std::size_t{16} << 20);
  trim_allocator();
}

TEST_CASE("More than can be addressed is refused, and work goes on", "[allocator]") {
  const std::size_t live = allocator_stats().live;
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {kAll, kAll - 15, kAll / 2 + 1}) {
    try {
      allocate(bytes);
      FAIL("allocated " << bytes << " bytes");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
      CHECK(std::string(error.what()).find("out of memory: cannot allocate") == 0);
    }
  }
  CHECK(allocator_stats().live == live);
  deallocate(allocate(100), 100);
}

TEST_CASE("A request beyond the budget is refused, and one within it is not", "[allocator]") {
  const Budget budget(4 * kMegabyte);
  const AllocatorStats before = allocator_stats();
  try {
    allocate(5 * kMegabyte);
    FAIL("the budget was passed");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kOutOfMemory);
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("of a budget of"));
  }
  CHECK(allocator_stats().live == before.live);
  CHECK(allocator_stats().blocks == before.blocks);
  void* block = allocate(3 * kMegabyte);
  CHECK_THROWS_AS(allocate(2 * kMegabyte), Error);
  deallocate(block, 3 * kMegabyte);
  deallocate(allocate(3 * kMegabyte), 3 * kMegabyte);
}

TEST_CASE("What is kept to be quick goes before a request is refused", "[allocator]") {
  const Budget budget(4 * kMegabyte);
  Keeper keeper(3 * kMegabyte);
  void* block = allocate(2 * kMegabyte);
  CHECK(keeper.block == nullptr);
  deallocate(block, 2 * kMegabyte);
}

TEST_CASE("Pooled blocks count, and are freed for what does not fit beside them", "[allocator]") {
  const Budget budget(4 * kMegabyte);
  for (int i = 0; i < 3; ++i) deallocate(allocate(kMegabyte - 64 * 1024 * i), kMegabyte - 64 * 1024 * i);
  void* block = allocate(4 * kMegabyte - 64);
  CHECK(allocator_stats().pooled == 0);
  deallocate(block, 4 * kMegabyte - 64);
}

TEST_CASE("A budget below what is in use lets go of the pools, and refuses what comes", "[allocator]") {
  void* block = allocate(2 * kMegabyte);
  deallocate(allocate(1000), 1000);
  set_memory_budget(1000);
  CHECK(memory_budget() == 1000);
  CHECK(allocator_stats().pooled == 0);
  CHECK_THROWS_AS(allocate(2 * kMegabyte), Error);
  set_memory_budget(kNoBudget);
  deallocate(block, 2 * kMegabyte);
}

}  // namespace
}  // namespace tenure
