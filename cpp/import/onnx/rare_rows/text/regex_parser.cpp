#include "import/onnx/rare_rows/text/regex_parser.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/heap_sort.h"

namespace tenure::onnx {
namespace {

using Ranges = std::vector<Regex::Range>;
using Node = std::unique_ptr<RegexNode>;
using Instruction = Regex::Instruction;

constexpr std::uint32_t kMaxCodePoint = 0x10FFFF;
constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxPattern = 100'000;
/// Length of the longest count in braces, and of the longest name of a class in brackets.
constexpr std::size_t kMaxToken = 16;
/// As in RE2.
constexpr int kMaxRepeats = 1000;

struct NamedRanges {
  std::string_view name;
  std::string_view pairs;  ///< first and last character of each range
};
constexpr NamedRanges kEscapes[] = {{"d", "09"}, {"s", "\t\n\f\r  "}, {"w", "09AZaz__"}};
constexpr NamedRanges kPosix[] = {{"alnum", "09AZaz"},
                                  {"alpha", "AZaz"},
                                  {"ascii", {"\0\x7f", 2}},
                                  {"blank", "\t\t  "},
                                  {"cntrl", {"\0\x1f\x7f\x7f", 4}},
                                  {"digit", "09"},
                                  {"graph", "!~"},
                                  {"lower", "az"},
                                  {"print", " ~"},
                                  {"punct", "!/:@[`{~"},
                                  {"space", "\t\r  "},
                                  {"upper", "AZ"},
                                  {"word", "09AZaz__"},
                                  {"xdigit", "09AFaf"}};

Ranges to_ranges(std::string_view pairs) {
  Ranges ranges;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    ranges.push_back({static_cast<std::uint8_t>(pairs[i]), static_cast<std::uint8_t>(pairs[i + 1])});
  return ranges;
}

/// Returns the code points that are in none of the ranges.
Ranges complement(Ranges ranges) {
  heap_sort(ranges, [](const Regex::Range& a, const Regex::Range& b) { return a.first < b.first; });
  Ranges rest;
  std::uint32_t next = 0;
  for (const Regex::Range& range : ranges) {
    if (range.first > next) rest.push_back({next, range.first - 1});
    next = std::max(next, range.last + 1);
  }
  if (next <= kMaxCodePoint) rest.push_back({next, kMaxCodePoint});
  return rest;
}

/// Adds the other case of ASCII letters.
Ranges fold_case(Ranges ranges) {
  for (std::size_t i = 0, count = ranges.size(); i < count; ++i) {
    for (const std::uint32_t letter : {U'A', U'a'}) {
      const std::uint32_t low = std::max(ranges[i].first, letter);
      const std::uint32_t high = std::min(ranges[i].last, letter + 25);
      if (low <= high) ranges.push_back({low ^ 0x20U, high ^ 0x20U});
    }
  }
  return ranges;
}

class Parser {
 public:
  explicit Parser(std::string_view pattern) : pattern_(pattern), rest_(pattern) {}

  Node parse() {
    check(pattern_.size() <= kMaxPattern, "the pattern has ", pattern_.size(), " bytes, more than ",
          kMaxPattern);
    Node node = parse_alternatives();
    if (!rest_.empty()) fail_here("a ')' without a '('");
    return node;
  }

 private:
  struct Flags {
    bool ignores_case = false;
    bool dot_reads_newline = false;
    bool is_multiline = false;
  };

