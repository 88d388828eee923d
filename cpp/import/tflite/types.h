#pragma once

#include <string_view>
#include <utility>

#include "core/tensor.h"
#include "import/tflite/schema.h"
#include "model/files/raw_elements.h"

namespace tenure::tflite {

/// Returns the dtype that computes the elements of a type: int32 for all integers, float32 for all floats.
/// Returns nullopt for types that tensors cannot have.
std::optional<DType> to_dtype(ElementType type);
/// Returns the type of raw data, or nullopt for types whose elements are no numbers.
std::optional<RawType> get_raw_type(ElementType type);
/// Returns a type's name in lower case, such as "float32", or "" for an unknown type.
std::string_view get_type_name(ElementType type);

/// True if the tensor has small integers that stand for real numbers.
bool is_quantized(const TensorDef& tensor);
/// Returns the lowest and the highest value of a type of small integers.
std::pair<std::int32_t, std::int32_t> get_range(ElementType type);
/// Returns the zero point for element `channel` of the quantized dimension.
std::int32_t zero_point(const Quantization& quantization, std::size_t channel = 0);

/// True if the stored values of two tensors have the same type and meaning.
bool has_same_values(const TensorDef& a, const TensorDef& b);

/// Returns a tensor's shape. Throws if an extent is negative, or the rank or the number of elements is too
/// high.
Shape to_shape(std::span<const std::int32_t> extents);
/// Returns the number of bytes of a dense tensor's elements, for limits on what a file makes the importer
/// allocate.
std::uint64_t decoded_bytes(const TensorDef& tensor);

/// Decodes the elements of a tensor as they are stored, sparse ones as dense ones. Throws for another number
/// of bytes than its shape needs, invalid sparsity, and types that tensors cannot have.
Tensor decode_tensor(const TensorDef& tensor, std::span<const std::byte> buffer);
/// Decodes the elements of an int64 tensor as float32, those that int32 cannot hold, too.
Tensor decode_longs(const TensorDef& tensor, std::span<const std::byte> buffer);
/// Returns the real numbers of a tensor's stored values, as float32; `values` itself if it has no scales or
/// is not int32.
Tensor dequantize(const TensorDef& tensor, const Tensor& values);
/// Returns stored - zero point of a quantized tensor, as float32.
Tensor remove_zero_point(const TensorDef& tensor, const Tensor& values);

}  // namespace tenure::tflite
