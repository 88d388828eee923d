#include "gl/shader/functions.h"

#include <cctype>
#include <ranges>

#include "gl/shader/function_table.h"

namespace tenure::gl {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool calls(std::string_view source, std::string_view name) {
  for (std::size_t at = source.find(name); at != source.npos; at = source.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(source[at - 1])) && end < source.size() && source[end] == '(') return true;
  }
  return false;
}

}  // namespace

std::string functions_for(std::string_view source) {
  std::string found;
  for (const GlslFunction& function : std::ranges::reverse_view(kFunctions)) {
    if (!calls(source, function.name) && !calls(found, function.name)) continue;
    found.insert(0, function.definition);
  }
  return found;
}

}  // namespace tenure::gl
