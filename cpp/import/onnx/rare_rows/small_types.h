#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/tensor.h"
#include "import/onnx/model_proto.h"

/// Types of at most 16 bits that only ONNX has.
namespace tenure::onnx {

/// True for floats of 4 and 8 bits and for bfloat16: values that Cast rounds to. They are float32 in the
/// engine.
constexpr bool is_small_float(ElementType type) {
  return (type >= ElementType::kFloat8E4M3FN && type <= ElementType::kFloat8E5M2FNUZ) ||
         type == ElementType::kBfloat16 || type == ElementType::kFloat4E2M1 ||
         type == ElementType::kFloat8E8M0;
}

/// Returns the bits of an element of a float of 4 or 8 bits or of an integer of 2 bits; 0 for other types.
constexpr int count_small_bits(ElementType type) {
  switch (type) {
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0: return 8;
    case ElementType::kFloat4E2M1: return 4;
    case ElementType::kUint2:
    case ElementType::kInt2: return 2;
    default: return 0;
  }
}

/// Decodes elements of a type for which count_small_bits() is not 0. Elements of less than 8 bits are packed,
/// the low bits first; `raw` has those of all the shape.
Tensor decode_small(ElementType type, std::span<const std::byte> raw, const Shape& shape);

/// Options of Cast for a result of a small float.
struct SmallRounding {
  /// A value beyond the type's range becomes its greatest finite value, else infinity, or NaN if the type has
  /// none. kFloat4E2M1, which has neither, saturates always. Zero and negative values are beyond the range
  /// of kFloat8E8M0, too: they become 2^-127, else NaN, as in onnxruntime.
  bool saturates = true;
  /// Direction of rounding to kFloat8E8M0, whose values are powers of two: "up", "down" or "nearest".
  std::string_view mode = "up";
};

/// Rounds float32 values to those of a small float, halves to even ones.
Tensor round_to_small(const Tensor& x, ElementType type, const SmallRounding& how = {});

}  // namespace tenure::onnx
