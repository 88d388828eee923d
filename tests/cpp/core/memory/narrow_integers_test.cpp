#include "core/memory/narrow_integers.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "ops/ops.h"

namespace tenure {
namespace {

constexpr std::int32_t kRows = 64;
constexpr std::int32_t kColumns = 48;
/// Allowance in bytes for bookkeeping; far less than the elements.
constexpr std::size_t kElse = 1024;

std::size_t live() { return allocator_stats().live; }

std::vector<std::byte> count_up() {
  std::vector<std::byte> bytes(std::size_t{kRows} * kColumns);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

}  // namespace

TEST_CASE("Narrow integers are read as int32, and take their own bytes", "[storage][narrow]") {
  const std::vector<std::byte> bytes = count_up();
  for (const bool is_signed : {false, true}) {
    const std::size_t before = live();
    const Tensor x = NarrowIntegers::make(bytes, {kRows, kColumns}, 8, is_signed);
    CHECK(live() - before < bytes.size() + kElse);
    CHECK(x.storage()->resident_bytes() < bytes.size() + kElse);
    const ScopedMaterialization brief;
    const auto values = x.values<std::int32_t>();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = std::to_integer<std::uint8_t>(bytes[i]);
      if (values[i] != (is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte)))
        FAIL("element " << i << " is " << values[i]);
    }
  }
}

TEST_CASE("Integers of 4 bits have the low bits first", "[storage][narrow]") {
  const std::vector<std::byte> bytes = {std::byte{0x21}, std::byte{0xf8}};
  const Tensor plain = NarrowIntegers::make(bytes, {4}, 4, false);
  const Tensor with_sign = NarrowIntegers::make(bytes, {4}, 4, true);
  std::int32_t values[2];
  NarrowIntegers::of(plain)->read(1, 2, values);
  CHECK(values[0] == 2);
  CHECK(values[1] == 8);
  NarrowIntegers::of(with_sign)->read(2, 2, values);
  CHECK(values[0] == -8);
  CHECK(values[1] == -1);
}

TEST_CASE("Ops that read narrow integers leave them narrow", "[storage][narrow]") {
  const Tensor x = NarrowIntegers::make(count_up(), {kRows, kColumns}, 8, true);
  const Tensor plain = add(x, Tensor::scalar(0));
  REQUIRE(NarrowIntegers::of(x));
  const std::size_t before = live();
  const Tensor rows = gather(x, Tensor::from({5, 63}, {2}), {.axis = 0});
  CHECK(all(equal(rows, gather(plain, Tensor::from({5, 63}, {2}), {.axis = 0}))).data<std::uint8_t>()[0] ==
        1);
  CHECK(live() - before < 2 * kColumns * sizeof(std::int32_t) + kElse);
  CHECK(NarrowIntegers::of(x));
  std::vector<std::int32_t> numbers(3 * std::size_t{kRows}, 3);
  const Tensor left = Tensor::from(std::span<const std::int32_t>(numbers), {3, kRows});
  for (int i = 0; i < 2; ++i)
    CHECK(all(equal(mat_mul_integer(left, x), mat_mul_integer(left, plain))).data<std::uint8_t>()[0] == 1);
  CHECK(x.storage()->stays_packed());
  CHECK(x.storage()->resident_bytes() < std::size_t{kRows} * kColumns + kElse);
  CHECK(all(equal(add(x, Tensor::scalar(0)), plain)).data<std::uint8_t>()[0] == 1);
  CHECK(x.storage()->stays_packed());
}

TEST_CASE("Narrow integers whose transpose is stored are read in order", "[storage][narrow]") {
  const std::vector<std::byte> bytes = count_up();
  const std::vector<std::int32_t> numbers(std::size_t{3} * kRows, 3);
  for (const bool is_signed : {false, true}) {
    const std::size_t before = live();
    {
      const Tensor stored = NarrowIntegers::make(bytes, {kColumns, 4, kRows / 4}, 8, is_signed);
      const Tensor plain = transpose(stored, {Dims{1, 2, 0}});
      const Tensor x = NarrowIntegers::transpose(*NarrowIntegers::of(stored), {4, kRows / 4, kColumns});
      REQUIRE(NarrowIntegers::of(x));
      CHECK(all(equal(add(x, Tensor::scalar(0)), plain)).data<std::uint8_t>()[0] == 1);
      const Tensor indices = Tensor::from({1, 13, 6}, {3});
      CHECK(all(equal(gather(x, indices, {.axis = 1}), gather(plain, indices, {.axis = 1})))
                .data<std::uint8_t>()[0] == 1);
      const Tensor left = Tensor::from(
          std::span<const std::int32_t>(numbers).first(std::size_t{12} * kRows / 4), {4, 3, kRows / 4});
      CHECK(all(equal(mat_mul_integer(left, x), mat_mul_integer(left, plain))).data<std::uint8_t>()[0] == 1);
      const Tensor other = reshape(x, {Shape{kColumns, kRows}});
      const Tensor rows = Tensor::from(
          std::span<const std::int32_t>(numbers).first(2 * std::size_t{kColumns}), {2, kColumns});
      CHECK(all(equal(mat_mul_integer(rows, other),
                      mat_mul_integer(rows, reshape(plain, {Shape{kColumns, kRows}}))))
                .data<std::uint8_t>()[0] == 1);
    }
    CHECK(live() == before);
  }
}

TEST_CASE("Elements that fit become narrow", "[storage][narrow]") {
  const auto filled = [](std::int32_t first) {
    std::vector<std::int32_t> values(NarrowIntegers::kMinElements, 5);
    values[0] = first;
    return Tensor::from(std::span<const std::int32_t>(values), {static_cast<std::int32_t>(values.size())});
  };
  for (const std::int32_t first : {-128, -1, 0, 128, 255}) {
    const Tensor narrow = NarrowIntegers::compress(filled(first));
    REQUIRE(NarrowIntegers::of(narrow));
    CHECK(narrow.data<std::int32_t>()[0] == first);
    CHECK(narrow.data<std::int32_t>()[1] == 5);
  }
  CHECK_FALSE(NarrowIntegers::of(NarrowIntegers::compress(filled(256))));
  CHECK_FALSE(NarrowIntegers::of(NarrowIntegers::compress(filled(-129))));
  CHECK_FALSE(NarrowIntegers::of(NarrowIntegers::compress(Tensor::from({1, 2}, {2}))));
}

}  // namespace tenure
