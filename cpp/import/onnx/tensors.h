#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "import/onnx/model_proto.h"

namespace tenure::onnx {

/// A file beside the model that has bytes of its tensors, or a range of one.
struct ExternalFile {
  std::string path;  ///< as the tensors name it
  std::span<const std::byte> bytes;
  std::uint64_t offset = 0;  ///< of the bytes in the file
  StoragePtr owner = {};  ///< has these bytes and no others, or is null; a tensor of all of them may share it
};

/// The bytes of another file that are a tensor's data.
struct ExternalRange {
  std::string_view path;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length = {};  ///< or that of the tensor
};

/// Returns where the data of an external tensor is. Throws for a number that is none.
ExternalRange read_external_range(const TensorProto& proto);

/// Returns the dtype that computes the elements of a type: int32 for all integers, float32 for all floats.
/// Returns nullopt for types that tensors cannot have.
std::optional<DType> to_dtype(std::int32_t type);
/// Returns a type's name in onnxruntime, such as "float32", or "" for an unknown type.
std::string_view get_type_name(std::int32_t type);
/// Returns the shape. Throws if an extent is negative or the rank or the number of elements is too high.
Shape to_shape(const std::vector<std::int64_t>& dims);

/// Decodes a tensor. Throws for another number of values than its shape has, a type that tensors cannot have,
/// and bytes that are not in `files`.
Tensor decode_tensor(const TensorProto& proto, std::span<const ExternalFile> files);

}  // namespace tenure::onnx
