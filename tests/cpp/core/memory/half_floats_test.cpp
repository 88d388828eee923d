#include "core/memory/half_floats.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "cpu/quant/halves.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::from_half;
using test::make_halves;
using test::random_values;
using test::to_halves;
using test::widen;

/// Allowance in bytes for bookkeeping; far less than the elements.
constexpr std::size_t kElse = 1024;

std::size_t live() { return allocator_stats().live; }

}  // namespace

TEST_CASE("All halves become the floats of their values", "[storage][narrow]") {
  std::vector<std::uint16_t> halves(1 << 16);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  for (const std::size_t first : {0U, 3U}) {
    std::vector<float> floats(halves.size() - first);
    halves_to_floats(std::as_bytes(std::span(halves)).data() + first * 2, floats.size(), floats.data());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const float want = from_half(halves[first + i]);
      const bool is_same = std::bit_cast<std::uint32_t>(floats[i]) == std::bit_cast<std::uint32_t>(want);
      if (!is_same && !(std::isnan(want) && std::isnan(floats[i]))) FAIL("half " << halves[first + i]);
    }
  }
}

TEST_CASE("No halves have no address", "[storage][narrow]") { halves_to_floats(nullptr, 0, nullptr); }

TEST_CASE("Halves are read as float32, and take their own bytes", "[storage][narrow]") {
  const Shape shape{64, 48};
  const std::vector<std::uint16_t> halves = to_halves(random_values(shape));
  const std::size_t before = live();
  {
    const Tensor x = make_halves(halves, shape);
    const std::size_t bytes = halves.size() * sizeof(std::uint16_t);
    CHECK(live() - before < bytes + kElse);
    CHECK(x.storage()->resident_bytes() < bytes + kElse);
    {
      const ScopedMaterialization brief;
      CHECK(difference(x, widen(halves, shape)) == 0);
    }
    // Ops that need float32 convert them for as long as they run.
    CHECK(difference(add(x, Tensor::scalar(0)), widen(halves, shape)) == 0);
    CHECK(HalfFloats::of(x) != nullptr);
    CHECK(live() - before < bytes + kElse);
  }
  CHECK(live() == before);
}

TEST_CASE("Infinite and undefined halves, and few of them, are not held", "[storage][narrow]") {
  std::vector<std::uint16_t> halves(HalfFloats::kMinElements, 0x7bff);
  const auto can_hold = [&] { return HalfFloats::can_hold(std::as_bytes(std::span(halves))); };
  CHECK(can_hold());
  for (const std::uint16_t odd : {0x7c00, 0xfc00, 0x7c01, 0xffff}) {
    halves.back() = odd;
    CHECK_FALSE(can_hold());
  }
  halves.pop_back();
  CHECK_FALSE(can_hold());
}

TEST_CASE("Subnormal halves are counted", "[storage][narrow]") {
  std::vector<std::uint16_t> halves(2048, 0);
  const auto has_many = [&] { return HalfFloats::of(make_halves(halves, {2, 1024}))->has_many_subnormals(); };
  CHECK_FALSE(has_many());
  std::fill_n(halves.begin(), 32, 0x83ff);
  CHECK_FALSE(has_many());
  halves[32] = 1;
  CHECK(has_many());
  std::fill(halves.begin(), halves.end(), 0x400);
  CHECK_FALSE(has_many());
}

TEST_CASE("Gather reads halves as they are", "[storage][narrow]") {
  const Shape shape{64, 48};
  const std::vector<std::uint16_t> halves = to_halves(random_values(shape));
  const Tensor x = make_halves(halves, shape);
  Tensor indices({{2, 3}, DType::kInt32});
  for (int i = 0; i < 6; ++i) indices.mutable_data<std::int32_t>()[i] = i * 8 + 5;
  const std::size_t before = live();
  for (const std::int32_t axis : {0, 1}) {
    const Tensor y = gather(x, indices, {.axis = axis});
    CHECK(difference(y, gather(widen(halves, shape), indices, {.axis = axis})) == 0);
  }
  CHECK(HalfFloats::of(x) != nullptr);
  CHECK(live() == before);
}

}  // namespace tenure
