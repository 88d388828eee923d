#pragma once

#include <string_view>

namespace tenure::keras {

/// Returns the defaults in lists/layers.def for the fields of a class, as in "use_bias=true activation=linear
/// "; empty for a class that is not listed.
std::string_view get_defaults(std::string_view class_name);

/// Returns the default of `field` in a result of get_defaults(), without quotes. Empty if the field has no
/// default or may be missing.
std::string_view find_default(std::string_view defaults, std::string_view field);

}  // namespace tenure::keras
