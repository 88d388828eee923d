#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tenure {

/// A string literal that can be a template argument. Copied by a built-in, as a compiler interprets loops.
template <std::size_t kSize>
struct ShaderLiteral {
  consteval ShaderLiteral(const char (&literal)[kSize]) { __builtin_memcpy(text, literal, kSize); }
  char text[kSize];
};

/// Removes comments and the white space that GLSL and WGSL do not need. Compilers interpret this, at a cost
/// of ten operators for a call: most characters take none.
class ShaderMinifier {
 public:
  /// Writes the minified `from`, which ends with a zero, to `to`, which has room for all of it. Returns the
  /// length.
  static consteval std::size_t run(const char* from, char* to) {
    const char* const start = to;
    bool has_gap = true;      // white space or a comment is before `from`
    bool has_newline = true;  // a line begins in it
    bool in_directive = false;
    bool after_head = false;
    while (true) {
      const char c = *from;
      if (c <= ' ') {
        if (c == '\0') break;
        has_gap = true;
        if (c == '\n') has_newline = true;
        ++from;
        continue;
      }
      if (c == '/' && (from[1] == '/' || from[1] == '*')) {
        from = skip_comment(from);
        has_gap = true;
        continue;
      }
      if (c == '\\' && from[1] == '\n') {
        from += 2;
        continue;
      }
      if (has_gap) {
        const bool is_directive = has_newline && c == '#';
        if (to != start) {
          if (has_newline && (in_directive || is_directive)) {
            *to++ = '\n';
          } else if (after_head || must_separate(to[-1], c)) {
            *to++ = ' ';
          }
        }
        if (has_newline) in_directive = is_directive;
        has_gap = has_newline = after_head = false;
        if (is_directive) {
          copy_head(from, to);
          after_head = true;
          continue;
        }
      }
      after_head = false;
      *to++ = c;
      ++from;
    }
    if (has_newline && to != start) *to++ = '\n';
    return static_cast<std::size_t>(to - start);
  }

 private:
  /// True in identifiers and numbers, and for $ and @, which programs replace by them.
  static consteval bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= '@' && c <= 'Z') || (c >= '_' && c <= 'z') || c == '.' || c == '$';
  }

  /// True if two tokens would be one without the space between them: words, or `a - -b`.
  static consteval bool must_separate(char before, char after) {
    return before == after ? after == '+' || after == '-' || is_word(after)
                           : is_word(before) && is_word(after);
  }

  static consteval const char* skip_comment(const char* from) {
    if (from[1] == '/') {
      while (*from != '\n' && *from != '\0') ++from;
      return from;
    }
    for (from += 2; *from != '*' || from[1] != '/'; ++from) {
      if (*from == '\0') throw "a comment does not end";
    }
    return from + 2;
  }

  /// Copies the name of a directive, and that of a macro with its parameters. The space that follows may
  /// separate a macro's name from a value in parentheses.
  static consteval void copy_head(const char*& from, char*& to) {
    *to++ = *from++;
    const char* const name = to;
    copy_name(from, to);
    if (std::string_view(name, static_cast<std::size_t>(to - name)) != "define") return;
    *to++ = ' ';
    copy_name(from, to);
    if (*from != '(') return;
    for (; *from != ')'; ++from) {
      if (*from == '\0' || *from == '\n') throw "a macro's parameters do not end";
      if (*from != ' ') *to++ = *from;
    }
    *to++ = *from++;
  }

  static consteval void copy_name(const char*& from, char*& to) {
    while (*from == ' ' || *from == '\t') ++from;
    if (!is_word(*from)) throw "expected the name of a directive or macro";
    while (is_word(*from)) *to++ = *from++;
  }
};

/// The minified text of a literal: without comments, without line breaks except around preprocessor lines,
/// and without spaces that separate nothing. Names stay. A literal whose last line is empty ends with a line
/// break, so that preprocessor lines can follow. Only its bytes are in the binary.
template <ShaderLiteral kSource>
struct MinifiedShader {
  struct Result {
    char text[sizeof(kSource.text)];
    std::size_t size;
  };
  static consteval Result minify() {
    Result result{};
    result.size = ShaderMinifier::run(kSource.text, result.text);
    return result;
  }
  static consteval auto make_text() {
    constexpr Result kResult = minify();
    std::array<char, kResult.size> text{};
    __builtin_memcpy(text.data(), kResult.text, kResult.size);
    return text;
  }
  static constexpr auto kText = make_text();
  static consteval std::string_view view() { return {kText.data(), kText.size()}; }
};

}  // namespace tenure
