#pragma once

#include <string>
#include <string_view>

namespace tenure::gl {

/// Returns GLSL definitions of those functions of cpu/simd/simd.h and the headers around cpu/simd/simd_math.h
/// that `source` calls, with the same names and the same results for special values. GLSL built-ins that have
/// the same results are not redefined.
std::string functions_for(std::string_view source);

}  // namespace tenure::gl
