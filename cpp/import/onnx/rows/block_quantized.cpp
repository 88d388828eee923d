// Products with weights of 2, 4 or 8 bits, which share a scale and a zero point in blocks.

#include "import/onnx/families.h"
#include "import/onnx/rows/elements.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// The packed weights of MatMulNBits: [n, blocks, block * bits / 8] bytes, low bits first.
struct PackedWeights {
  std::span<const std::int32_t> bytes;
  std::span<const float> scales;               ///< [n, blocks]
  std::span<const std::int32_t> packed_zeros;  ///< [n, bytes of the blocks' zero points], or empty
  std::span<const float> zeros;                ///< [n, blocks], or empty
  std::size_t bits;
  std::size_t block;
  std::size_t n;
  std::size_t k;

  std::size_t blocks() const { return (k + block - 1) / block; }
  /// Returns number `i` of a row of packed numbers.
  std::int32_t unpack(std::span<const std::int32_t> row, std::size_t i) const {
    const std::size_t per_byte = 8 / bits;
    return row[i / per_byte] >> i % per_byte * bits & ((1 << bits) - 1);
  }
  float zero(std::size_t row, std::size_t at) const {
    if (!zeros.empty()) return zeros[row * blocks() + at];
    if (packed_zeros.empty()) return static_cast<float>(1 << (bits - 1));
    const std::size_t size = (blocks() * bits + 7) / 8;
    return static_cast<float>(unpack(packed_zeros.subspan(row * size, size), at));
  }
};

/// Returns the weights as float32, [n, k].
Tensor dequantize(const PackedWeights& weights) {
  Tensor result(
      {{static_cast<std::int32_t>(weights.n), static_cast<std::int32_t>(weights.k)}, DType::kFloat32});
  float* to = result.mutable_data<float>();
  const std::size_t row_bytes = weights.blocks() * weights.block * weights.bits / 8;
  for (std::size_t row = 0; row < weights.n; ++row) {
    const std::span<const std::int32_t> bytes = weights.bytes.subspan(row * row_bytes, row_bytes);
    for (std::size_t at = 0; at < weights.blocks(); ++at) {
      const float scale = weights.scales[row * weights.blocks() + at];
      const float zero = weights.zero(row, at);
      const std::size_t end = std::min((at + 1) * weights.block, weights.k);
      for (std::size_t i = at * weights.block; i < end; ++i)
        *to++ = scale * (static_cast<float>(weights.unpack(bytes, i)) - zero);
    }
  }
  return result;
}

/// Multiplies by the dequantized weights. They are constants, so this happens once for each plan.
Tensor product(const Call& call) {
  const auto positive = [&](std::string_view name) {
    const std::int32_t value = call.attrs().integer(name, 0);
    check_shape(value > 0, "attribute \"", name, "\" is ", value);
    return static_cast<std::size_t>(value);
  };
  PackedWeights weights{.bytes = call.value(1).values<std::int32_t>(),
                        .scales = call.value(2).values<float>(),
                        .packed_zeros = {},
                        .zeros = {},
                        .bits = static_cast<std::size_t>(call.attrs().integer("bits", 4)),
                        .block = positive("block_size"),
                        .n = positive("N"),
                        .k = positive("K")};
  check(weights.bits == 2 || weights.bits == 4 || weights.bits == 8, "weights of ", weights.bits,
        " bits are not supported");
  Shape{call.attrs().integer("N", 0), call.attrs().integer("K", 0)}.validate();
  // size_t has 32 bits on WebAssembly.
  const std::uint64_t blocks = weights.blocks();
  check_shape(call[1].dtype() == DType::kInt32 &&
                  weights.bytes.size() == weights.n * blocks * weights.block * weights.bits / 8,
              "packed weights of ", call[1].shape(), " do not fit N ", weights.n, ", K ", weights.k,
              " and blocks of ", weights.block);
  check_shape(call[2].dtype() == DType::kFloat32 && weights.scales.size() == weights.n * blocks, "scales of ",
              call[2].shape(), " do not fit N ", weights.n, " and ", blocks, " blocks");
  if (has(call, 3)) {
    const Tensor& zeros = call.value(3);
    const bool is_packed = zeros.dtype() == DType::kInt32;
    check_shape(zeros.elements() == weights.n * (is_packed ? (blocks * weights.bits + 7) / 8 : blocks),
                "zero points of ", zeros.shape(), " do not fit N ", weights.n, " and ", blocks, " blocks");
    if (is_packed) {
      weights.packed_zeros = zeros.values<std::int32_t>();
    } else {
      weights.zeros = zeros.values<float>();
    }
  }
  check(!has(call, 4), "reordered weights are not supported");
  const Tensor result = mat_mul(call[0], dequantize(weights), {.transpose_b = true});
  const Tensor bias = optional(call, 5);
  return bias ? add(result, bias) : result;
}

/// Unpacks bytes along the last axis, low bits first.
Tensor unpack(const Tensor& x, std::int32_t bits) {
  if (bits == 8) return x;
  Tensors parts;
  Tensor rest = x;
  const Tensor base = Tensor::scalar(1 << bits);
  for (std::int32_t at = 0; at < 8; at += bits) {
    parts.push_back(mod(rest, base));
    rest = floor_div(rest, base);
  }
  Shape shape = x.shape();
  shape.back() *= 8 / bits;
  return reshape(stack(parts, {x.rank()}), {shape});
}

/// Gathers rows of a matrix whose rows are quantized in blocks, as float32.
Tensor gathered_rows(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t block = call.attrs().integer("block_size", 128);
  std::int32_t bits = call.attrs().integer("bits", 4);
  const ElementType type = element_type(call, 0);
  const bool is_packed = type == ElementType::kUint8;
  if (type == ElementType::kInt4 || type == ElementType::kUint4) bits = 8;
  check(bits == 2 || bits == 4 || bits == 8, "weights of ", bits, " bits are not supported");
  check_shape(x.rank() == 2 && call.attrs().integer("gather_axis", 0) == 0 &&
                  normalize_axis(call.attrs().integer("quantize_axis", 1), 2) == 1,
              "it gathers from ", x.shape(), ", a matrix with blocks in its rows was expected");
  const Tensor indices = from_start(call[1], x.dim(0));
  const auto rows = [&](const Tensor& all) { return gather(all, indices, {.axis = 0}); };
  Tensor values = rows(x);
  if (is_packed) values = unpack(values, bits);
  const Tensor scales = rows(call[2]);
  const std::int32_t blocks = scales.shape().back();
  check_shape(block > 0 && std::int64_t{blocks} * block == values.shape().back(), blocks, " blocks of ",
              block, " do not fit rows of ", values.shape().back());
  Shape split = values.shape();
  split.back() = blocks;
  split.push_back(block);
  Tensor numbers = reshape(values, {split});
  if (has(call, 3)) {
    const Tensor zeros = rows(call[3]);
    numbers = sub(numbers, expand_dims(is_packed ? unpack(zeros, bits) : zeros, {zeros.rank()}));
  } else if (is_packed) {
    numbers = sub(numbers, Tensor::scalar(1 << (bits - 1)));
  }
  return reshape(mul(as_dtype(numbers, DType::kFloat32), expand_dims(scales, {scales.rank()})),
                 {values.shape()});
}

constexpr Row kContribRows[] = {
    {"GatherBlockQuantized", gathered_rows},
    {"MatMulNBits", product},
};

}  // namespace

std::span<const Row> block_quantized_rows() { return kContribRows; }

}  // namespace tenure::onnx
