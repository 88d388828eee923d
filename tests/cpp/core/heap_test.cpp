#include "core/heap.h"

#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"
#include "core/memory_user.h"

using namespace tenure;

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
struct Keeper final : MemoryUser {
  explicit Keeper(std::size_t bytes) : bytes(bytes), block(allocate(bytes)) {}
  ~Keeper() override { Keeper::trim(); }
  void add_to(Account& account) const override { account.add(MemoryPart::kPinned, bytes); }
  void trim() noexcept override {
    if (block) deallocate(block, bytes);
    block = nullptr;
  }
  std::size_t bytes;
  void* block;
};

}  // namespace

TEST_CASE("a request beyond the budget is refused, and one within it is not", "[heap]") {
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

TEST_CASE("what is kept to be quick goes before a request is refused", "[heap]") {
  const Budget budget(4 * kMegabyte);
  Keeper keeper(3 * kMegabyte);
  void* block = allocate(2 * kMegabyte);
  CHECK(keeper.block == nullptr);
  deallocate(block, 2 * kMegabyte);
}

TEST_CASE("pooled blocks count, and are freed for what does not fit beside them", "[heap]") {
  const Budget budget(4 * kMegabyte);
  for (int i = 0; i < 3; ++i) deallocate(allocate(kMegabyte - 64 * 1024 * i), kMegabyte - 64 * 1024 * i);
  void* block = allocate(4 * kMegabyte - 64);
  CHECK(allocator_stats().pooled == 0);
  deallocate(block, 4 * kMegabyte - 64);
}

TEST_CASE("a budget below what is in use lets go of the pools, and refuses what comes", "[heap]") {
  void* block = allocate(2 * kMegabyte);
  deallocate(allocate(1000), 1000);
  set_memory_budget(1000);
  CHECK(memory_budget() == 1000);
  CHECK(allocator_stats().pooled == 0);
  CHECK_THROWS_AS(allocate(2 * kMegabyte), Error);
  set_memory_budget(kNoBudget);
  deallocate(block, 2 * kMegabyte);
}

TEST_CASE("users of memory are known while they live", "[heap]") {
  const auto pinned = [] {
    Account account;
    add_users_to(account);
    account.settle();
    return account.bytes(MemoryPart::kPinned);
  };
  const std::size_t before = pinned();
  {
    const Keeper first(100);
    CHECK(pinned() == before + 100);
    {
      const Keeper second(10);
    }
    CHECK(pinned() == before + 100);
  }
  CHECK(pinned() == before);
}
