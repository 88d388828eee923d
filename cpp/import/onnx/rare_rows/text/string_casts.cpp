#include "import/onnx/rare_rows/text/string_casts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/checked_integers.h"
#include "core/error.h"
#include "core/strings.h"
#include "core/text.h"
#include "model/files/decimal.h"

namespace tenure::onnx {
namespace {

constexpr int kDigits = 8;
constexpr std::uint64_t kMinMantissa = 10'000'000;  // of kDigits digits

/// Returns a positive number as printf's %.8g writes it.
std::string format_positive(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  const auto make_mantissa = [&] {
    return static_cast<std::uint64_t>(std::nearbyint(value * std::pow(10.0, kDigits - 1 - exponent)));
  };
  std::uint64_t mantissa = make_mantissa();
  if (mantissa < kMinMantissa) {
    --exponent;
    mantissa = make_mantissa();
  }
  if (mantissa >= 10 * kMinMantissa) {
    ++exponent;
    mantissa = make_mantissa();
  }
  std::string digits = text(static_cast<std::int64_t>(mantissa));
  digits.erase(digits.find_last_not_of('0') + 1);
  if (exponent >= -4 && exponent < 0)
    return text("0.", std::string(static_cast<std::size_t>(-exponent - 1), '0'), digits);
  if (exponent >= 0 && exponent < kDigits) {
    const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    if (digits.size() > whole) digits.insert(whole, ".");
    return digits;
  }
  if (digits.size() > 1) digits.insert(1, ".");
  const int size = std::abs(exponent);
  return text(digits, exponent < 0 ? "e-" : "e+", size < 10 ? "0" : "", size);
}

std::string format(float value) {
  if (std::isnan(value)) return "NaN";
  const char* sign = std::signbit(value) ? "-" : "";
  if (value == 0) return text(sign, "0");
  if (std::isinf(value)) return text(sign, "INF");
  return text(sign, format_positive(std::fabs(static_cast<double>(value))));
}

/// A text that is read from its beginning.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}

  double read() {
    trim();
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    const double size = read_size();
    return is_negative ? -size : size;
  }

 private:
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void trim() {
    constexpr std::string_view kSpace = " \t\n\r";
    text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size()));
    text_.remove_suffix(text_.size() - text_.find_last_not_of(kSpace) - 1);
  }
  bool is_word(std::string_view word) const {
    return text_.size() == word.size() && std::equal(text_.begin(), text_.end(), word.begin(),
                                                     [](char a, char b) { return (a | 0x20) == b; });
  }
  double read_size() {
    if (is_word("nan")) return std::numeric_limits<double>::quiet_NaN();
    if (is_word("inf") || is_word("infinity")) return std::numeric_limits<double>::infinity();
    const std::string_view whole = text_;
    const std::size_t before = read_digits(false);
    const std::size_t after = take('.') ? read_digits(true) : 0;
    bool is_valid = before + after > 0;
    if (is_valid && (take('e') || take('E'))) is_valid = read_exponent();
    check(is_valid && text_.empty(), "\"", whole, "\" is not a number");
    return scale_by_power_of_ten(mantissa_, exponent_);
  }
  std::size_t read_digits(bool is_fraction) {
    std::size_t count = 0;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; ++count, text_.remove_prefix(1)) {
      constexpr std::uint64_t kMaxMantissa = 999'999'999'999'999'999;
      if (mantissa_ > kMaxMantissa) {
        exponent_ += is_fraction ? 0 : 1;
        continue;
      }
      mantissa_ = mantissa_ * 10 + static_cast<std::uint64_t>(text_[0] - '0');
      exponent_ -= is_fraction ? 1 : 0;
    }
    return count;
  }
  bool read_exponent() {
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    std::int64_t exponent = 0;
    bool has_digits = false;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1)) {
      has_digits = true;
      exponent = std::min<std::int64_t>(exponent * 10 + (text_[0] - '0'), 1'000'000);
    }
    exponent_ += is_negative ? -exponent : exponent;
    return has_digits;
  }

  std::string_view text_;
  std::uint64_t mantissa_ = 0;
  std::int64_t exponent_ = 0;
};

/// Returns the lower bits of a truncated number.
std::int32_t wrap_around(double value) {
  constexpr double kLimit = 0x1p63;
  if (!(value >= -kLimit && value < kLimit)) return to_int32(value);
  return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
}

}  // namespace

Tensor format_numbers(const Tensor& x) {
  std::vector<std::string> texts;
  texts.reserve(x.elements());
  switch (x.dtype()) {
    case DType::kFloat32:
      for (const float value : x.values<float>()) texts.push_back(format(value));
      break;
    case DType::kInt32:
      for (const std::int32_t value : x.values<std::int32_t>()) texts.push_back(text(std::int64_t{value}));
      break;
    case DType::kBool:
      for (const std::uint8_t value : x.values<std::uint8_t>()) texts.emplace_back(value != 0 ? "1" : "0");
      break;
    default: fail("a cast from ", get_name(x.dtype()), " to string is not supported");
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return make_string_tensor(views, x.shape());
}

Tensor parse_numbers(const Tensor& x, DType to, bool must_fit) {
  const Strings texts(x);
  Tensor result({x.shape(), to});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double value = NumberReader(texts[i]).read();
    const bool is_beyond = std::isfinite(value) && std::trunc(value) != to_int32(value);
    check(!must_fit || !is_beyond, kCannotHold, texts[i]);
    switch (to) {
      case DType::kFloat32: result.mutable_data<float>()[i] = static_cast<float>(value); break;
      case DType::kInt32: result.mutable_data<std::int32_t>()[i] = wrap_around(value); break;
      case DType::kBool: result.mutable_data<std::uint8_t>()[i] = value != 0 ? 1 : 0; break;
      default: fail("a cast from string to ", get_name(to), " is not supported");
    }
  }
  return result;
}

}  // namespace tenure::onnx
