#include "import/onnx/transformer_rows/rotary.h"

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the input to rotate. Throws ShapeError unless it is [batch, heads, length, size] or [batch,
/// length, heads * size].
const Tensor& read_input(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() == 3 || x.rank() == 4, "expected an input of rank 3 or 4, got ", x.shape());
  return x;
}

/// Returns the rows of a cache at the positions, [batch, length, size / 2].
Tensor take_rows(const Tensor& cache, const Tensor& positions) {
  check_shape(cache.rank() == 2, "expected caches of rank 2, got ", cache.shape());
  return gather(cache, as_indices(positions), {.axis = 0});
}

/// Crops the caches to the attribute "rotary_embedding_dim".
Tensor crop(const Tensor& angles, std::int32_t size) {
  if (size == 0 || angles.shape().back() * 2 == size) return angles;
  Dims begin;
  Dims sizes = angles.shape();
  for (int i = 0; i < angles.rank(); ++i) begin.push_back(0);
  sizes.back() = size / 2;
  return slice(angles, {begin, sizes});
}

Tensor rotated(const Call& call, Rotation rotation) {
  const Tensor& x = read_input(call);
  for (const Tensor& angles : {rotation.cosines, rotation.sines})
    check_shape(angles.rank() == 3, "expected angles [batch, length, size / 2], got ", angles.shape());
  const std::int32_t size = call.attrs().integer("rotary_embedding_dim", 0);
  rotation.cosines = crop(rotation.cosines, size);
  rotation.sines = crop(rotation.sines, size);
  rotation.is_interleaved = call.attrs().flag("interleaved");
  if (x.rank() == 4) return rotate(x, rotation);
  std::int32_t heads = call.attrs().integer("num_heads", 0);
  const std::int32_t half = rotation.cosines.shape().back();
  if (heads == 0 && half > 0) heads = x.dim(2) / 2 / half;
  return join_heads(rotate(split_heads(x, heads), rotation));
}

/// The op of ai.onnx: without positions the caches have the angles of each token.
Tensor standard_embedding(const Call& call) {
  if (!has(call, 3)) return rotated(call, {call[1], call[2]});
  return rotated(call, {take_rows(call[1], call[3]), take_rows(call[2], call[3])});
}

/// The op of com.microsoft: one position is that of the first token.
Tensor contrib_embedding(const Call& call) {
  check(!call.attrs().flag("is_packed_batching"), "packed batches are not supported");
  Tensor positions = as_indices(call[1]);
  if (positions.rank() == 1) {
    const Tensor& x = read_input(call);
    const std::int32_t length = x.dim(x.rank() - 2);
    const Tensor count = range({.step = 0, .int_step = 1, .count = length, .dtype = DType::kInt32});
    positions = reshape(add(positions, count), {Shape{1, length}});
  }
  return rotated(call, {take_rows(call[2], positions), take_rows(call[3], positions)});
}

constexpr Row kRows[] = {{"RotaryEmbedding", standard_embedding}};
constexpr Row kContribRows[] = {{"RotaryEmbedding", contrib_embedding}};

}  // namespace

std::span<const Row> rotary_rows() { return kRows; }
std::span<const Row> contrib_rotary_rows() { return kContribRows; }

Tensor split_heads(const Tensor& x, std::int32_t heads) {
  check_shape(x.rank() == 3 && heads > 0 && x.dim(2) % heads == 0, "expected [batch, length, ", heads,
              " heads * size], got ", x.shape());
  return transpose(reshape(x, {Shape{x.dim(0), x.dim(1), heads, x.dim(2) / heads}}), {Dims{0, 2, 1, 3}});
}

Tensor join_heads(const Tensor& x) {
  return reshape(transpose(x, {Dims{0, 2, 1, 3}}), {Shape{x.dim(0), x.dim(2), x.dim(1) * x.dim(3)}});
}

Tensor rotate(const Tensor& x, const Rotation& rotation) {
  const std::int32_t half = rotation.cosines.shape().back();
  const std::int32_t size = x.shape().back();
  check_shape(x.rank() == 4 && rotation.cosines.rank() == 3 && 2 * half <= size &&
                  rotation.cosines.dim(1) == x.dim(2),
              "angles of ", rotation.cosines.shape(), " do not fit ", x.shape());
  const Tensor cosines = expand_dims(rotation.cosines, {1});
  const Tensor sines = expand_dims(rotation.sines, {1});
  Tensor first;
  Tensor second;
  Tensor rest;
  if (rotation.is_interleaved) {
    const Tensors parts =
        split(x, {.sizes = std::vector<std::int32_t>{2 * half, size - 2 * half}, .axis = 3});
    const Tensors pairs = unstack(reshape(parts[0], {Shape{x.dim(0), x.dim(1), x.dim(2), half, 2}}), {4});
    first = pairs[0];
    second = pairs[1];
    rest = parts[1];
  } else {
    const Tensors parts =
        split(x, {.sizes = std::vector<std::int32_t>{half, half, size - 2 * half}, .axis = 3});
    first = parts[0];
    second = parts[1];
    rest = parts[2];
  }
  const Tensor real = sub(mul(first, cosines), mul(second, sines));
  const Tensor imaginary = add(mul(first, sines), mul(second, cosines));
  Tensors joined = {real, imaginary};
  if (rotation.is_interleaved)
    joined = {reshape(stack({real, imaginary}, {4}), {Shape{x.dim(0), x.dim(1), x.dim(2), 2 * half}})};
  if (size > 2 * half) joined.push_back(rest);
  return joined.size() == 1 ? joined[0] : concat(joined, {3});
}

Rotation slice_rotation(const Tensor& cosines, const Tensor& sines, std::int32_t start, std::int32_t length) {
  const auto rows = [&](const Tensor& cache) {
    check_shape(cache.rank() == 2 && start + length <= cache.dim(0), "a cache of ", cache.shape(),
                " has no angles for ", start + length, " positions");
    return expand_dims(slice(cache, {{start, 0}, {length, cache.dim(1)}}), {0});
  };
  return {rows(cosines), rows(sines)};
}

}  // namespace tenure::onnx
