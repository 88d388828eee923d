#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "import/onnx/rare_rows/text/regex.h"

namespace tenure::onnx {

/// A part of a regular expression.
struct RegexNode {
  enum Kind : std::uint8_t { kEmpty, kRead, kAssertion, kSequence, kAlternatives, kRepeat };
  static constexpr int kUnbounded = -1;

  Kind kind = kEmpty;
  std::vector<std::unique_ptr<RegexNode>> parts = {};
  std::vector<Regex::Range> ranges = {};                                ///< of kRead, sorted and disjoint
  Regex::Instruction::Kind assertion = Regex::Instruction::kTextBegin;  ///< of kAssertion
  int min = 0;                                                          ///< of kRepeat
  int max = kUnbounded;                                                 ///< of kRepeat
};

/// Reads a pattern. Throws an error that says where if it is invalid or nested too deep.
std::unique_ptr<RegexNode> parse_regex(std::string_view pattern);

/// Removes the first code point from a text that is not empty. Returns U+FFFD for an invalid byte.
std::uint32_t take_code_point(std::string_view& text);

/// True for the characters of words: ASCII letters, digits and '_'.
bool is_word(std::uint32_t c);

}  // namespace tenure::onnx
