// Ops with random results. Every run draws new numbers, so they are never folded.

#include <cstring>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the attributes of a distribution. The seed is a float; without one the engine chooses.
RandomAttrs read_distribution(const Call& call, const Shape& shape, std::string_view a, std::string_view b) {
  call.need_values();
  RandomAttrs attrs{.shape = shape,
                    .a = static_cast<float>(call.attrs().number(a, 0)),
                    .b = static_cast<float>(call.attrs().number(b, 1))};
  if (!call.attrs().has("seed")) return attrs;
  const auto seed = static_cast<float>(call.attrs().number("seed", 0));
  std::memcpy(&attrs.seed, &seed, sizeof(seed));
  if (attrs.seed == 0) attrs.seed_high = static_cast<std::int32_t>(kSeedOfZero >> 32);
  return attrs;
}

Shape read_shape(const Call& call) {
  const std::vector<std::int32_t> list = call.attrs().integers("shape");
  return Shape(Dims(std::span<const std::int32_t>(list)));
}

Tensor uniform(const Call& call) {
  return random_uniform(read_distribution(call, read_shape(call), "low", "high"));
}
Tensor normal(const Call& call) {
  return random_normal(read_distribution(call, read_shape(call), "mean", "scale"));
}
Tensor uniform_like(const Call& call) {
  return random_uniform(read_distribution(call, call[0].shape(), "low", "high"));
}
Tensor normal_like(const Call& call) {
  return random_normal(read_distribution(call, call[0].shape(), "mean", "scale"));
}

Tensor bernoulli(const Call& call) {
  const Tensor draws = random_uniform(read_distribution(call, call[0].shape(), "low", "high"));
  return as_dtype(less(draws, call[0]), call.attrs().dtype("dtype", call[0].dtype()));
}

Tensor sampled(const Call& call) {
  const RandomAttrs seeds = read_distribution(call, {}, "low", "high");
  return multinomial(
      call[0],
      {.samples = call.attrs().integer("sample_size", 1), .seed = seeds.seed, .seed_high = seeds.seed_high});
}

/// Returns x, without some elements if the node trains, and the mask of those that are left.
EdgeValues dropped(const Call& call) {
  const Tensor& x = call[0];
  const float ratio =
      opset(call) >= 12 && has(call, 2) && call.boolean(2) ? (has(call, 1) ? call.number(1) : 0.5F) : 0;
  if (ratio == 0) {
    EdgeValues items = {call.item(0)};
    if (call.node().outputs < 2) return items;
    items.emplace_back(fill({.shape = x.shape(),
                             .value = 1,
                             .int_value = 1,
                             .dtype = opset(call) >= 10 ? DType::kBool : x.dtype()}));
    return items;
  }
  check(ratio > 0 && ratio < 1, "its ratio is ", ratio);
  const Tensor draws = random_uniform(read_distribution(call, x.shape(), "low", "high"));
  const Tensor mask = greater_equal(draws, Tensor::scalar(ratio));
  return {where(mask, mul(x, Tensor::scalar(1 / (1 - ratio))), Tensor::scalar(0.0F)), mask};
}

constexpr Row kRows[] = {
    {"Bernoulli", bernoulli},
    {"Dropout", dropped},
    {"Multinomial", sampled},
    {"RandomNormal", normal},
    {"RandomNormalLike", normal_like},
    {"RandomUniform", uniform},
    {"RandomUniformLike", uniform_like},
};

}  // namespace

std::span<const Row> random_rows() { return kRows; }

}  // namespace tenure::onnx
