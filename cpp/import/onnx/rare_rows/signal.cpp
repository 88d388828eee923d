// Windows and Fourier transforms.

#include <cmath>
#include <numbers>

#include "import/onnx/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

/// Returns a window: a sum of cosines with these coefficients.
Tensor cosine_sum(const Call& call, std::initializer_list<double> coefficients) {
  const std::int32_t size = call.integer(0);
  check_shape(size >= 0 && size < 1 << 24, "its size is ", size);
  const double period = call.attrs().flag("periodic", true) ? size : size - 1;
  std::vector<float> values;
  for (std::int32_t i = 0; i < size; ++i) {
    double value = 0;
    int k = 0;
    for (const double coefficient : coefficients)
      value += coefficient * std::cos(kTwoPi * i * k++ / std::max(period, 1.0));
    values.push_back(static_cast<float>(value));
  }
  return as_dtype(tensor1d(values), call.attrs().dtype("output_datatype"));
}

Tensor hann(const Call& call) { return cosine_sum(call, {0.5, -0.5}); }
Tensor hamming(const Call& call) { return cosine_sum(call, {25.0 / 46, -21.0 / 46}); }
Tensor blackman(const Call& call) { return cosine_sum(call, {0.42, -0.5, 0.08}); }

/// Returns [..., length, 1 or 2] as complex numbers [..., length].
Tensor to_complex(const Tensor& x) {
  check_shape(x.rank() >= 2 && (x.shape().back() == 1 || x.shape().back() == 2),
              "expected a last extent of 1 or 2, got ", x.shape());
  const Tensors parts = unstack(x, {x.rank() - 1});
  return complex(parts[0], parts.size() == 2 ? parts[1] : fill_like(parts[0]));
}

/// Crops or pads an axis with zeros to `length`.
Tensor set_length(const Tensor& x, int axis, std::int32_t length) {
  check_shape(length > 0, "its length is ", length);
  Dims begin;
  Dims size;
  PadAttrs pads;
  for (int i = 0; i < x.rank(); ++i) {
    begin.push_back(0);
    size.push_back(i == axis ? std::min(length, x.dim(i)) : x.dim(i));
    pads.before.push_back(0);
    pads.after.push_back(i == axis ? std::max(0, length - x.dim(i)) : 0);
  }
  return x.dim(axis) < length ? pad(x, pads) : slice(x, {begin, size});
}

/// Returns the spectrum of a real signal of `length` values from its first half, [..., length / 2 + 1, ...,
/// 2].
Tensor complete_spectrum(const Tensor& x, int axis, std::int32_t length) {
  Tensor half = set_length(x, axis, length / 2 + 1);
  Dims begin;
  Dims size = half.shape();
  for (int i = 0; i < x.rank(); ++i) begin.push_back(i == axis ? 1 : 0);
  size[axis] = length - half.dim(axis);
  if (size[axis] <= 0) return half;
  const Tensor mirrored = reverse(slice(half, {begin, size}), {Dims{axis}});
  return concat({half, mul(mirrored, tensor1d(std::vector<float>{1, -1}))}, {axis});
}

/// Transforms along an axis. One half of the spectrum stands for the whole of a real signal's if the node is
/// one-sided.
Tensor fourier(const Call& call) {
  const bool has_axis_input = opset(call) >= 20;
  std::int32_t axis = has_axis_input ? -2 : call.attrs().integer("axis", 1);
  if (has_axis_input && has(call, 2)) axis = call.integer(2);
  const Tensor& given = call[0];
  const int at = normalize_axis(axis, given.rank());
  check_shape(at + 1 < given.rank(), "axis ", axis, " is that of the real and imaginary parts");
  const bool inverts = call.attrs().flag("inverse");
  const bool is_onesided = call.attrs().flag("onesided");
  Tensor x = given;
  if (inverts && is_onesided) {
    const std::int64_t length = has(call, 1) ? call.integer(1) : 2 * (std::int64_t{given.dim(at)} - 1);
    check_shape(length > 0 && length < 1 << 30 && given.shape().back() == 2, "a spectrum of ", given.shape(),
                " does not fit a signal of ", length, " values");
    x = complete_spectrum(given, at, static_cast<std::int32_t>(length));
  } else if (has(call, 1)) {
    x = set_length(given, at, call.integer(1));
  }
  // The axis as the last one of complex numbers.
  PermutationAttrs swapped;
  for (int i = 0; i + 1 < x.rank(); ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[at], swapped.perm.back());
  PermutationAttrs pairs{swapped.perm};
  pairs.perm.push_back(x.rank() - 1);
  const bool is_last = at == x.rank() - 2;
  const Tensor values = to_complex(is_last ? x : transpose(x, pairs));
  const Tensor found = inverts ? ifft(values) : fft(values);
  Tensor result = inverts && is_onesided ? expand_dims(real(found), {found.rank()})
                                         : stack({real(found), imag(found)}, {found.rank()});
  if (is_onesided && !inverts) result = set_length(result, x.rank() - 2, x.dim(at) / 2 + 1);
  return is_last ? result : transpose(result, pairs);
}

