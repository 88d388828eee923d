#pragma once

#include <optional>

#include "model/executor/attributes.h"

namespace tenure {
class Json;
}

namespace tenure::graphdef {

using executor::Attributes;

/// TensorFlow's number of a DataType as one of our types: 64-bit and small integers are int32, halves and
/// doubles float32; nothing for one that we have not.
std::optional<DType> dtype_of(double number);

/// Reads a node's "attr". Throws for a value that is none of an attribute's forms, naming the attribute.
Attributes read_attributes(const Json& json);

/// Extents of a "shape" or "tensorShape" of a file; -1 where an extent is not known, nothing for an unknown
/// rank. Throws for what is none.
std::optional<Shape> read_shape(const Json& json);

/// A number that JSON may have as a string, as it has 64-bit ones. Throws for anything else.
double read_number(const Json& json);

}  // namespace tenure::graphdef
