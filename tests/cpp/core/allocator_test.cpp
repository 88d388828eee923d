#include "core/allocator.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "catch.h"
#include "core/error.h"

namespace tenure {
namespace {

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

}  // namespace
}  // namespace tenure
