#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

#include "core/checked_integers.h"
#include "core/error.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// Sums of products of 64 bits.
__extension__ using WideInteger = __int128;

/// Returns a result as int32. Throws an error with `words`, which describe it, if it is beyond.
template <class... Words>
std::int32_t narrow(std::int64_t result, const Words&... words) {
  if (result != static_cast<std::int32_t>(result)) [[unlikely]]
    fail(kCannotHold, words...);
  return static_cast<std::int32_t>(result);
}

/// Returns the quotient rounded down; 0 if b is 0, as Op::floor_div does.
std::int64_t divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Returns a^b, clamped. Negative powers are those of Op::pow.
std::int64_t raise(std::int64_t a, std::int64_t b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? 1 - 2 * (b & 1) : 0;
  std::int64_t power = 1;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) power = multiply_clamped(power, a);
    a = multiply_clamped(a, a);
  }
  return power;
}

/// Computes a function of two numbers. A single element of an input repeats.
template <class Function>
void compute(const KernelArgs& args, std::string_view sign, Function function) {
  const auto x = args.in[0].values<std::int32_t>();
  const auto y = args.in[1].values<std::int32_t>();
  const std::size_t stride_x = x.size() == 1 ? 0 : 1;
  const std::size_t stride_y = y.size() == 1 ? 0 : 1;
  auto* out = args.out.mutable_data<std::int32_t>();
  const std::size_t count = args.out.elements();
  bool is_beyond = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t result = function(std::int64_t{x[i * stride_x]}, std::int64_t{y[i * stride_y]});
    out[i] = static_cast<std::int32_t>(result);
    is_beyond |= result != out[i];
  }
  // Apart, as a loop that may throw takes several times as long.
  for (std::size_t i = 0; is_beyond && i < count; ++i) {
    const std::int64_t a = x[i * stride_x];
    const std::int64_t b = y[i * stride_y];
    narrow(function(a, b), a, " ", sign, " ", b);
  }
}

/// True if no sum of elements of a row can be beyond int32, as those of masks and shapes.
bool has_small_sums(const Tensor& x) {
  std::int32_t low = 0;
  std::int32_t high = 0;
  for (const std::int32_t value : x.values<std::int32_t>()) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const std::int64_t extent = x.shape().back();
  return high * extent <= std::numeric_limits<std::int32_t>::max() &&
         low * extent >= std::numeric_limits<std::int32_t>::min();
}

using Combine = std::int64_t (*)(std::int64_t, std::int64_t);

std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }

/// Combines the elements of each row, from `first` on.
[[gnu::noinline]] void reduce_rows(const KernelArgs& args, std::int64_t first, std::string_view what,
                                   Combine combine) {
  const std::int32_t* x = args.in[0].data<std::int32_t>();
  const auto extent = static_cast<std::size_t>(args.in[0].shape().back());
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t row = 0; row < args.out.elements(); ++row, x += extent) {
    std::int64_t result = first;
    for (std::size_t i = 0; i < extent; ++i) result = combine(result, x[i]);
    out[row] = narrow(result, "the ", what, " of ", extent, " elements");
  }
}

/// Stores the combinations of the first elements of each row.
[[gnu::noinline]] void scan_rows(const KernelArgs& args, std::int64_t first, std::string_view what,
                                 Combine combine) {
  const std::int32_t* x = args.in[0].data<std::int32_t>();
  const auto extent = static_cast<std::size_t>(args.in[0].shape().back());
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t left = args.out.elements(); left > 0; left -= extent, x += extent, out += extent) {
    std::int64_t result = first;
    bool is_beyond = false;
    for (std::size_t i = 0; i < extent; ++i) {
      result = combine(result, x[i]);
      out[i] = static_cast<std::int32_t>(result);
      is_beyond |= result != out[i];
    }
    check(!is_beyond, kCannotHold, "a cumulative ", what, " of ", extent, " elements");
  }
}

/// Multiplies each row of x by each row of y, batch by batch.
void multiply_rows(const KernelArgs& args) {
  const auto depth = static_cast<std::size_t>(args.in[0].shape().back());
  const auto rows = static_cast<std::size_t>(args.out.shape().back(1));
  const auto columns = static_cast<std::size_t>(args.out.shape().back());
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    const std::size_t row = i / columns;
    const std::int32_t* x = args.in[0].data<std::int32_t>() + row * depth;
    const std::int32_t* y = args.in[1].data<std::int32_t>() + (row / rows * columns + i % columns) * depth;
    WideInteger sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += std::int64_t{x[k]} * y[k];
    using Limits = std::numeric_limits<std::int64_t>;
    const auto result = static_cast<std::int64_t>(std::clamp<WideInteger>(sum, Limits::min(), Limits::max()));
    out[i] = narrow(result, "the sum of ", depth, " products");
  }
}

