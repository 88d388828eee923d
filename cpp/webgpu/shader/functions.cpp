#include "webgpu/shader/functions.h"

#include <cctype>
#include <ranges>

#include "webgpu/shader/function_table.h"

namespace tenure::webgpu {
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
  const bool is_int = source.find(kIntAliases) != source.npos;
  std::string found;
  for (const WgslFunction& function : std::ranges::reverse_view(kFunctions)) {
    if (!calls(source, function.name) && !calls(found, function.name)) continue;
    found.insert(0, is_int && !function.for_int.empty() ? function.for_int : function.definition);
  }
  return found;
}

}  // namespace tenure::webgpu
