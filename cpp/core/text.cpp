#include "core/text.h"

#include <cstdio>

namespace tenure {

void append(std::string& text, double part) {
  char digits[32];
  const int length = std::snprintf(digits, sizeof digits, "%.9g", part);
  text.append(digits, static_cast<std::size_t>(length));
}

}  // namespace tenure