  [[noreturn]] void fail_here(std::string_view what) const {
    fail("the pattern \"", pattern_, "\" has ", what, " before position ",
         pattern_.size() - rest_.size() + 1);
  }
  bool accept(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::uint32_t take() {
    if (rest_.empty()) fail_here("no end");
    return take_code_point(rest_);
  }

  Node read(Ranges ranges) const {
    Node node = std::make_unique<RegexNode>(RegexNode{RegexNode::kRead});
    if (flags_.ignores_case) ranges = fold_case(std::move(ranges));
    // Sorts and joins the ranges.
    node->ranges = complement(complement(std::move(ranges)));
    return node;
  }
  static Node assertion(Instruction::Kind kind) {
    Node node = std::make_unique<RegexNode>(RegexNode{RegexNode::kAssertion});
    node->assertion = kind;
    return node;
  }

  Node parse_alternatives() {
    if (++depth_ > kMaxDepth) fail_here("groups that are nested too deep");
    Node node = std::make_unique<RegexNode>(RegexNode{RegexNode::kAlternatives});
    do {
      node->parts.push_back(parse_sequence());
    } while (accept("|"));
    --depth_;
    return node;
  }

  Node parse_sequence() {
    Node node = std::make_unique<RegexNode>(RegexNode{RegexNode::kSequence});
    while (!rest_.empty() && rest_[0] != '|' && rest_[0] != ')')
      node->parts.push_back(parse_repeats(parse_atom()));
    return node;
  }

  struct Repeats {
    int min;
    int max;
  };
  /// Reads "{2}", "{2,}" or "{2,3}". Other braces are characters.
  std::optional<Repeats> accept_braces() {
    const std::size_t end = rest_.substr(0, kMaxToken).find('}');
    if (!rest_.starts_with('{') || end == std::string_view::npos) return {};
    std::string_view list = rest_.substr(1, end - 1);
    const auto take_number = [&]() -> std::optional<int> {
      const std::size_t digits = std::min(list.find_first_not_of("0123456789"), list.size());
      if (digits == 0) return {};
      int number = 0;
      for (const char c : list.substr(0, digits)) number = std::min(number * 10 + (c - '0'), kMaxRepeats + 1);
      list.remove_prefix(digits);
      return number;
    };
    const std::optional<int> min = take_number();
    if (!min) return {};
    int max = *min;
    if (list.starts_with(',')) {
      list.remove_prefix(1);
      max = take_number().value_or(RegexNode::kUnbounded);
    }
    if (!list.empty()) return {};
    rest_.remove_prefix(end + 1);
    if (*min > kMaxRepeats || max > kMaxRepeats || (max >= 0 && max < *min)) fail_here("an invalid count");
    return Repeats{*min, max};
  }

  std::optional<Repeats> accept_repeats() {
    if (accept("*")) return Repeats{0, RegexNode::kUnbounded};
    if (accept("+")) return Repeats{1, RegexNode::kUnbounded};
    if (accept("?")) return Repeats{0, 1};
    return accept_braces();
  }

  Node parse_repeats(Node atom) {
    const std::optional<Repeats> repeats = accept_repeats();
    if (!repeats) return atom;
    // Lazy and greedy repeats match the same whole texts.
    accept("?");
    if (accept_repeats()) fail_here("a repeat of a repeat");
    Node node = std::make_unique<RegexNode>(RegexNode{RegexNode::kRepeat});
    node->parts.push_back(std::move(atom));
    node->min = repeats->min;
    node->max = repeats->max;
    return node;
  }

  Node parse_atom() {
    if (accept("(")) return parse_group();
    if (accept("[")) return read_class();
    if (accept("\\")) return parse_escape();
    if (accept("^"))
      return assertion(flags_.is_multiline ? Instruction::kLineBegin : Instruction::kTextBegin);
    if (accept("$")) return assertion(flags_.is_multiline ? Instruction::kLineEnd : Instruction::kTextEnd);
    if (accept(".")) return read(flags_.dot_reads_newline ? complement({}) : complement({{'\n', '\n'}}));
    const std::uint32_t c = take();
    if (c == '*' || c == '+' || c == '?') fail_here("a repeat of nothing");
    return read({{c, c}});
  }

  /// Reads flags up to ':' or ')'. Returns the character.
  char read_flags() {
    bool value = true;
    while (!rest_.empty()) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      switch (c) {
        case 'i': flags_.ignores_case = value; break;
        case 's': flags_.dot_reads_newline = value; break;
        case 'm': flags_.is_multiline = value; break;
        case 'U': break;
        case '-': value = false; break;
        case ':':
        case ')': return c;
        default: fail_here("an unknown flag");
      }
    }
    fail_here("no end of a group");
  }

  Node parse_group() {
    const Flags outer = flags_;
    if (accept("?P<") || accept("?<")) {
      const std::size_t end = rest_.find('>');
      const std::string_view name = rest_.substr(0, end);
      if (end == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), is_word))
        fail_here("no name of a group");
      rest_.remove_prefix(end + 1);
    } else if (accept("?")) {
      if (read_flags() == ')') return std::make_unique<RegexNode>();
    }
    Node node = parse_alternatives();
    if (!accept(")")) fail_here("no end of a group");
    flags_ = outer;
    return node;
  }

