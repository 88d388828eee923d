#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "model/files/decimal.h"
#include "model/files/json.h"

namespace tenure {

/// A recursive-descent parser of one RFC 8259 document in UTF-8. Throws at the first invalid byte.
class JsonReader {
 public:
  JsonReader(std::string_view text, std::string_view what)
      : what_(what), begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  Json document() {
    take("\xEF\xBB\xBF");  // a byte order mark
    Json json = value();
    require(at_ == end_);
    return json;
  }

 private:
  Json value() {
    skip_space();
    Json json;
    switch (peek()) {
      case '{': fill(json, Json::Kind::kObject); break;
      case '[': fill(json, Json::Kind::kArray); break;
      case '"':
        json.kind_ = Json::Kind::kString;
        json.string_ = string();
        break;
      case 'n': require(take("null")); break;
      case 't':
      case 'f':
        json.kind_ = Json::Kind::kBool;
        json.number_ = take("true") ? 1 : 0;
        require(json.number_ != 0 || take("false"));
        break;
      default: json.kind_ = Json::Kind::kNumber; json.number_ = number();
    }
    skip_space();
    return json;
  }

  void fill(Json& json, Json::Kind kind) {
    check(depth_ < Json::kMaxDepth, what_, " is nested more than ", Json::kMaxDepth, " levels deep");
    ++depth_;
    json.kind_ = kind;
    const bool is_object = kind == Json::Kind::kObject;
    const char end = is_object ? '}' : ']';
    ++at_;
    skip_space();
    if (!take(end)) {
      do {
        if (is_object) {
          skip_space();
          json.keys_.push_back(string());
          skip_space();
          require(take(':'));
        }
        json.items_.push_back(value());
      } while (take(','));
      require(take(end));
    }
    --depth_;
  }

  double number() {
    const bool negative = take('-');
    std::uint64_t mantissa = 0;
    std::int64_t exponent = 0;
    const char* const first = at_;
    exponent += digits(mantissa);
    require(*first != '0' || at_ == first + 1);
    if (take('.')) {
      const char* const fraction = at_;
      exponent += digits(mantissa);
      exponent -= at_ - fraction;
    }
    if (take('e') || take('E')) {
      const bool below = take('-');
      if (!below) take('+');
      std::uint64_t power = 0;
      digits(power);
      const auto shift = static_cast<std::int64_t>(std::min(power, std::uint64_t{1} << 40));
      exponent += below ? -shift : shift;
    }
    const double magnitude = scale_by_power_of_ten(mantissa, exponent);
    require(std::isfinite(magnitude));
    return negative ? -magnitude : magnitude;
  }

  /// Appends one or more digits to `value`. Returns the number of digits dropped because `value` is full.
  std::int64_t digits(std::uint64_t& value) {
    std::int64_t dropped = 0;
    require(is_digit(peek()));
    for (; is_digit(peek()); ++at_) {
      constexpr std::uint64_t kFull = 1'000'000'000'000'000'000;  // one more digit still fits in 64 bits
      if (value < kFull) {
        value = value * 10 + static_cast<std::uint64_t>(*at_ - '0');
      } else {
        ++dropped;
      }
    }
    return dropped;
  }

  std::string string() {
    require(take('"'));
    std::string text;
    for (;;) {
      // Fast path: nearly all strings consist of plain characters only.
      const char* const first = at_;
      while (at_ < end_ && is_plain(*at_)) ++at_;
      text.append(first, at_);
      if (take('"')) return text;
      if (take('\\')) {
        escape(text);
      } else {
        copy_character(text);
      }
    }
  }

  void escape(std::string& text) {
    constexpr char kNames[] = "\"\\/bfnrt";
    constexpr char kMeanings[] = "\"\\/\b\f\n\r\t";
    if (take('u')) {
      std::uint32_t point = code_unit();
      require(point < 0xDC00 || point > 0xDFFF);
      if (point >= 0xD800 && point <= 0xDBFF) {
        require(take("\\u"));
        const std::uint32_t low = code_unit();
        require(low >= 0xDC00 && low <= 0xDFFF);
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      }
      return append_utf8(text, point);
    }
    const char* const name = peek() == '\0' ? nullptr : std::strchr(kNames, peek());
    require(name);
    text += kMeanings[name - kNames];
    ++at_;
  }

  std::uint32_t code_unit() {
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const char lower = static_cast<char>(c | 0x20);
      require(is_digit(c) || (lower >= 'a' && lower <= 'f'));
      unit = unit << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return unit;
  }

  static void append_utf8(std::string& text, std::uint32_t point) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
      put(0xC0 | point >> 6);
    } else {
      if (point < 0x10000) {
        put(0xE0 | point >> 12);
      } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
      }
      put(0x80 | (point >> 6 & 0x3F));
    }
    put(0x80 | (point & 0x3F));
  }

  /// Copies one character. Throws for a control character and for ill-formed UTF-8 (Unicode, table 3-7).
  void copy_character(std::string& text) {
    const char* const first = at_;
    const auto lead = static_cast<std::uint8_t>(peek());
    require(lead >= 0x20 && (lead < 0x80 || lead >= 0xC2) && lead <= 0xF4);
    ++at_;
    for (int i = 0, rest = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3; i < rest; ++i, ++at_) {
      const auto byte = static_cast<std::uint8_t>(peek());
      const int lowest = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const int highest = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      require(byte >= lowest && byte <= highest);
    }
    text.append(first, at_);
  }

  /// True for a printable ASCII character that needs no escape in a string.
  static bool is_plain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  /// Returns the current byte, or 0 at the end, which no rule accepts.
  char peek() const { return at_ < end_ ? *at_ : '\0'; }
  bool take(std::string_view token) {
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (left < token.size() || std::memcmp(at_, token.data(), token.size()) != 0) return false;
    at_ += token.size();
    return true;
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  void require(bool condition) const {
    if (!condition) refuse();
  }
  [[noreturn, gnu::noinline]] void refuse() const {
    fail(what_, " is not valid JSON: error at byte ", at_ - begin_ + 1);
  }

  std::string_view what_;
  const char* begin_;
  const char* at_;
  const char* end_;
  int depth_ = 0;
};

Json Json::parse(std::string_view text, std::string_view what) { return JsonReader(text, what).document(); }

}  // namespace tenure
