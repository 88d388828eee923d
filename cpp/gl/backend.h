#pragma once

#include "core/run/backend.h"

namespace tenure::gl {

/// Returns the backend of the current Context. Without a context it can hold no tensor, and all ops run on
/// the CPU.
const Backend& backend();

}  // namespace tenure::gl
