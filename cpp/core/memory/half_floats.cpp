#include "core/memory/half_floats.h"

#include <algorithm>
#include <cstring>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"

namespace tenure {
namespace {

// Vectors of half floats: models are loaded before JavaScript engines have optimised any loop.
constexpr std::size_t kHalves = 4;
typedef std::uint16_t Halves __attribute__((vector_size(kHalves * sizeof(std::uint16_t))));
typedef std::uint32_t Words __attribute__((vector_size(kHalves * sizeof(std::uint32_t))));
typedef float Singles __attribute__((vector_size(kHalves * sizeof(float))));

/// The bits of the exponent, all set for an infinity or a NaN.
constexpr std::uint16_t kExponent = 0x7c00;
// Subnormal operands of a multiplication take from none to 150 cycles, by the processor.
constexpr std::size_t kSubnormalShare = 64;

/// Converts half precision to single. The exponent is rebased by a multiplication, which is also correct for
/// subnormals.
Singles convert(Halves halves) {
  const Words half = __builtin_convertvector(halves, Words);
  const Words magnitude = half & 0x7fffU;
  const Words rebased = (Words)((Singles)(magnitude << 13) * 0x1p112F);
  const Words not_finite = magnitude << 13 | 0x7f800000U;
  return (Singles)((half & 0x8000U) << 16 | (magnitude >= kExponent ? not_finite : rebased));
}

/// Returns the number of elements whose magnitude `is_counted`.
template <class Predicate>
std::size_t count_magnitudes(const std::byte* from, std::size_t count, Predicate is_counted) {
  std::size_t counted = 0;
  for (std::size_t i = 0; i < count; ++i, from += sizeof(std::uint16_t)) {
    std::uint16_t half;
    std::memcpy(&half, from, sizeof(half));
    counted += is_counted(half & 0x7fffU) ? 1 : 0;
  }
  return counted;
}

}  // namespace

const char HalfFloats::kForm = 0;

void halves_to_floats(const std::byte* from, std::size_t count, float* to) {
  Halves halves = {};
  for (; count >= kHalves; count -= kHalves, from += sizeof(halves), to += kHalves) {
    std::memcpy(&halves, from, sizeof(halves));
    const Singles singles = convert(halves);
    std::memcpy(to, &singles, sizeof(singles));
  }
  if (count == 0) return;
  std::memcpy(&halves, from, count * sizeof(std::uint16_t));
  const Singles last = convert(halves);
  std::memcpy(to, &last, count * sizeof(float));
}

bool HalfFloats::can_hold(std::span<const std::byte> stored) {
  const std::size_t count = stored.size() / sizeof(std::uint16_t);
  if (count < kMinElements) return false;
  return count_magnitudes(stored.data(), count, [](unsigned magnitude) { return magnitude >= kExponent; }) ==
         0;
}

HalfFloats::HalfFloats(StoragePtr stored, std::size_t count) : stored_(std::move(stored)), count_(count) {
  const auto is_subnormal = [](unsigned magnitude) { return magnitude - 1 < 0x3ffU; };
  has_many_subnormals_ = count_magnitudes(static_cast<const std::byte*>(stored_->data()), count,
                                          is_subnormal) > count / kSubnormalShare;
}

Tensor HalfFloats::make(std::span<const std::byte> stored, const Shape& shape) {
  StoragePtr copy = Storage::allocate(stored.size());
  std::copy(stored.begin(), stored.end(), static_cast<std::byte*>(copy->mutable_data()));
  return make(std::move(copy), shape);
}

Tensor HalfFloats::make(StoragePtr stored, const Shape& shape) {
  const TensorSpec spec{shape, DType::kFloat32};
  std::unique_ptr<HalfFloats> form(new HalfFloats(std::move(stored), shape.elements()));
  return Tensor(Storage::packed(checked_bytes(spec), std::move(form)), spec);
}

std::size_t HalfFloats::bytes() const { return allocated_size(sizeof(Storage)) + stored_->bytes_on_cpu(); }

void HalfFloats::add_to(MemoryReport& report, MemoryPart part) const { report.add(part, stored_.get()); }

void HalfFloats::read(std::size_t first, std::size_t count, float* to) const {
  halves_to_floats(reinterpret_cast<const std::byte*>(stored() + first), count, to);
}

}  // namespace tenure
