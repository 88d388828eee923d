#pragma once

#include "core/run/backend.h"

namespace tenure::webgpu {

/// Returns the device of the current Context, which is lost without one.
Device& device();
/// Returns the backend of the current Context. Without a context its device is lost, and all ops run on
/// the CPU.
const Backend& backend();

}  // namespace tenure::webgpu
