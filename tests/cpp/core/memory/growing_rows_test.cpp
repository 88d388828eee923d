#include "core/memory/growing_rows.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "count_failures.h"
#include "ops/ops.h"

namespace tenure {
namespace {

constexpr std::int32_t kCount = 3;
constexpr std::int32_t kSize = 4;
/// Allowance in bytes for bookkeeping.
constexpr std::size_t kElse = 1024;

std::size_t live() { return allocator_stats().live; }

/// Returns rows [kCount, length, kSize] whose values continue those of `first` rows before.
Tensor make_rows(std::int32_t first, std::int32_t length) {
  Tensor x({{kCount, length, kSize}, DType::kFloat32});
  float* to = x.mutable_data<float>();
  for (std::int32_t i = 0; i < kCount; ++i) {
    for (std::int32_t k = first; k < first + length; ++k) {
      for (std::int32_t j = 0; j < kSize; ++j) *to++ = static_cast<float>(i * 10000 + k * 10 + j);
    }
  }
  return x;
}

bool is_same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(equal(a, b)).data<std::uint8_t>()[0] != 0;
}

/// Returns the address of the rows in the block of a tensor that grows, else null.
const void* get_block(const Tensor& x) {
  const Tensor padded = GrowingRows::find_padded(x);
  return padded ? padded.storage()->data() : nullptr;
}

}  // namespace

TEST_CASE("Rows are appended in place until the block is full", "[storage][growing]") {
  const std::size_t before = live();
  {
    Tensor x = GrowingRows::append(make_rows(0, 20), make_rows(20, 1), 1);
    const void* block = get_block(x);
    int copies = 0;
    for (std::int32_t length = 21; length < 200; ++length) {
      x = GrowingRows::append(x, make_rows(length, 1), 1);
      copies += get_block(x) != block;
      block = get_block(x);
      REQUIRE(block);
    }
    CHECK(copies > 0);
    CHECK(copies < 10);
    REQUIRE(GrowingRows::of(x));
    CHECK(live() - before < std::size_t{kCount} * 225 * kSize * sizeof(float) + kElse);
    CHECK(is_same(x, make_rows(0, 200)));
    // The comparison has read a copy that it freed.
    CHECK(GrowingRows::of(x));
    // A read from outside takes the compact bytes for good.
    CHECK(x.data<float>()[200 * kSize] == 10000);
    CHECK_FALSE(GrowingRows::of(x));
  }
  CHECK(live() == before);
}

TEST_CASE("Tensors that share a block keep their values", "[storage][growing]") {
  const std::size_t before = live();
  {
    const Tensor first = GrowingRows::append(make_rows(0, 5), make_rows(5, 2), 1);
    const Tensor second = GrowingRows::append(first, make_rows(7, 1), 1);
    // The row behind those of `first` is taken.
    const Tensor other = GrowingRows::append(first, make_rows(100, 3), 1);
    CHECK_FALSE(GrowingRows::find_padded(first));
    CHECK(get_block(other) != get_block(second));
    CHECK(is_same(first, make_rows(0, 7)));
    CHECK(is_same(second, make_rows(0, 8)));
    CHECK(is_same(slice(other, {Dims{0, 0, 0}, Dims{kCount, 7, kSize}}), first));
    CHECK(is_same(slice(other, {Dims{0, 7, 0}, Dims{kCount, 3, kSize}}), make_rows(100, 3)));
    // Another shape of the same bytes can be appended to along the same axis.
    const Tensor reshaped = reshape(second, {Shape{kCount, 1, 8, kSize}});
    CHECK(is_same(
        reshape(GrowingRows::append(reshaped, reshape(make_rows(8, 1), {Shape{kCount, 1, 1, kSize}}), 2),
                {Shape{kCount, 9, kSize}}),
        make_rows(0, 9)));
    // Along another axis, it is copied.
    const Tensor rows = GrowingRows::append(second, second, 0);
    CHECK(is_same(rows, concat({make_rows(0, 8), make_rows(0, 8)}, {0})));
    CHECK_FALSE(GrowingRows::find_padded(rows));
  }
  CHECK(live() == before);
}

TEST_CASE("The rows behind those of a block are zeros", "[storage][growing]") {
  const Tensor x = GrowingRows::append(make_rows(0, 5), make_rows(5, 2), 1);
  const Tensor padded = GrowingRows::find_padded(x);
  REQUIRE(padded.dim(1) == 7 + 16);
  CHECK(is_same(slice(padded, {Dims{0, 0, 0}, Dims{kCount, 7, kSize}}), x));
  CHECK(is_same(slice(padded, {Dims{0, 7, 0}, Dims{kCount, 16, kSize}}),
                fill({.shape = {kCount, 16, kSize}, .dtype = DType::kFloat32})));
}

TEST_CASE("The memory of a block counts once", "[storage][growing]") {
  const Tensor first = GrowingRows::append(make_rows(0, 50), make_rows(50, 1), 1);
  const Tensor second = GrowingRows::append(first, make_rows(51, 1), 1);
  MemoryReport report;
  report.add(MemoryPart::kTensors, first.storage().get());
  report.add(MemoryPart::kTensors, second.storage().get());
  report.finalize();
  const std::size_t block = std::size_t{kCount} * (51 + 16) * kSize * sizeof(float);
  CHECK(report.bytes() >= block);
  CHECK(report.bytes() < block + kElse);
}

#ifdef TENURE_DEBUG
TEST_CASE("An append for which there is no memory changes nothing", "[storage][growing]") {
  const Tensor first = GrowingRows::append(make_rows(0, 5), make_rows(5, 1), 1);
  const Tensor rows = make_rows(6, 1);
  const std::size_t before = live();
  for (const Tensor& x : {first, make_rows(0, 6)}) {
    const std::size_t at_start = live();
    const int failures = test::count_failures(fault_injection::fail_allocation, [&] {
      try {
        const Tensor second = GrowingRows::append(x, rows, 1);
        fault_injection::fail_allocation(-1);
        CHECK(is_same(second, make_rows(0, 7)));
        return false;
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kOutOfMemory);
      }
      CHECK(live() == at_start);
      return true;
    });
    CHECK(failures > 0);
  }
  CHECK(live() == before);
  CHECK(is_same(first, make_rows(0, 6)));
}
#endif

}  // namespace tenure
