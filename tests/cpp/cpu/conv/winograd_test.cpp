#include "cpu/conv/winograd.h"

#include <random>
#include <vector>

#include "catch.h"
#include "core/memory/storage.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {
namespace {

using winograd::Form;

struct Case {
  Form form;
  Shape x;
  int out_channels;
  Padding padding;
  Activation activation;
  bool bias;
};

/// Returns `count` random floats, followed by the slack that kernels may read.
std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution;
  std::vector<float> values(count + Storage::kSlack / sizeof(float));
  for (float& value : values) value = distribution(engine);
  return values;
}

/// Returns the convolution by its definition, summed in double, NHWC.
std::vector<double> by_definition(const ConvGeometry& g, const std::vector<float>& x,
                                  const std::vector<float>& filter, const std::vector<float>& bias,
                                  bool has_bias) {
  std::vector<double> out;
  for (int n = 0; n < g.batch; ++n) {
    for (int y = 0; y < g.h.out; ++y) {
      for (int at = 0; at < g.w.out; ++at) {
        for (int k = 0; k < g.out_channels; ++k) {
          double sum = has_bias ? bias[static_cast<std::size_t>(k)] : 0;
          for (int tap = 0; tap < 9; ++tap) {
            const int row = g.h.origin(y) + tap / 3;
            const int column = g.w.origin(at) + tap % 3;
            if (row < 0 || row >= g.h.in || column < 0 || column >= g.w.in) continue;
            for (int c = 0; c < g.in_channels; ++c) {
              const int from = ((n * g.h.in + row) * g.w.in + column) * g.in_channels + c;
              const int weight = (tap * g.in_channels + c) * g.out_channels + k;
              sum += static_cast<double>(x[static_cast<std::size_t>(from)]) *
                     filter[static_cast<std::size_t>(weight)];
            }
          }
          out.push_back(sum);
        }
      }
    }
  }
  return out;
}

const Case kCases[] = {
    {Form::kF4x4, {1, 12, 12, 16}, 16, Padding::kSame, Activation::kLinear, false},
    {Form::kF4x4, {2, 7, 9, 17}, 19, Padding::kSame, Activation::kRelu, true},
    {Form::kF4x4, {1, 6, 6, 16}, 16, Padding::kValid, Activation::kRelu6, true},
    {Form::kF4x4, {3, 5, 3, 33}, 21, Padding::kValid, Activation::kSigmoid, true},
    {Form::kF4x4, {1, 1, 4, 18}, 16, Padding::kSame, Activation::kLinear, true},
    {Form::kF4x4, {1, 30, 41, 20}, 24, Padding::kSame, Activation::kSwish, false},
    {Form::kF4x4, {1, 14, 14, 256}, 40, Padding::kSame, Activation::kLinear, true},
    {Form::kStride2, {1, 12, 12, 16}, 16, Padding::kSame, Activation::kLinear, false},
    {Form::kStride2, {2, 7, 9, 20}, 19, Padding::kSame, Activation::kRelu, true},
    {Form::kStride2, {1, 6, 6, 4}, 8, Padding::kValid, Activation::kRelu6, true},
    {Form::kStride2, {3, 5, 3, 36}, 21, Padding::kValid, Activation::kSigmoid, true},
    {Form::kStride2, {1, 1, 4, 8}, 12, Padding::kSame, Activation::kLinear, true},
    {Form::kStride2, {1, 31, 43, 24}, 25, Padding::kSame, Activation::kSwish, false},
    {Form::kStride2, {1, 14, 14, 256}, 40, Padding::kSame, Activation::kLinear, true},
    {Form::kStride2, {1, 70, 66, 4}, 8, Padding::kSame, Activation::kLinear, true},
};

}  // namespace

TEST_CASE("Tiles give what sums of products give, to 1e-5 of the largest", "[conv][winograd]") {
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  ConvAttrs attrs;
  attrs.padding = c.padding;
  attrs.stride_h = attrs.stride_w = c.form == Form::kStride2 ? 2 : 1;
  const Shape filter_shape = {3, 3, c.x[3], c.out_channels};
  const ConvGeometry g = conv2d_geometry(c.x, filter_shape, attrs);
  const std::vector<float> x = random_floats(c.x.elements(), 1);
  const std::vector<float> filter = random_floats(filter_shape.elements(), 2);
  const std::vector<float> bias = random_floats(static_cast<std::size_t>(c.out_channels), 3);
  const std::vector<double> expected = by_definition(g, x, filter, bias, c.bias);

  const gemm::PackedB transformed = winograd::transform(c.form, filter.data(), g.in_channels, g.out_channels);
  std::vector<float> out(expected.size(), 99.0F);
  const gemm::Epilogue epilogue = {c.bias ? bias.data() : nullptr, c.activation, 0};
  const auto convolution = winograd::convolution(c.form, g, x.data(), transformed, epilogue, out.data());
  Scratch<float> scratch(convolution->scratch_size());
  for (int block = convolution->blocks(); block-- > 0;) convolution->run(block, scratch.data());

  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    float rounded[] = {static_cast<float>(expected[i])};
    const Clamp clamp = get_clamp(c.activation);
    rounded[0] = std::min(std::max(rounded[0], clamp.low), clamp.high);
    activate(rounded, 1, c.activation, 0);
    worst = std::max(worst, std::abs(static_cast<double>(out[i]) - rounded[0]));
  }
  INFO("the largest is " << largest);
  CHECK(worst <= 1e-5 * largest);
}

