#include "core/storage.h"

#include <limits>

#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"
#include "core/tensor.h"

namespace tenure {
namespace {

TEST_CASE("Storage lives as long as somebody refers to it", "[storage]") {
  const std::size_t before = allocator_stats().blocks;
  {
    StoragePtr first = Storage::allocate(100);
    CHECK(first->bytes() == 100);
    CHECK(first->references() == 1);
    StoragePtr second = first;
    CHECK(first->references() == 2);
    CHECK(first == second);
    StoragePtr third = std::move(second);
    CHECK(first->references() == 2);
    first = StoragePtr();
    CHECK(third->references() == 1);
  }
  CHECK(allocator_stats().blocks == before);
}

TEST_CASE("Assigning storage to itself keeps it", "[storage]") {
  StoragePtr storage = Storage::allocate(8);
  const StoragePtr& same = storage;
  storage = same;
  CHECK(storage->references() == 1);
}

TEST_CASE("A view keeps its owner alive", "[storage]") {
  const std::size_t before = allocator_stats().blocks;
  {
    StoragePtr owner = Storage::allocate(64);
    StoragePtr view = Storage::view(static_cast<char*>(owner->data()) + 16, 32, owner);
    CHECK(owner->references() == 2);
    owner = StoragePtr();
    static_cast<char*>(view->data())[31] = 1;
    CHECK(view->bytes() == 32);
  }
  CHECK(allocator_stats().blocks == before);
}

TEST_CASE("Slack behind the bytes may be read", "[storage]") {
  const StoragePtr storage = Storage::allocate(1);
  std::fill_n(static_cast<char*>(storage->data()), 1 + Storage::kSlack, '\1');
  CHECK(static_cast<char*>(storage->data())[Storage::kSlack] == 1);
}

TEST_CASE("A failed allocation leaves nothing behind", "[storage]") {
  const AllocatorStats before = allocator_stats();
  CHECK_THROWS_AS(Storage::allocate(std::numeric_limits<std::size_t>::max()), Error);
  CHECK_THROWS_AS(Storage::allocate(std::numeric_limits<std::size_t>::max() / 2), Error);
  CHECK(allocator_stats().blocks == before.blocks);
  CHECK(allocator_stats().live == before.live);
}

TEST_CASE("A tensor shares its bytes with its copies and its reshapes", "[storage]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {4});
  const Tensor y = x.with_shape({2, 2});
  CHECK(y.storage() == x.storage());
  CHECK(y.bytes() == 16);
  CHECK_THROWS_AS(x.with_shape({3}), Error);
  CHECK_THROWS_AS(Tensor::from({1.0F}, {2}), Error);
  CHECK_FALSE(static_cast<bool>(Tensor()));
  const Tensor symbolic = Tensor::symbolic({{2}, DType::kInt32}, 5);
  CHECK(static_cast<bool>(symbolic));
  CHECK_FALSE(symbolic.has_data());
}

}  // namespace
}  // namespace tenure
