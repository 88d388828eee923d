#pragma once

#include <string>
#include <string_view>

namespace tenure::gl {

/// GLSL definitions of the functions of cpu/simd/simd.h and the headers around cpu/simd/simd_math.h that
/// `source` calls, with the same names and the same rules for special values; those that GLSL has itself, and
/// that keep the rules, are left to it.
std::string functions_for(std::string_view source);

}  // namespace tenure::gl
