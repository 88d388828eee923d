#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tensor.h"
#include "model/files/weights.h"

namespace tenure {

/// An element type of the raw data of model files. Files store elements back to back, little endian and
/// unaligned.
enum class RawType : std::uint8_t {
  kFloat32,
  kFloat16,
  kBfloat16,
  kFloat64,
  kInt4,
  kUint4,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kBool,
};

/// Returns the dtype that computes elements of a type: int32 for all integers, float32 for all floats.
DType get_dtype(RawType type);
/// Returns the bytes of `count` elements. Types of 4 bits have two elements in a byte, the low bits first.
std::uint64_t raw_bytes(RawType type, std::uint64_t count);
/// Returns `value` clamped to 32 bits: the engine's integers. Files write INT64_MAX for "to the end".
std::int32_t saturate(std::int64_t value);
/// Decodes elements, integers of more than 32 bits clamped to them. `raw` must have raw_bytes() of the shape.
/// 1024 and more integers of 4 or 8 bits stay so until they are read (NarrowIntegers), and so do 1024 and
/// more finite float16 of rank 2 and higher (HalfFloats). If `raw` has an owner, whose bytes must be all of
/// it, they and elements that are stored as they are computed stay in it.
Tensor decode_raw(RawType type, const WeightData& raw, const Shape& shape);

}  // namespace tenure
