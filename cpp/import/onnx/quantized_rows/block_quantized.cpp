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
