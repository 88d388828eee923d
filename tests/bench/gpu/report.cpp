#include "report.h"

#include <cmath>
#include <cstdio>

namespace tenure::bench {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result += '"';
}

}  // namespace

Row::~Row() {
  std::printf("{%s}\n", line_.c_str());
  std::fflush(stdout);
}

void Row::begin(std::string_view name) {
  if (!line_.empty()) line_ += ',';
  line_ += quoted(name) + ':';
}

Row& Row::set(std::string_view name, std::string_view value) {
  begin(name);
  line_ += quoted(value);
  return *this;
}

Row& Row::set(std::string_view name, double value) {
  begin(name);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  line_ += std::isfinite(value) ? digits : "null";
  return *this;
}

Row& Row::set(std::string_view name, bool value) {
  begin(name);
  line_ += value ? "true" : "false";
  return *this;
}

}  // namespace tenure::bench
