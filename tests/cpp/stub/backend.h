#pragma once

#include "core/run/backend.h"

namespace tenure::stub {

/// Returns the backend of the stub device.
const Backend& backend();

}  // namespace tenure::stub
