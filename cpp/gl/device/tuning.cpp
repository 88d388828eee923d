#include "gl/device/tuning.h"

#include <algorithm>

namespace tenure::gl {
namespace {

std::optional<Tuning>& override_slot() {
  static std::optional<Tuning> tuning;
  return tuning;
}

}  // namespace

Tuning Tuning::software() {
  return {.fetches_by_lod = true,
          .vertex_tiles = true,
          .divides_in_float = true,
          .prefers_cpu = true,
          .draws_squares = true,
          .busy_vertices = std::size_t{1} << 8};
}

bool is_slower_than_cpu(const DeviceRates& rates) {
  // SwiftShader reads 1.3e8 texels a second on two cores, llvmpipe 1e9. One CPU thread runs the kernels in
  // question in 1/6 to 1/40 of SwiftShader's time, so a device that reads 8e8 to 5e9 breaks even.
  constexpr double kEvenFetches = 2e9;
  const double fetches = std::max(rates.texel_fetches, rates.lod_fetches);
  // A device that could not be measured is assumed to be a GPU.
  return fetches > 0 && fetches < kEvenFetches;
}

Tuning choose_tuning(const DeviceRates& rates) {
  // The variants' results differ in the last bits, so a gain has to be worth that.
  constexpr double kGain = 1.2;
  const bool slow = is_slower_than_cpu(rates);
  Tuning tuning = slow ? Tuning::software() : Tuning::hardware();
  tuning.fetches_by_lod = rates.lod_fetches > kGain * rates.texel_fetches;
  tuning.divides_in_float = slow && rates.exact_division;
  tuning.vertex_tiles = slow || rates.vertex_products > kGain * rates.fragment_products;
  return tuning;
}

void override_tuning(const std::optional<Tuning>& tuning) { override_slot() = tuning; }
const std::optional<Tuning>& overridden_tuning() { return override_slot(); }

}  // namespace tenure::gl
