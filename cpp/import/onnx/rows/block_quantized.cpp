// Products with weights of 2, 4 or 8 bits, which share a scale and a zero point in blocks.

#include "import/onnx/rows/block_quantized.h"

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

/// Multiplies by the weights. The reader has dequantized them unless they are computed.
Tensor product(const Call& call) {
  check(!has(call, 4), "reordered weights are not supported");
  const Tensor weights = call[1].dtype() == DType::kFloat32
                             ? call[1]
                             : dequantize_blocks(call.attrs(), call.value(1), call.value(2),
                                                 has(call, 3) ? call.value(3) : Tensor());
  const Tensor result = mat_mul(call[0], weights, {.transpose_b = true});
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

Tensor dequantize_blocks(const Attributes& attrs, const Tensor& bytes, const Tensor& scales,
                         const Tensor& zeros) {
  const auto positive = [&](std::string_view name) {
    const std::int32_t value = attrs.integer(name, 0);
    check_shape(value > 0, "attribute \"", name, "\" is ", value);
    return static_cast<std::size_t>(value);
  };
  check(bytes.dtype() == DType::kInt32 && scales.dtype() == DType::kFloat32 &&
            (!zeros || zeros.dtype() == DType::kInt32 || zeros.dtype() == DType::kFloat32),
        "expected packed integers and scales of float32, got ", name_of(bytes.dtype()), " and ",
        name_of(scales.dtype()));
  PackedWeights weights{.bytes = bytes.values<std::int32_t>(),
                        .scales = scales.values<float>(),
                        .packed_zeros = {},
                        .zeros = {},
                        .bits = static_cast<std::size_t>(attrs.integer("bits", 4)),
                        .block = positive("block_size"),
                        .n = positive("N"),
                        .k = positive("K")};
  Shape{attrs.integer("N", 0), attrs.integer("K", 0)}.validate();
  check(weights.bits == 2 || weights.bits == 4 || weights.bits == 8, "weights of ", weights.bits,
        " bits are not supported");
  // size_t has 32 bits on WebAssembly.
  const std::uint64_t blocks = weights.blocks();
  check_shape(weights.bytes.size() == weights.n * blocks * weights.block * weights.bits / 8,
              "packed weights of ", bytes.shape(), " do not fit N ", weights.n, ", K ", weights.k,
              " and blocks of ", weights.block);
  check_shape(weights.scales.size() == weights.n * blocks, "scales of ", scales.shape(), " do not fit N ",
              weights.n, " and ", blocks, " blocks");
  if (zeros) {
    const bool is_packed = zeros.dtype() == DType::kInt32;
    check_shape(zeros.elements() == weights.n * (is_packed ? (blocks * weights.bits + 7) / 8 : blocks),
                "zero points of ", zeros.shape(), " do not fit N ", weights.n, " and ", blocks, " blocks");
    if (is_packed) {
      weights.packed_zeros = zeros.values<std::int32_t>();
    } else {
      weights.zeros = zeros.values<float>();
    }
  }
  return dequantize(weights);
}

}  // namespace tenure::onnx
