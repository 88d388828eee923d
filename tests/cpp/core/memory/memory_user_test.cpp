#include "core/memory/memory_user.h"

#include "catch.h"

namespace tenure {
namespace {

struct Holder final : MemoryUser {
  explicit Holder(std::size_t bytes) : bytes(bytes) {}
  void add_to(Account& account) const override { account.add(MemoryPart::kPinned, bytes); }
  std::size_t bytes;
};

TEST_CASE("Users of memory are known while they live", "[memory_user]") {
  const auto pinned = [] {
    Account account;
    add_users_to(account);
    account.settle();
    return account.bytes(MemoryPart::kPinned);
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
