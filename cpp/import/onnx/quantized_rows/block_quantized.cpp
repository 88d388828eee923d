// Products with weights of 2, 4 or 8 bits, which share a scale and a zero point in blocks.

#include "import/onnx/families.h"
#include "import/onnx/rows/indexing.h"
#include "ops/ops.h"
#include "shape_util/quantized_blocks.h"

namespace tenure::onnx {
namespace {

std::int32_t read_positive(const Call& call, std::string_view name) {
  const std::int32_t value = call.attrs().integer(name, 0);
  check_shape(value > 0, "attribute \"", name, "\" is ", value);
  return value;
}

Tensor product(const Call& call) {
  check(!has(call, 4), "reordered weights are not supported");
  const std::int32_t n = read_positive(call, "N");
  const QuantizedBlocksAttrs attrs{.bits = call.attrs().integer("bits", 4),
                                   .block_size = read_positive(call, "block_size"),
                                   .k = read_positive(call, "K")};
  const Tensor& packed = call[1];
  const std::int32_t blocks = count_blocks(attrs);
  // Files may give them another shape.
  const Shape shape{n, blocks, block_bytes(attrs)};
  shape.validate();
  check_shape(packed.elements() == shape.elements(), "packed weights of ", packed.shape(), " do not fit N ",
              n, ", K ", attrs.k, " and blocks of ", attrs.block_size);
  const Tensor result = mat_mul_n_bits(call[0], reshape(packed, {shape}), call[2], optional(call, 3), attrs);
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
  const Tensor indices = from_start(call[1], x.dim(0), 0);
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

/// Values of bitsandbytes' FP4 and NF4 codes.
constexpr float kFloat4[] = {0,     0.005208333F,  0.6666667F,  1,  0.3333333F,  0.5F,  0.1666667F,  0.25F,
                             -0.0F, -0.005208333F, -0.6666667F, -1, -0.3333333F, -0.5F, -0.1666667F, -0.25F};
constexpr float kNormalFloat4[] = {
    -1,          -0.69619280F, -0.52507305F, -0.39491749F, -0.28444138F, -0.18477343F, -0.09105004F, 0,
    0.07958030F, 0.16093020F,  0.24611230F,  0.33791524F,  0.44070983F,  0.56261700F,  0.72295684F,  1};

/// Multiplies by a matrix [N, K] whose codes have a scale for each block.
Tensor mat_mul_bnb4(const Call& call) {
  const std::int64_t n = read_positive(call, "N");
  const std::int64_t k = read_positive(call, "K");
  const std::int64_t block = read_positive(call, "block_size");
  check(call.attrs().flag("transB", true), "weights [K, N] are not supported");
  check_shape(n * k <= INT32_MAX && n * k % (2 * block) == 0 &&
                  call[1].elements() == static_cast<std::size_t>(n * k / 2) &&
                  call[2].elements() == static_cast<std::size_t>(n * k / block),
              "codes of ", call[1].shape(), " and scales of ", call[2].shape(), " do not fit N ", n, ", K ",
              k, " and blocks of ", block);
  const std::span<const float> values = call.attrs().integer("quant_type", 1) == 0 ? kFloat4 : kNormalFloat4;
  const Tensor bytes = reshape(call[1], {Shape{-1}});
  const Tensor base = Tensor::scalar(16);
  // The first of two codes is in the high bits.
  const Tensor codes = stack({floor_div(bytes, base), mod(bytes, base)}, {1});
  const Tensor numbers = gather(Tensor::from(values, {16}), codes, {.axis = 0});
  const Tensor blocks = reshape(numbers, {Shape{-1, static_cast<std::int32_t>(block)}});
  const Tensor weights = mul(blocks, reshape(call[2], {Shape{-1, 1}}));
  const Shape shape{static_cast<std::int32_t>(n), static_cast<std::int32_t>(k)};
  return mat_mul(call[0], reshape(weights, {shape}), {.transpose_b = true});
}

constexpr Row kContribRows[] = {
    {"GatherBlockQuantized", gathered_rows},
    {"MatMulBnb4", mat_mul_bnb4},
    {"MatMulNBits", product},
};

}  // namespace

std::span<const Row> block_quantized_rows() { return kContribRows; }

}  // namespace tenure::onnx
