// The custom ops AudioSpectrogram and Mfcc of models of speech.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/tflite/families.h"
#include "import/tflite/rare/custom_options.h"
#include "import/tflite/rare/flexbuffer.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr std::int32_t kMaxBands = 1 << 12;
// The graph of a plan has the nodes of all channels of sound.
constexpr std::int32_t kMaxAudioChannels = 64;

std::int32_t read_count(const Attributes& options, std::string_view name, std::int32_t lowest,
                        std::int32_t highest) {
  const std::int32_t count = options.integer(name, 0);
  check(count >= lowest && count <= highest, "its ", name, " is ", count, ", expected ", lowest, " to ",
        highest);
  return count;
}

/// Returns the magnitudes of the frequencies of each frame, or their squares: [channels, frames, frequencies]
/// of sound [samples, channels].
Tensor spectrogram(const Call& call) {
  const Attributes options = read_flexbuffer(read_option_bytes(call));
  const std::int32_t window = read_count(options, "window_size", 2, 1 << 20);
  const std::int32_t stride = read_count(options, "stride", 1, 1 << 20);
  const Tensor& x = call[0];
  check_shape(x.rank() == 2 && x.dim(1) <= kMaxAudioChannels,
              "expected sound [samples, channels] of at most ", kMaxAudioChannels, " channels, got ",
              x.shape());
  std::int32_t length = 1;
  while (length < window) length *= 2;
  const Tensor angles = mul(range({.count = window}),
                            Tensor::scalar(2 * std::numbers::pi_v<float> / static_cast<float>(window)));
  const Tensor half = Tensor::scalar(0.5F);
  const Tensor weights = sub(half, mul(half, run(Op::cos, {&angles})));
  Tensors channels;
  for (std::int32_t i = 0; i < x.dim(1); ++i) {
    const Tensor sound = slice(x, {{0, i}, {x.dim(0), 1}});
    const Tensor frames = mul(frame(sound, {.length = window, .step = stride}), weights);
    const Tensor spectrum = rfft(frames, {length});
    channels.push_back(run(Op::complex_abs, {&spectrum}));
  }
  check_shape(!channels.empty(), "the sound has no channels");
  const Tensor result = stack(channels, {0});
  return options.integer("magnitude_squared", 0) != 0 ? square(result) : result;
}

double to_mel(double frequency) { return 1127 * std::log1p(frequency / 700); }

/// Returns the weights [frequencies, bands] of triangles that are equally wide on the mel scale. Each
/// frequency belongs to two bands, or to one at the ends.
Tensor make_bands(const Attributes& options, std::int32_t frequencies, std::int32_t rate) {
  const std::int32_t bands = read_count(options, "filterbank_channel_count", 1, kMaxBands);
  // LiteRT reads the limits as integers.
  const double lower = std::trunc(options.number("lower_frequency_limit", 0));
  const double upper = std::trunc(options.number("upper_frequency_limit", 0));
  check(lower >= 0 && upper > lower && rate > 0 && upper <= rate, "its frequencies are ", lower, " to ",
        upper, " at a rate of ", rate);
  const double low = to_mel(lower);
  const double spacing = (to_mel(upper) - low) / (bands + 1);
  const double step = 0.5 * rate / (frequencies - 1);
  const auto last = std::min(static_cast<std::int32_t>(upper / step), frequencies - 1);
  Tensor weights = fill({.shape = {frequencies, bands}, .dtype = DType::kFloat32});
  float* to = weights.mutable_data<float>();
  for (auto i = static_cast<std::int32_t>(1.5 + lower / step); i <= last; ++i) {
    const double position = (to_mel(i * step) - low) / spacing;
    const auto band = static_cast<std::int32_t>(std::max(std::ceil(position) - 1, 0.0));
    const auto above = static_cast<float>(position - band);
    float* row = to + static_cast<std::size_t>(i) * static_cast<std::size_t>(bands);
    if (band > 0 && band <= bands) row[band - 1] = 1 - above;
    if (band < bands) row[band] = above;
  }
  return weights;
}

/// Returns the matrix [bands, coefficients] of a discrete cosine transform.
Tensor make_cosines(std::int32_t bands, std::int32_t coefficients) {
  Tensor cosines({{bands, coefficients}, DType::kFloat32});
  float* to = cosines.mutable_data<float>();
  const double norm = std::sqrt(2.0 / bands);
  for (std::int32_t i = 0; i < bands; ++i) {
    for (std::int32_t k = 0; k < coefficients; ++k)
      *to++ = static_cast<float>(norm * std::cos(k * std::numbers::pi / bands * (i + 0.5)));
  }
  return cosines;
}

/// Returns the mel-frequency cepstral coefficients of squared magnitudes [channels, frames, frequencies].
Tensor coefficients(const Call& call) {
  const Attributes options = read_flexbuffer(read_option_bytes(call));
  const Tensor& x = call[0];
  check_shape(x.rank() == 3 && x.dim(2) > 1, "expected magnitudes [channels, frames, frequencies], got ",
              x.shape());
  const Tensor bands = make_bands(options, x.dim(2), call.integer(1));
  const std::int32_t count = read_count(options, "dct_coefficient_count", 1, bands.dim(1));
  const Tensor rows = reshape(x, {Shape{x.dim(0) * x.dim(1), x.dim(2)}});
  const Tensor sums = log(maximum(mat_mul(sqrt(rows), bands), Tensor::scalar(1e-12F)));
  return reshape(mat_mul(sums, make_cosines(bands.dim(1), count)), {Shape{x.dim(0), x.dim(1), count}});
}

constexpr OpRow kRows[] = {
    {kCustom, {"AudioSpectrogram", spectrogram}},
    {kCustom, {"Mfcc", coefficients}},
};

}  // namespace

std::span<const OpRow> audio_rows() { return kRows; }

}  // namespace tenure::tflite
