#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tenure::onnx {

struct RegexNode;

/// A regular expression in the syntax of RE2, without Unicode classes (\p) and \Q. Matches in time linear in
/// the text, by running all alternatives side by side (Thompson, "Regular expression search algorithm",
/// 1968).
class Regex {
 public:
  /// Compiles a pattern in UTF-8. Throws an error that says where if it is invalid, and if it is too large:
  /// beyond 3000 instructions or 200 nested groups.
  explicit Regex(std::string_view pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  /// True if the pattern matches the whole text, in UTF-8. Invalid bytes stand for U+FFFD.
  bool matches(std::string_view text) const;

  /// Code points from `first` to `last`.
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };
  struct Instruction {
    enum Kind : std::uint8_t {
      kRead,        ///< reads a code point of `ranges`
      kSplit,       ///< continues at `next` and at `other`
      kJump,        ///< continues at `next`
      kTextBegin,   ///< continues at the beginning of the text
      kTextEnd,     ///< continues at the end of the text
      kLineBegin,   ///< continues at the beginning of a line
      kLineEnd,     ///< continues at the end of a line
      kBoundary,    ///< continues between a word and other characters
      kNoBoundary,  ///< continues inside of words and of other characters
      kMatch,
    };
    Kind kind = kMatch;
    std::uint32_t next = 0;
    std::uint32_t other = 0;
    const std::vector<Range>* ranges = nullptr;  ///< sorted and disjoint
  };

 private:
  class Threads;

  std::unique_ptr<const RegexNode> tree_;  ///< has the ranges that the instructions read
  std::vector<Instruction> program_;
};

}  // namespace tenure::onnx
