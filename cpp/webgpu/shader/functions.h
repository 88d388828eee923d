#pragma once

#include <string>
#include <string_view>

namespace tenure::webgpu {

/// Returns the WGSL functions of shader/function_table.h that a source calls, and those that they call.
std::string functions_for(std::string_view source);

}  // namespace tenure::webgpu
