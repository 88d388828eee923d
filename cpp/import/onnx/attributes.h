#pragma once

#include "import/onnx/model_proto.h"
#include "import/onnx/tensors.h"
#include "model/executor/attributes.h"

namespace tenure::onnx {

/// Returns an attribute that is no graph, as rows read it. A whole number beyond 32 bits is clamped.
executor::Attributes::Value to_attribute(const AttributeProto& proto, std::span<const ExternalFile> files);

/// Returns the attributes of an input or output: "type", "dtype", "shape", "symbols", the names of its
/// extents, and "container" unless it is a tensor. `free_dimensions` gives values to names. Throws if its
/// type is not supported.
executor::Attributes to_attributes(const ValueInfoProto& info,
                                   std::span<const std::pair<std::string, std::int32_t>> free_dimensions);

/// Returns an attribute whose value is one string.
executor::Attributes::Value string_attribute(std::string name, std::string value);

}  // namespace tenure::onnx
