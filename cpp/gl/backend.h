#pragma once

#include "core/run/backend.h"

namespace tenure::gl {

/// The backend of the current Context; without one it holds nothing, and all ops run on the CPU.
const Backend& backend();

}  // namespace tenure::gl
