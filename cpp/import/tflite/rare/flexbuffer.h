#pragma once

#include "import/tflite/flatbuffer.h"
#include "model/executor/attributes.h"

namespace tenure::tflite {

/// Returns the numbers, and lists of numbers, of a FlexBuffer (flatbuffers.dev/flexbuffers) that is a map, by
/// their keys. Values of other types are left out. Throws if it is invalid.
executor::Attributes read_flexbuffer(std::span<const std::byte> bytes);

}  // namespace tenure::tflite
