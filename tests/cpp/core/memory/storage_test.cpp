#include "core/memory/storage.h"

#include <limits>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
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

/// Two bytes as their sum and their difference.
class SumAndDifference final : public DeferredData {
 public:
  static const char kForm;
  void unpack(void* to) const override {
    auto* bytes = static_cast<signed char*>(to);
    bytes[0] = static_cast<signed char>((sum + difference) / 2);
    bytes[1] = static_cast<signed char>((sum - difference) / 2);
  }
  std::size_t bytes() const override { return 0; }
  void add_to(MemoryReport& /*report*/, MemoryPart /*part*/) const override {}
  const char* form() const override { return &kForm; }

  int sum = 0;
  int difference = 0;
};
const char SumAndDifference::kForm = 0;

TEST_CASE("Bytes may be brought into another form, and are read as before", "[storage]") {
  const std::size_t before = allocator_stats().blocks;
  for (const bool is_view : {false, true}) {
    const StoragePtr owner = Storage::allocate(64);
    StoragePtr storage =
        is_view ? Storage::view(static_cast<char*>(owner->data()) + 8, 2, owner) : Storage::allocate(2);
    auto* data = static_cast<signed char*>(storage->data());
    data[0] = 5;
    data[1] = 3;
    REQUIRE(storage->can_replace_layout());
    auto form = std::make_unique<SumAndDifference>();
    SumAndDifference& made = *form;
    const StoragePtr bytes = storage->replace_layout(std::move(form));
    CHECK(bytes->data() == data);
    CHECK(bytes->bytes() == 2);
    made.sum = data[0] + data[1];
    made.difference = data[0] - data[1];
    data[0] = data[1] = 0;
    CHECK(storage->packed_as<SumAndDifference>() == &made);
    CHECK(storage->is_packed());
    {
      const ScopedMaterialization brief;
      CHECK(static_cast<signed char*>(storage->data())[0] == 5);
    }
    CHECK(storage->packed_as<SumAndDifference>() == &made);
    storage->pin();
    CHECK(static_cast<signed char*>(storage->data())[1] == 3);
    CHECK_FALSE(storage->is_packed());
    CHECK_FALSE(storage->can_replace_layout());
  }
  CHECK(allocator_stats().blocks == before);
}

TEST_CASE("Written bytes replace their packed form, wherever the bytes were", "[storage]") {
  const std::size_t before = allocator_stats().blocks;
  const auto packed = [] {
    auto form = std::make_unique<SumAndDifference>();
    form->sum = 8;
    form->difference = 2;
    return Storage::packed(2, std::move(form));
  };
  for (const bool was_read : {false, true}) {
    const StoragePtr storage = packed();
    CHECK(storage->on_cpu());
    CHECK(storage->bytes_on_cpu() == 0);
    const ScopedMaterialization brief;
    if (was_read) CHECK(static_cast<signed char*>(storage->data())[1] == 3);
    CHECK(storage->is_packed());
    CHECK((storage->bytes_on_cpu() > 0) == was_read);
    static_cast<signed char*>(storage->mutable_data())[0] = 7;
    CHECK_FALSE(storage->is_packed());
    storage->evict();
    CHECK(static_cast<signed char*>(storage->data())[0] == 7);
  }
  const StoragePtr storage = packed();
  {
    const ScopedMaterialization brief;
    storage->data();
    storage->evict();
    CHECK(storage->bytes_on_cpu() == 0);
    CHECK(static_cast<signed char*>(storage->data())[0] == 5);
  }
  CHECK(storage->is_packed());
  CHECK(storage->bytes_on_cpu() == 0);
  CHECK(static_cast<signed char*>(storage->data())[0] == 5);
  CHECK_FALSE(storage->is_packed());

  const StoragePtr unwritten = Storage::deferred(2);
  CHECK_FALSE(unwritten->on_cpu());
  CHECK_FALSE(unwritten->only_on_device());
  unwritten->mutable_data();
  CHECK(unwritten->on_cpu());
  CHECK(allocator_stats().blocks > before);
}

TEST_CASE("A storage takes over a block", "[storage]") {
  const std::size_t before = allocator_stats().live;
  {
    void* block = allocate(100 + Storage::kSlack);
    const StoragePtr storage = Storage::adopt(block, 100);
    CHECK(storage->data() == block);
    CHECK(storage->bytes() == 100);
  }
  CHECK(allocator_stats().live == before);
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