TEST_CASE("Tiles add a residual that lies where they store, once", "[conv][winograd]") {
  const Form form = GENERATE(Form::kF4x4, Form::kStride2);
  const Shape shape = {1, 27, 23, 16};
  constexpr int kChannels = 21;
  ConvAttrs attrs;
  attrs.padding = Padding::kSame;
  attrs.stride_h = attrs.stride_w = form == Form::kStride2 ? 2 : 1;
  const ConvGeometry g = conv2d_geometry(shape, {3, 3, 16, kChannels}, attrs);
  const std::vector<float> x = random_floats(shape.elements(), 1);
  const std::vector<float> filter = random_floats(std::size_t{9} * 16 * kChannels, 2);
  const std::vector<float> bias = random_floats(kChannels, 3);
  const std::vector<float> slopes = random_floats(kChannels, 4);
  const std::size_t count = g.output().elements();
  const std::vector<float> residual = random_floats(count, 5);
  const gemm::PackedB transformed = winograd::transform(form, filter.data(), 16, kChannels);
  const auto run = [&](const gemm::Epilogue& epilogue, std::vector<float>& out) {
    const auto convolution = winograd::convolution(form, g, x.data(), transformed, epilogue, out.data());
    Scratch<float> scratch(convolution->scratch_size());
    for (int block = 0; block < convolution->blocks(); ++block) convolution->run(block, scratch.data());
  };
  std::vector<float> products(count);
  run({}, products);
  std::vector<float> out = residual;
  run({.bias = bias.data(), .result = out.data(), .residual = out.data(), .slopes = slopes.data()}, out);
  for (std::size_t i = 0; i < count; ++i) {
    const float sum = products[i] + bias[i % kChannels] + residual[i];
    if (out[i] != (sum < 0 ? sum * slopes[i % kChannels] : sum)) {
      FAIL_CHECK("element " << i << " is " << out[i] << " of " << sum);
    }
  }
}

TEST_CASE("Tiles are taken where they save multiplications, not where the filter alone is larger",
          "[conv][winograd]") {
  const auto asks = [](const Shape& x, const Shape& filter, bool prepared, int stride = 1) {
    ConvAttrs attrs;
    attrs.padding = Padding::kSame;
    attrs.stride_h = attrs.stride_w = stride;
    return winograd::choose_form(conv2d_geometry(x, filter, attrs), prepared);
  };
  CHECK(asks({1, 56, 56, 64}, {3, 3, 64, 64}, false) == Form::kF4x4);
  CHECK(asks({1, 14, 14, 256}, {3, 3, 256, 256}, false) == Form::kNone);
  CHECK(asks({1, 14, 14, 256}, {3, 3, 256, 256}, true) == Form::kF4x4);
  CHECK(asks({1, 7, 7, 512}, {3, 3, 512, 512}, false) == Form::kNone);
  CHECK(asks({1, 7, 7, 512}, {3, 3, 512, 512}, true) == Form::kNone);
  CHECK(asks({1, 7, 7, 256}, {3, 3, 256, 256}, true) == Form::kF4x4);
  CHECK(asks({1, 56, 56, 64}, {3, 3, 64, 64}, false, 2) == Form::kStride2);
  CHECK(asks({1, 56, 56, 64}, {3, 3, 64, 64}, false, 3) == Form::kNone);
  CHECK(asks({1, 224, 224, 3}, {3, 3, 3, 32}, true, 2) == Form::kNone);
  CHECK(asks({1, 14, 14, 64}, {3, 3, 64, 64}, true, 2) == Form::kNone);
  CHECK(asks({1, 224, 224, 18}, {3, 3, 18, 64}, true, 2) == Form::kNone);
  CHECK(asks({1, 56, 56, 512}, {3, 3, 512, 512}, true, 2) == Form::kNone);
  CHECK(asks({1, 56, 56, 3}, {3, 3, 3, 64}, false) == Form::kNone);
  CHECK(asks({1, 56, 56, 64}, {5, 5, 64, 64}, false) == Form::kNone);
  CHECK(asks({1, 1, 2, 64}, {3, 3, 64, 64}, true) == Form::kNone);
}

}  // namespace tenure::cpu