/// Truncates floats. NaN becomes 0, and infinity the highest or lowest number, as Op::cast does.
void truncate(const KernelArgs& args) {
  constexpr float kLimit = 2147483648.0F;
  const auto x = args.in[0].values<float>();
  bool are_within = true;
  for (const float value : x) are_within &= value >= -kLimit && value < kLimit;
  if (!are_within) {
    for (const float value : x) {
      const bool is_beyond = std::isfinite(value) && (value < -kLimit || value >= kLimit);
      check(!is_beyond, kCannotHold, static_cast<double>(value));
    }
  }
  cast(args);
}

/// Copies integers. Throws an error with the unsigned integer that a negative one stands for.
void copy_unsigned(const KernelArgs& args, bool has_64_bits) {
  auto* out = args.out.mutable_data<std::int32_t>();
  for (const std::int32_t value : args.in[0].values<std::int32_t>()) {
    // The last ten digits of 2^64 + value, before which there are always the same, or all of 2^32 + value.
    const std::int64_t digits = (has_64_bits ? 3709551616 : 4294967296) + value;
    check(value >= 0, kCannotHold, has_64_bits ? "1844674407" : "", digits);
    *out++ = value;
  }
}

/// Counts negative indices from the end of their axis.
void count_from_start(const KernelArgs& args, std::int32_t first_axis) {
  const auto indices = args.in[0].values<std::int32_t>();
  const auto extents = args.in[1].values<std::int32_t>();
  auto* out = args.out.mutable_data<std::int32_t>();
  bool is_outside = false;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    for (std::size_t i = k; i < indices.size(); i += extents.size()) {
      const std::int32_t index = indices[i] < 0 ? indices[i] + extents[k] : indices[i];
      is_outside |= index < 0 || index >= extents[k];
      out[i] = index;
    }
  }
  for (std::size_t i = 0; is_outside && i < indices.size(); ++i) {
    const std::size_t k = i % extents.size();
    check(out[i] >= 0 && out[i] < extents[k], "the index ", indices[i], " is out of bounds: axis ",
          first_axis + static_cast<std::int32_t>(k), " has the extent ", extents[k]);
  }
}

}  // namespace

void checked_arithmetic(const KernelArgs& args) {
  const auto [op, axis] = args.attrs.as<CheckedArithmeticAttrs>();
  const int last = args.in[0].rank() - 1;
  // The kernels without a check are faster.
  if (op == IntegerArithmetic::kSum && has_small_sums(args.in[0]))
    return sum({args.in, AttrsView(ReduceAttrs{.axes = {last}}), args.out});
  if (op == IntegerArithmetic::kCumulativeSum && has_small_sums(args.in[0]))
    return cumsum({args.in, AttrsView(CumulateAttrs{.axis = last}), args.out});
  switch (op) {
    case IntegerArithmetic::kAdd: return compute(args, "+", std::plus<>());
    case IntegerArithmetic::kSubtract: return compute(args, "-", std::minus<>());
    case IntegerArithmetic::kMultiply: return compute(args, "*", std::multiplies<>());
    case IntegerArithmetic::kDivide: return compute(args, "/", divide);
    case IntegerArithmetic::kPower: return compute(args, "to the power", raise);
    case IntegerArithmetic::kSum: return reduce_rows(args, 0, "sum", add);
    case IntegerArithmetic::kProduct: return reduce_rows(args, 1, "product", multiply_clamped);
    case IntegerArithmetic::kCumulativeSum: return scan_rows(args, 0, "sum", add);
    case IntegerArithmetic::kCumulativeProduct: return scan_rows(args, 1, "product", multiply_clamped);
    case IntegerArithmetic::kDotProducts: return multiply_rows(args);
    case IntegerArithmetic::kTruncate: return truncate(args);
    case IntegerArithmetic::kUint32: return copy_unsigned(args, false);
    case IntegerArithmetic::kUint64: return copy_unsigned(args, true);
    case IntegerArithmetic::kIndex: return count_from_start(args, axis);
  }
}

}  // namespace tenure::cpu
