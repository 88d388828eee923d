#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/text.h"

namespace tenure {

/// A placeholder of a shader's source, and its value.
struct Substitution {
  std::string_view placeholder;
  FormatArg value;
};

/// Returns the source with all placeholders replaced, one after another: a value may contain placeholders of
/// later substitutions.
std::string substitute(std::string_view source, std::initializer_list<Substitution> substitutions);

}  // namespace tenure
