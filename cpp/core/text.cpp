#include "core/text.h"

#include <cmath>

namespace tenure {

// As JavaScript writes numbers, to nine significant digits. The library's printf of doubles computes in 128
// bits, for which WebAssembly has no instructions.
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
  std::string digits = std::to_string(scaled);
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
  if (scientific) text.append(exponent < 0 ? "e-" : "e+").append(std::to_string(std::abs(exponent)));
}

}  // namespace tenure
