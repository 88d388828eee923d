#pragma once

#include <string_view>

#include "core/run/backend.h"

namespace tenure {

/// Adds a backend to those that find_backend() returns. Does nothing if it was added before.
void register_backend(const Backend& backend);
/// Returns the registered backend of that name, or null. The CPU's, "cpu", is always registered.
const Backend* find_backend(std::string_view name);

}  // namespace tenure