  static const NamedRanges* find(std::span<const NamedRanges> table, std::string_view name) {
    const auto at =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == name; });
    return at == table.end() ? nullptr : &*at;
  }

  /// Reads what is behind a backslash, if it is a class such as \d.
  std::optional<Ranges> accept_class_escape() {
    if (rest_.empty()) return {};
    const bool negates = rest_[0] >= 'A' && rest_[0] <= 'Z';
    const char lower = negates ? static_cast<char>(rest_[0] | 0x20) : rest_[0];
    const NamedRanges* found = find(kEscapes, {&lower, 1});
    if (!found) return {};
    rest_.remove_prefix(1);
    return negates ? complement(to_ranges(found->pairs)) : to_ranges(found->pairs);
  }

  std::uint32_t read_hexadecimal() {
    const bool has_braces = accept("{");
    std::uint32_t value = 0;
    for (int digits = 0; has_braces ? !accept("}") : digits < 2; ++digits) {
      const std::uint32_t c = take();
      const std::uint32_t letter = c | 0x20U;
      if (c >= '0' && c <= '9') {
        value = value * 16 + (c - '0');
      } else if (letter >= 'a' && letter <= 'f') {
        value = value * 16 + (letter - 'a' + 10);
      } else {
        fail_here("an invalid code point");
      }
      if (value > kMaxCodePoint) fail_here("an invalid code point");
    }
    return value;
  }

  /// Reads what is behind a backslash as one character.
  std::uint32_t read_character_escape() {
    constexpr std::string_view kNames = "abfnrtv";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v";
    if (accept("x")) return read_hexadecimal();
    const std::uint32_t c = take();
    if (c >= 0x80) fail_here("an unknown escape");
    const std::size_t at = c == 'b' ? std::string_view::npos : kNames.find(static_cast<char>(c));
    if (at != std::string_view::npos) return static_cast<std::uint32_t>(kValues[at]);
    if (is_word(c) && c != '_') fail_here("an unknown escape");
    return c;
  }

  Node parse_escape() {
    if (accept("A")) return assertion(Instruction::kTextBegin);
    if (accept("z")) return assertion(Instruction::kTextEnd);
    if (accept("b")) return assertion(Instruction::kBoundary);
    if (accept("B")) return assertion(Instruction::kNoBoundary);
    if (std::optional<Ranges> ranges = accept_class_escape()) return read(std::move(*ranges));
    const std::uint32_t c = read_character_escape();
    return read({{c, c}});
  }

  /// Reads "[:alpha:]" or "[:^alpha:]" inside of a class.
  std::optional<Ranges> accept_posix() {
    const std::size_t end = rest_.substr(0, kMaxToken).find(":]");
    if (!rest_.starts_with("[:") || end == std::string_view::npos || end < 2) return {};
    std::string_view name = rest_.substr(2, end - 2);
    const bool negates = name.starts_with('^');
    if (negates) name.remove_prefix(1);
    const NamedRanges* found = find(kPosix, name);
    if (!found) return {};
    rest_.remove_prefix(end + 2);
    return negates ? complement(to_ranges(found->pairs)) : to_ranges(found->pairs);
  }

  std::uint32_t read_class_character() { return accept("\\") ? read_character_escape() : take(); }

  Node read_class() {
    const bool negates = accept("^");
    Ranges ranges;
    for (bool is_first = true; is_first || !accept("]"); is_first = false) {
      std::optional<Ranges> several = accept_posix();
      if (!several && rest_.starts_with('\\')) {
        rest_.remove_prefix(1);
        several = accept_class_escape();
        if (!several) rest_ = pattern_.substr(pattern_.size() - rest_.size() - 1);
      }
      if (several) {
        ranges.insert(ranges.end(), several->begin(), several->end());
        continue;
      }
      const std::uint32_t first = read_class_character();
      const bool is_range = rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']';
      const std::uint32_t last = is_range && accept("-") ? read_class_character() : first;
      if (last < first) fail_here("an empty range");
      ranges.push_back({first, last});
    }
    if (!negates) return read(std::move(ranges));
    if (flags_.ignores_case) ranges = fold_case(std::move(ranges));
    Node node = read({});
    node->ranges = complement(std::move(ranges));
    return node;
  }

  std::string_view pattern_;
  std::string_view rest_;
  Flags flags_;
  int depth_ = 0;
};

}  // namespace

bool is_word(std::uint32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  std::uint32_t value = length == 1 ? first : first & (0x7FU >> length);
  bool is_valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_valid && i < length; ++i) {
    is_valid = (byte(i) & 0xC0U) == 0x80;
    value = value << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  is_valid =
      is_valid && value >= kLeast[length] && value <= kMaxCodePoint && (value < 0xD800 || value > 0xDFFF);
  text.remove_prefix(is_valid ? length : 1);
  return is_valid ? value : kReplacement;
}

std::unique_ptr<RegexNode> parse_regex(std::string_view pattern) { return Parser(pattern).parse(); }

}  // namespace tenure::onnx
