#include "owner/handle_table.h"

#include <set>

#include "catch.h"
#include "core/error.h"

using namespace tenure;

namespace {

Tensor three_floats() { return Tensor::from({1.0F, 2.0F, 3.0F}, {3}); }

std::size_t to_count(const HandleTable& table, OwnerId owner) {
  std::size_t count = 0;
  table.for_each(owner, [&](Handle, const Tensor&) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("a handle finds its tensor until it is removed") {
  HandleTable table;
  const Handle handle = table.add(three_floats(), kUnscoped);
  REQUIRE(handle != 0);
  REQUIRE(table.find(handle)->values<float>()[2] == 3.0F);
  CHECK(table.size() == 1);
  CHECK(table.bytes() == 12);
  CHECK(table.remove(handle));
  CHECK(table.find(handle) == nullptr);
  CHECK_FALSE(table.remove(handle));
  CHECK(table.size() == 0);
  CHECK(table.bytes() == 0);
  CHECK(table.buffers() == 0);
}

TEST_CASE("handles that were never given are not alive") {
  HandleTable table;
  for (const Handle stranger : {Handle{0}, Handle{1}, Handle{1} << 32U, ~Handle{0}}) {
    CHECK(table.find(stranger) == nullptr);
    CHECK_FALSE(table.remove(stranger));
  }
}

TEST_CASE("a dead handle stays dead, however many others come and go") {
  HandleTable table;
  const Tensor tensor = three_floats();
  const Handle dead = table.add(tensor, kUnscoped);
  table.remove(dead);
  for (int i = 0; i < 2'500'000; ++i) {
    const Handle handle = table.add(tensor, kUnscoped);
    REQUIRE(handle < (Handle{1} << 53U));
    REQUIRE(table.find(dead) == nullptr);
    table.remove(handle);
  }
}

TEST_CASE("more tensors than 2^20 are alive at once") {
  HandleTable table;
  const Tensor tensor = three_floats();
  const std::size_t count = (1U << 20U) + 1000;
  table.reserve(count);
  Handle last = 0;
  for (std::size_t i = 0; i < count; ++i) last = table.add(tensor, 1);
  CHECK(table.size() == count);
  CHECK(table.find(last) != nullptr);
  CHECK(table.remove_all(1) == count);
  CHECK(table.find(last) == nullptr);
}

TEST_CASE("more tensors than can be are an error, and freeing one makes room") {
  HandleTable table(SlotLimits{.slots = 4});
  const Handle first = table.add(three_floats(), kUnscoped);
  table.add(three_floats(), kUnscoped);
  CHECK_THROWS_AS(table.reserve(2), Error);
  table.reserve(1);
  table.add(three_floats(), kUnscoped);
  CHECK_THROWS_AS(table.add(three_floats(), kUnscoped), Error);
  CHECK(table.size() == 3);
  table.remove(first);
  CHECK(table.find(table.add(three_floats(), kUnscoped)) != nullptr);
}

TEST_CASE("a shared buffer counts once, its bytes once for each handle") {
  HandleTable table;
  const Tensor tensor = three_floats();
  const Handle first = table.add(tensor, kUnscoped);
  const Handle second = table.add(tensor.with_shape({3, 1}), kUnscoped);
  CHECK(table.size() == 2);
  CHECK(table.buffers() == 1);
  CHECK(table.bytes() == 24);
  table.remove(first);
  CHECK(table.buffers() == 1);
  CHECK(table.find(second)->values<float>()[0] == 1.0F);
  table.remove(second);
  CHECK(table.buffers() == 0);
}

TEST_CASE("an owner is emptied alone, wherever its tensors stand in the list") {
  HandleTable table;
  const Handle a = table.add(three_floats(), 5);
  const Handle b = table.add(three_floats(), 5);
  const Handle c = table.add(three_floats(), 5);
  const Handle other = table.add(three_floats(), 6);
  table.set_owner(b, 6);
  CHECK(to_count(table, 5) == 2);
  CHECK(to_count(table, 6) == 2);
  CHECK(table.remove_all(5) == 2);
  CHECK(table.find(a) == nullptr);
  CHECK(table.find(c) == nullptr);
  CHECK(table.find(b) != nullptr);
  CHECK(table.find(other) != nullptr);
  CHECK(table.get_owner(b) == 6);
}

TEST_CASE("replacing the value behind a handle keeps the counts right") {
  HandleTable table;
  const Handle handle = table.add(three_floats(), kRetained);
  table.replace(handle, Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {4}));
  CHECK(table.size() == 1);
  CHECK(table.buffers() == 1);
  CHECK(table.bytes() == 16);
  table.replace(handle, *table.find(handle));
  CHECK(table.buffers() == 1);
  CHECK(table.bytes() == 16);
}

TEST_CASE("live handles are distinct") {
  HandleTable table;
  const Tensor tensor = three_floats();
  std::set<Handle> handles;
  for (int i = 0; i < 3000; ++i) handles.insert(table.add(tensor, kUnscoped));
  CHECK(handles.size() == 3000);
  CHECK(table.remove_all(kUnscoped) == 3000);
  CHECK(table.buffers() == 0);
}

TEST_CASE("a table that is rebuilt keeps its live handles, and frees those whose owner is gone") {
  constexpr OwnerId kScope = 7;
  constexpr OwnerId kGone = 8;
  HandleTable table;
  const Tensor shared = three_floats();
  const Handle first = table.add(shared, kScope);
  const Handle second = table.add(shared, kRetained);
  const Handle lost = table.add(shared, kGone);
  const Handle dead = table.add(three_floats(), kScope);
  table.remove(dead);
  table.set_borrowed(first);

  table.rebuild([](OwnerId owner) { return owner != kGone; });
  CHECK(table.find(lost) == nullptr);
  CHECK(table.find(dead) == nullptr);
  CHECK(table.find(first) != nullptr);
  CHECK(table.is_borrowed(first));
  CHECK(to_count(table, kScope) == 1);
  CHECK(to_count(table, kRetained) == 1);
  CHECK(to_count(table, kGone) == 0);
  CHECK(table.size() == 2);
  CHECK(table.bytes() == 24);
  CHECK(table.buffers() == 1);

  for (int i = 0; i < 3000; ++i) {
    const Handle handle = table.add(shared, kScope);
    REQUIRE(handle != lost);
    REQUIRE(handle != dead);
    table.remove(handle);
  }
  CHECK(table.remove_all(kScope) == 1);
  CHECK(table.remove(second));
  CHECK(table.size() == 0);
  CHECK(table.buffers() == 0);
}
