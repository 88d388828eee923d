#include "core/number_table.h"

#include <memory>
#include <set>

#include "catch.h"

namespace tenure {
namespace {

using Object = std::unique_ptr<int>;

TEST_CASE("A number finds its object until the object is removed", "[core]") {
  NumberTable<Object> table;
  const int first = table.add(std::make_unique<int>(7));
  const int second = table.add(std::make_unique<int>(8));
  REQUIRE(table.find(first));
  CHECK(**table.find(first) == 7);
  CHECK(**table.find(second) == 8);
  CHECK(*table.remove(first) == 7);
  CHECK(table.find(first) == nullptr);
  CHECK(table.remove(first) == nullptr);
  CHECK(**table.find(second) == 8);
}

TEST_CASE("The number of a removed object does not become another one's", "[core]") {
  // Four generations of each slot.
  NumberTable<Object, 28> table;
  std::set<int> numbers;
  for (int i = 0; i < 9; ++i) {
    const int number = table.add(std::make_unique<int>(i));
    CHECK(number >= 0);
    CHECK(number < 1 << 30);
    CHECK(numbers.insert(number).second);
    CHECK(*table.remove(number) == i);
    for (const int earlier : numbers) CHECK(table.find(earlier) == nullptr);
  }
}

TEST_CASE("Numbers without an object find none", "[core]") {
  NumberTable<Object> table;
  table.add(std::make_unique<int>(1));
  for (const int number : {-1, -(1 << 30), 1, 1 << 20, (1 << 20) + 1, (1 << 30) - 1})
    CHECK(table.find(number) == nullptr);
}

TEST_CASE("A table has room for as many objects as it can number", "[core]") {
  NumberTable<Object, 2> table;
  for (int i = 0; i < 4; ++i) CHECK(table.add(std::make_unique<int>(i)) == i);
  CHECK_THROWS_AS(table.add(std::make_unique<int>(4)), Error);
  int sum = 0;
  table.for_each([&](const Object& object) { sum += *object; });
  CHECK(sum == 6);
}

}  // namespace
}  // namespace tenure
