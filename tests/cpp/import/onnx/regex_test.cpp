#include "import/onnx/rare_rows/text/regex.h"

#include "catch.h"
#include "core/error.h"

using Catch::Matchers::ContainsSubstring;
using tenure::onnx::Regex;

namespace {

struct Case {
  const char* pattern;
  std::vector<std::string_view> matches;
  std::vector<std::string_view> others;
};

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("Regular expressions match whole texts", "[onnx][regex]") {
  const std::vector<Case> cases = {
      {"", {""}, {"a"}},
      {"abc", {"abc"}, {"ab", "abcd", "xabc", ""}},
      {"a|bc|", {"a", "bc", ""}, {"ab", "abc"}},
      {"(a|ab)(c|bcd)", {"ac", "abc", "abcd", "abbcd"}, {"ab", "abcdd"}},
      {"a*b+c?", {"b", "aabbc", "bc"}, {"", "ac", "abcc"}},
      {"a+?b*?", {"a", "aab"}, {"", "b"}},
      {"a{2}b{1,}c{0,2}", {"aab", "aabbcc"}, {"ab", "aa", "aabccc"}},
      {"x{,2}", {"x{,2}"}, {"xx"}},
      {"[a-c^\\]-]+", {"ab^]-c"}, {"d", "[", ""}},
      {"[^a-c]", {"d", "\n", "\xC3\xA4"}, {"b", "de"}},
      {"[]a]+", {"]a]"}, {"[", "b"}},
      {"[[:alpha:][:^ascii:]_]+", {"aZ_\xE2\x82\xAC"}, {"1", "a b"}},
      {"\\d{4}-\\d\\d", {"2024-05"}, {"2024-5", "a024-05"}},
      {"\\w+\\s\\W\\D\\S", {"ab_9\t-x!"}, {"ab"}},
      {"[\\d\\s]+", {"1 2"}, {"a"}},
      {".", {"a", "\xE2\x82\xAC"}, {"\n", "", "ab"}},
      {"(?s).", {"\n"}, {"ab"}},
      {"(?i)aB[c-d]", {"AbC", "abD"}, {"abe"}},
      {"(?i:a)b", {"Ab", "ab"}, {"aB"}},
      {"(a(?i)b)c", {"aBc"}, {"aBC", "ABc"}},
      {"(?i)[^a]", {"b"}, {"A", "a"}},
      {"^a$", {"a"}, {"\na"}},
      {"(?m)^a$\\n^b$", {"a\nb"}, {"ab"}},
      {"\\bfoo\\b.\\Bb?", {"foo "}, {"foob", "foo  "}},
      {"(?P<user>[\\w.]+)@(?<host>\\w+)\\.com", {"an.na@example.com"}, {"@example.com", "a@b.org"}},
      {"\\x41\\x{20AC}\\t\\.\\\\", {"A\xE2\x82\xAC\t.\\"}, {"A"}},
      {"\xC3\xA4+", {"\xC3\xA4\xC3\xA4"}, {"\xC3\xA4\xA4"}},
      {"(a*)*(b|c*)+", {"", "aab", "cc"}, {"abd"}},
      {"(()|a{0}){3}b", {"b"}, {"a"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.pattern);
    const Regex regex(one.pattern);
    for (const std::string_view text : one.matches) CHECK(regex.matches(text));
    for (const std::string_view text : one.others) CHECK_FALSE(regex.matches(text));
  }
}

TEST_CASE("Invalid regular expressions are refused", "[onnx][regex]") {
  for (const char* pattern :
       {"(a", "a)", "[a", "[b-a]", "*a", "a**", "a{2}{3}", "a{3,2}", "a{1001}", "\\", "\\q", "\\pL", "(?=a)",
        "(?<=a>b)", "(?P<>a)", "(?i", "\\x{110000}", "\\xg1", "a\\Q"}) {
    CAPTURE(pattern);
    CHECK_THROWS_WITH(Regex(pattern), ContainsSubstring("the pattern \"") && ContainsSubstring("position"));
  }
}

TEST_CASE("Hostile regular expressions are refused, or take linear time", "[onnx][regex]") {
  CHECK_THROWS_WITH(Regex(repeat("(", 100'000)), ContainsSubstring("nested too deep"));
  CHECK_THROWS_WITH(Regex(repeat("a", 200'000)), ContainsSubstring("200000 bytes"));
  CHECK_THROWS_WITH(Regex("(a{1000}){1000}"), ContainsSubstring("3000 instructions"));
  CHECK_THROWS_WITH(Regex("(((a{0}){1000}){1000}){1000}"), ContainsSubstring("3000 instructions"));
  CHECK_THROWS_WITH(Regex(repeat("{", 50'000)), ContainsSubstring("3000 instructions"));
  const std::string text = repeat("a", 5000);
  CHECK_FALSE(Regex("(a+)+b").matches(text));
  CHECK_FALSE(Regex("(a|a)*(a|aa)*b").matches(text));
  CHECK(Regex("(.*)(.*)(.*)(.*)(.*)[^b]").matches(text));
  CHECK(Regex("(a?){500}a{500}").matches(std::string_view(text).substr(0, 500)));
}
