#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

std::int32_t get_length(const Call& call) { return call.size() > 1 ? call.integer(1) : -1; }

Tensor half_transform(const Call& call) { return rfft(call[0], {get_length(call)}); }

/// Returns the inverse real transform of the first `length / 2 + 1` values; of all values if `length` is -1.
Tensor inverse_half_transform(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() > 0, "expected a rank of 1 or more, got a scalar");
  const std::int32_t length = get_length(call);
  const std::int32_t given = x.shape().back();
  if (length == -1 || length == 2 * (given - 1)) return irfft(x);
  const std::int32_t needed = length / 2 + 1;
  check_shape(length > 0 && length % 2 == 0 && needed <= given, "expected an even fft_length of at most ",
              2 * (given - 1), ", got ", length);
  Dims begin;
  Dims size = x.shape();
  for (int i = 0; i < x.rank(); ++i) begin.push_back(0);
  size[size.rank - 1] = needed;
  return irfft(slice(x, {begin, size}));
}

constexpr Row kRows[] = {
    {"FFT", Op::fft, 1},
    {"IFFT", Op::ifft, 1},
    {"RFFT", half_transform},
    {"IRFFT", inverse_half_transform},
};

}  // namespace

std::span<const Row> spectral_rows() { return kRows; }

}  // namespace tenure::graphdef
