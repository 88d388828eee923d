#pragma once

#include <string_view>

namespace tenure::keras {

/// The defaults that layers.def has for the fields of a class, "use_bias=true activation=linear "; nothing
/// for a class that it does not have.
std::string_view defaults_of(std::string_view class_name);

/// One of them, without quotes; empty where a field has none, or may be missing.
std::string_view find_default(std::string_view defaults, std::string_view field);

}  // namespace tenure::keras
