#include <algorithm>
#include <cmath>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kAxis[] = {{"axis", 0, Option::kInt}};
constexpr Option kSeeds[] = {{"seed", 0, Option::kInt}, {"seed2", 1, Option::kInt}};

Tensor rank_tensor(const Call& call) { return Tensor::scalar(static_cast<std::int32_t>(call[0].rank())); }

Tensor filled(const Call& call) {
  check_shape(call[1].elements() == 1, "expected one value to fill with, got ", call[1].elements());
  return broadcast_to(reshape(call[1], {Shape{}}), {call.shape(0)});
}

Tensor zeros_like(const Call& call) { return fill({.shape = call[0].shape(), .dtype = call[0].dtype()}); }

Tensor counted(const Call& call) {
  const DType dtype = call.attrs().dtype("output type", DType::kFloat32);
  const double start = call.number(0);
  const double stop = call.number(1);
  const double step = call.number(2);
  check(step != 0, "its numbers are 0 apart");
  const double count = std::max(0.0, std::ceil((stop - start) / step));
  check_shape(count <= INT32_MAX, "a range of ", count, " values is too long");
  if (dtype == DType::kInt32) {
    return range({.start = 0,
                  .step = 0,
                  .int_start = call.integer(0),
                  .int_step = call.integer(2),
                  .count = static_cast<std::int32_t>(count),
                  .dtype = dtype});
  }
  return range({.start = static_cast<float>(start),
                .step = static_cast<float>(step),
                .count = static_cast<std::int32_t>(count),
                .dtype = dtype});
}

/// Inserts an axis with `on` at the index, and `off` elsewhere.
Tensor encoded(const Call& call) {
  const Tensor& indices = call[0];
  Tensor last = one_hot(as_indices(indices), {.depth = call.integer(1),
                                              .on_value = call.number(2),
                                              .off_value = call.number(3),
                                              .dtype = call[2].dtype()});
  const std::int32_t axis = call.attrs().integer("axis", -1);
  if (axis == -1 || axis == indices.rank()) return last;
  const int to = normalize_axis(axis, last.rank());
  PermutationAttrs order;
  for (int i = 0; i + 1 < last.rank(); ++i) order.perm.push_back(i);
  order.perm.insert(to, last.rank() - 1);
  return transpose(last, order);
}

Tensor broadcast_shapes(const Call& call) {
  const Shape shape = broadcast(call.shape(0), call.shape(1));
  return Tensor::from(std::span<const std::int32_t>(shape.begin(), shape.end()), {shape.rank});
}

/// Writes values at indices into a tensor of one value.
Tensor made_dense(const Call& call) {
  const Tensor& values = call[2];
  Tensor indices = as_indices(call[0]);
  if (indices.rank() == 0) indices = reshape(indices, {Shape{1}});
  const Tensor otherwise = as_dtype(call[3], values.dtype());
  return run(Op::sparse_to_dense, {&indices, &values, &otherwise}, AttrsView(ToShapeAttrs{call.dims(1)}));
}

template <Tensor (*draw)(const RandomAttrs&)>
Tensor random(const Call& call) {
  // Every run draws new numbers, so they are never folded.
  call.need_values();
  const auto seed = static_cast<std::uint32_t>(call.attrs().integer("seed", 0)) * 31U +
                    static_cast<std::uint32_t>(call.attrs().integer("seed2", 0));
  return draw({.shape = call.shape(0), .a = 0, .b = 1, .seed = static_cast<std::int32_t>(seed)});
}

Tensor sampled(const Call& call) {
  call.need_values();
  return multinomial(call[0], {.samples = call.integer(1), .seed = call.attrs().integer("seed", 0)});
}

constexpr OpRow kRows[] = {
    {68, {"SPARSE_TO_DENSE", made_dense}, {}, Quantized::kSame},
    {85, {"ONE_HOT", encoded}, kAxis, Quantized::kSame},
    {93, {"ZEROS_LIKE", zeros_like}, {}},
    {94, {"FILL", filled}, {}, Quantized::kSame},
    {96, {"RANGE", counted}},
    {110, {"RANK", rank_tensor}, {}, Quantized::kSame},
    {145, {"BROADCAST_ARGS", broadcast_shapes}},
    {146, {"RANDOM_STANDARD_NORMAL", random<random_normal>}, kSeeds},
    {148, {"RANDOM_UNIFORM", random<random_uniform>}, kSeeds},
    {149, {"MULTINOMIAL", sampled}, kSeeds},
};

}  // namespace

std::span<const OpRow> creation_rows() { return kRows; }

}  // namespace tenure::tflite
