#include "shader_util/substitute.h"

namespace tenure {

std::string substitute(std::string_view source, std::initializer_list<Substitution> substitutions) {
  std::string result(source);
  for (const auto& [placeholder, value] : substitutions) {
    std::string inserted;
    value.append_to(inserted);
    for (std::size_t at = result.find(placeholder); at != result.npos;
         at = result.find(placeholder, at + inserted.size())) {
      result.replace(at, placeholder.size(), inserted);
    }
  }
  return result;
}

}  // namespace tenure