/// Returns the transforms of windows of a signal, [batch, frames, values, 2].
Tensor short_time_fourier(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() >= 2, "expected a signal [batch, length, 1 or 2], got ", x.shape());
  const Tensor signal = x.rank() == 2 ? expand_dims(x, {2}) : x;
  const std::int32_t step = call.integer(1);
  const Tensor window = optional(call, 2);
  check(has(call, 3) || window, "it has neither a window nor a length of frames");
  const std::int32_t length = has(call, 3) ? call.integer(3) : window.dim(0);
  check_shape(length > 0 && step > 0 && length <= signal.dim(1), "frames of ", length, " in steps of ", step,
              " do not fit a signal of ", x.shape());
  const std::int32_t frames = (signal.dim(1) - length) / step + 1;
  check_shape(std::int64_t{frames} * length < 1 << 27, frames, " frames of ", length, " are too many");
  std::vector<std::int32_t> positions;
  for (std::int32_t i = 0; i < frames; ++i) {
    for (std::int32_t k = 0; k < length; ++k) positions.push_back(i * step + k);
  }
  const Tensor indices = reshape(tensor1d(positions), {Shape{frames, length}});
  Tensor parts = gather(signal, indices, {.axis = 1});
  if (window) parts = mul(parts, reshape(window, {Shape{-1, 1}}));
  const Tensor found = fft(to_complex(parts));
  const Tensor result = stack({real(found), imag(found)}, {found.rank()});
  return call.attrs().flag("onesided", true) ? set_length(result, 2, length / 2 + 1) : result;
}

/// Returns the matrix [length / 2 + 1, bins] that sums a spectrum into bins, evenly spaced in mel.
Tensor mel_weights(const Call& call) {
  const std::int32_t bins = call.integer(0);
  const std::int32_t length = call.integer(1);
  const double rate = call.number(2);
  check_shape(bins > 0 && length > 0 && bins < 1 << 20 && length < 1 << 28, "it has ", bins,
              " bins and a length of ", length);
  check(rate > 0, "its sample rate is ", rate);
  const auto to_mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double low = to_mel(call.number(3));
  const double step = (to_mel(call.number(4)) - low) / (bins + 2);
  const std::int32_t rows = length / 2 + 1;
  std::vector<std::int32_t> edges;
  for (std::int32_t i = 0; i < bins + 2; ++i) {
    const double hertz = 700 * (std::pow(10, (low + step * i) / 2595) - 1);
    const double edge = std::floor((length + 1.0) * hertz / rate);
    check(edge >= 0 && edge <= INT32_MAX, "its lowest or highest frequency is out of range");
    edges.push_back(static_cast<std::int32_t>(edge));
  }
  Tensor result({{rows, bins}, DType::kFloat32});
  float* to = result.mutable_data<float>();
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t bin = 0; bin < bins; ++bin) {
      const auto at = static_cast<std::size_t>(bin);
      const std::int32_t rise = edges[at + 1] - edges[at];
      const std::int32_t fall = edges[at + 2] - edges[at + 1];
      float weight = 0;
      if (rise == 0 && row == edges[at + 1]) weight = 1;
      if (rise != 0 && row >= edges[at] && row <= edges[at + 1])
        weight = static_cast<float>(row - edges[at]) / static_cast<float>(rise);
      if (fall != 0 && row >= edges[at + 1] && row < edges[at + 2])
        weight = static_cast<float>(edges[at + 2] - row) / static_cast<float>(fall);
      *to++ = weight;
    }
  }
  return as_dtype(result, call.attrs().dtype("output_datatype"));
}

constexpr Row kRows[] = {
    {"BlackmanWindow", blackman},     {"DFT", fourier},
    {"HammingWindow", hamming},       {"HannWindow", hann},
    {"MelWeightMatrix", mel_weights}, {"STFT", short_time_fourier},
};

}  // namespace

std::span<const Row> signal_rows() { return kRows; }

}  // namespace tenure::onnx
