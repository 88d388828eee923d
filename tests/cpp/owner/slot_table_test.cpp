#include "owner/slot_table.h"

#include <set>

#include "catch.h"

using namespace tenure;

namespace {

struct Slot {
  std::uint32_t generation = 0;
  std::uint32_t next = 0;
  bool alive = false;
};

}  // namespace

TEST_CASE("no id is given twice, also where generations end") {
  SlotTable<Slot> table(SlotLimits{.slots = 100, .generations = 3, .quarantine = 1});
  std::set<Id> ids;
  std::uint32_t index = table.take();
  for (; index; index = table.take()) {
    CHECK(ids.insert(table.get_id(index)).second);
    table.release(index);
    for (const Id id : ids) REQUIRE(table.find(id) == 0);
  }
  // All slots but the unused one, each three times.
  CHECK(ids.size() == 99 * 3);
  CHECK(table.size() == 0);
  CHECK_FALSE(table.reserve(1));
}

TEST_CASE("an id fits a JavaScript number, and is none of its small integers") {
  SlotTable<Slot> table;
  const Id first = table.get_id(table.take());
  CHECK(first > (Id{1} << 32U));
  CHECK(first < (Id{1} << 53U));
  const SlotLimits limits;
  const Id last = (limits.slots - 1) | Id{limits.generations + 63} << 26U;
  CHECK(last < (Id{1} << 53U));
}

TEST_CASE("a slot rests before it is used again") {
  SlotTable<Slot> table(SlotLimits{.quarantine = 8});
  const std::uint32_t first = table.take();
  table.release(first);
  for (int i = 0; i < 8; ++i) {
    const std::uint32_t other = table.take();
    CHECK(other != first);
    table.release(other);
  }
  CHECK(table.take() == first);
}
