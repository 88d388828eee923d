#pragma once

#include <optional>

#include "model/executor/attributes.h"

namespace tenure {
class Json;
}

namespace tenure::graphdef {

using executor::Attributes;

/// Returns the engine's dtype for a number of TensorFlow's DataType: int32 for all integers, float32 for all
/// real floats, complex64 for complex128. Returns nullopt for types that tensors cannot have.
std::optional<DType> to_dtype(double number);

/// Reads a node's "attr". Throws for an invalid value, naming the attribute.
Attributes read_attributes(const Json& json);

/// Reads a "shape" or "tensorShape" of a file. Returns -1 for unknown extents, and nullopt for an unknown
/// rank. Throws for an invalid shape.
std::optional<Shape> read_shape(const Json& json);

/// Reads a number, which may be a string, as JSON stores 64-bit integers, NaN and infinities. Throws for
/// anything else.
double read_number(const Json& json);

}  // namespace tenure::graphdef
