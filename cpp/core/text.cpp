#include "core/text.h"

#include <cmath>

namespace tenure {

void append(std::string& text, std::int64_t part) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* at = end;
  std::uint64_t rest = part < 0 ? 0 - static_cast<std::uint64_t>(part) : static_cast<std::uint64_t>(part);
  do *--at = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  if (part < 0) *--at = '-';
  text.append(at, end);
}

// Writes numbers as JavaScript does, to nine significant digits. Not printf(): the C library formats doubles
// in 128-bit arithmetic, for which WebAssembly has no instructions.
void append(std::string& text, double part) {
  if (std::isnan(part)) return append(text, "NaN");
  if (std::signbit(part)) text += '-';
  double magnitude = std::abs(part);
  if (std::isinf(magnitude)) return append(text, "Infinity");
  if (magnitude == 0) return append(text, "0");

  int exponent = 0;  // of the first digit
  while (magnitude >= 10) magnitude /= 10, ++exponent;
  while (magnitude < 1) magnitude *= 10, --exponent;
  constexpr double kScale = 1e8;
  auto scaled = static_cast<std::int64_t>(std::round(magnitude * kScale));
  if (scaled >= static_cast<std::int64_t>(kScale) * 10) {
    scaled /= 10;
    ++exponent;
  }
  std::string digits = tenure::text(scaled);
  digits.erase(digits.find_last_not_of('0') + 1);

  const bool scientific = exponent < -6 || exponent > 20;
  int before_point = scientific ? 1 : exponent + 1;
  if (before_point <= 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-before_point), '0');
    text += digits;
  } else {
    const auto whole = static_cast<std::size_t>(before_point);
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    text.append(digits, 0, whole);
    if (digits.size() > whole) text.append(".").append(digits, whole);
  }
  if (scientific) append(text.append(exponent < 0 ? "e-" : "e+"), std::abs(exponent));
}

void FormatArg::append_literal(std::string& text, Value value) {
  text += static_cast<const char*>(value.address);
}
void FormatArg::append_integer(std::string& text, Value value) { append(text, value.integer); }
void FormatArg::append_number(std::string& text, Value value) { append(text, value.number); }

std::string join(const FormatArg* parts, std::size_t count) {
  std::string joined;
  for (std::size_t i = 0; i < count; ++i) parts[i].append_to(joined);
  return joined;
}

}  // namespace tenure
