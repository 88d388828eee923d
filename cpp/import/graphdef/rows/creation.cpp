#include <algorithm>
#include <cmath>

#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor filled(const Shape& shape, float value, DType dtype) {
  return tenure::fill(
      {.shape = shape, .value = value, .int_value = static_cast<std::int32_t>(value), .dtype = dtype});
}

Tensor fill_with(const Call& call) {
  Shape ones;
  const Shape shape = call.shape(0);
  for (int i = 0; i < shape.rank; ++i) ones.push_back(1);
  check_shape(call[1].elements() == 1, "expected one value to fill with, got ", call[1].elements());
  return broadcast_to(reshape(call[1], {ones}), {shape});
}

Tensor zeros(const Call& call) { return filled(call.shape(0), 0, call.attrs().dtype("T")); }
Tensor ones(const Call& call) { return filled(call.shape(0), 1, call.attrs().dtype("T")); }
Tensor zeros_like(const Call& call) { return filled(call[0].shape(), 0, call[0].dtype()); }
Tensor ones_like(const Call& call) { return filled(call[0].shape(), 1, call[0].dtype()); }

Tensor evenly_spaced(const Call& call) {
  return linspace({.start = call.number(0), .stop = call.number(1), .count = call.integer(2)});
}

Tensor make_range(const Call& call) {
  const DType dtype = call.attrs().dtype("Tidx", call[0].dtype());
  const double start = call.number(0);
  const double stop = call.number(1);
  const double step = call.number(2);
  check(step != 0, "Cannot have a step of zero");
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  check_shape(count <= INT32_MAX, "a range of ", count, " values is too long");
  const auto whole = [&](double x) { return dtype == DType::kInt32 ? to_int32(x) : 0; };
  const auto rest = [&](double x) { return static_cast<float>(x - whole(x)); };
  return tenure::range({.start = rest(start),
                        .step = rest(step),
                        .int_start = whole(start),
                        .int_step = whole(step),
                        .count = static_cast<std::int32_t>(count),
                        .dtype = dtype});
}

Tensor make_one_hot(const Call& call) {
  const Tensor& indices = call[0];
  const OneHotAttrs attrs{.depth = call.integer(1),
                          .on_value = call.number(2),
                          .off_value = call.number(3),
                          .dtype = call.attrs().dtype("T", call[2].dtype())};
  Tensor last = one_hot(indices.dtype() == DType::kInt32 ? indices : cast(indices, {DType::kInt32}), attrs);
  const std::int32_t axis = call.attrs().integer("axis", -1);
  if (axis == -1) return last;
  const int to = normalize_axis(axis, last.rank());
  PermutationAttrs order;
  for (int i = 0; i + 1 < last.rank(); ++i) order.perm.push_back(i);
  order.perm.insert(to, last.rank() - 1);
  return transpose(last, order);
}

/// Combines TensorFlow's two seeds. 0 lets the engine choose a seed.
std::int32_t read_seed(const Call& call) {
  const auto part = [&](std::string_view name) -> std::uint64_t {
    const double seed = call.attrs().number(name, 0);
    check(std::abs(seed) <= 0x1p63, "attribute \"", name, "\" is ", seed, ", which is not a 64-bit integer");
    // The low 53 bits: a double has no more.
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::fmod(seed, 0x1p53)));
  };
  return static_cast<std::int32_t>(part("seed") * 31 + part("seed2"));
}

template <Tensor (*draw)(const RandomAttrs&)>
Tensor random(const Call& call) {
  // Every run draws new numbers, so they are never folded.
  call.need_values();
  return draw({.shape = call.shape(0),
               .a = static_cast<float>(call.attrs().number("minval", call.attrs().number("means", 0))),
               .b = static_cast<float>(call.attrs().number("maxval", call.attrs().number("stddev", 1))),
               .seed = read_seed(call),
               .dtype = call.attrs().dtype("dtype")});
}

Tensor random_integers(const Call& call) {
  call.need_values();
  const bool has_bounds = call.size() > 2;
  return random_uniform(
      {.shape = call.shape(0),
       .a = has_bounds ? call.number(1) : static_cast<float>(call.attrs().number("minval", 0)),
       .b = has_bounds ? call.number(2) : static_cast<float>(call.attrs().number("maxval", 1)),
       .seed = read_seed(call),
       .dtype = DType::kInt32});
}

Tensor sampled(const Call& call) {
  call.need_values();
  return multinomial(call[0], {.samples = call.integer(1), .seed = read_seed(call)});
}

constexpr Row kRows[] = {
    {"Multinomial", sampled},
    {"Fill", fill_with},
    {"Range", make_range},
    {"ZerosLike", zeros_like},
    {"OnesLike", ones_like},
    {"OneHot", make_one_hot},
    {"LinSpace", evenly_spaced},
    {"Zeros", zeros},
    {"Ones", ones},
    {"RandomUniform", random<random_uniform>},
    {"RandomStandardNormal", random<random_normal>},
    {"TruncatedNormal", random<truncated_normal>},
    {"RandomUniformInt", random_integers},
};

}  // namespace

std::span<const Row> creation_rows() { return kRows; }

}  // namespace tenure::graphdef
