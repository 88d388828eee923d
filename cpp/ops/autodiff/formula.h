#pragma once

#include <array>
#include <cstdint>

#include "core/run/op.h"

namespace tenure {

/// Gradient formula of lists/ops.def as a short program in postfix order. Every function that it calls is an
/// op, so it can be differentiated again. One word per function takes less code than one call.
class Formula {
 public:
  enum Opcode : std::uint16_t { kOperands = 0xff00, kConstants = 0xfe00, kAttributes = 0xfd00 };

  constexpr Formula() = default;
  constexpr Formula(float constant) { constants_[constant_count_++] = constant, push(kConstants); }
  /// Returns the k-th tensor passed to evaluate().
  static constexpr Formula operand(int k) { return from_opcode(kOperands, k); }
  /// Returns the k-th word of the op's attributes, a float.
  static constexpr Formula attribute(int k) { return from_opcode(kAttributes, k); }
  template <class... F>
  static constexpr Formula call(Op op, const F&... inputs) {
    Formula result;
    (result.append(inputs), ...);
    result.push(static_cast<std::uint16_t>(op));
    return result;
  }

  constexpr bool is_empty() const { return size_ == 0; }
  /// Returns the value of the formula for these operands and attributes.
  Tensor evaluate(std::initializer_list<const Tensor*> operands, AttrsView attrs) const;

 private:
  static constexpr Formula from_opcode(Opcode kind, int k) {
    Formula result;
    result.push(static_cast<std::uint16_t>(kind + k));
    return result;
  }
  constexpr void push(std::uint16_t word) { words_[size_++] = word; }
  constexpr void append(const Formula& other) {
    for (int i = 0; i < other.size_; ++i) {
      const std::uint16_t word = other.words_[static_cast<std::size_t>(i)];
      const bool is_constant = word >= kConstants && word < kOperands;
      push(static_cast<std::uint16_t>(is_constant ? word + constant_count_ : word));
    }
    for (int i = 0; i < other.constant_count_; ++i) {
      constants_[constant_count_++] = other.constants_[static_cast<std::size_t>(i)];
    }
  }

  std::uint8_t size_ = 0;
  std::uint8_t constant_count_ = 0;
  std::array<std::uint16_t, 25> words_{};
  std::array<float, 5> constants_{};
};

/// Functions and operators of the formula language.
namespace formulas {

using V = Formula;
constexpr Formula operator+(const Formula& x, const Formula& y) { return Formula::call(Op::add, x, y); }
constexpr Formula operator-(const Formula& x, const Formula& y) { return Formula::call(Op::sub, x, y); }
constexpr Formula operator*(const Formula& x, const Formula& y) { return Formula::call(Op::mul, x, y); }
constexpr Formula operator/(const Formula& x, const Formula& y) { return Formula::call(Op::div, x, y); }
constexpr Formula operator-(const Formula& x) { return Formula::call(Op::neg, x); }
constexpr Formula gt(const Formula& x, const Formula& y) { return Formula::call(Op::greater, x, y); }
constexpr Formula ge(const Formula& x, const Formula& y) { return Formula::call(Op::greater_equal, x, y); }
constexpr Formula lt(const Formula& x, const Formula& y) { return Formula::call(Op::less, x, y); }
constexpr Formula le(const Formula& x, const Formula& y) { return Formula::call(Op::less_equal, x, y); }
constexpr Formula eq(const Formula& x, const Formula& y) { return Formula::call(Op::equal, x, y); }
constexpr Formula ne(const Formula& x, const Formula& y) { return Formula::call(Op::not_equal, x, y); }
constexpr Formula select(const Formula& test, const Formula& x, const Formula& y) {
  return Formula::call(Op::where, test, x, y);
}
/// Returns a call of Op::step. Its alpha is a constant operand that follows x.
constexpr Formula step(const Formula& x, float alpha = 0) {
  return Formula::call(Op::step, x, Formula(alpha));
}

// Elementwise ops without attributes, by their own names.
#define FUNCTION_None(name) \
  constexpr Formula name(const Formula& x) { return Formula::call(Op::name, x); }
#define FUNCTION_Alpha(name)
#define FUNCTION_Clip(name)
#define UNARY(name, js, rule, A, ...) FUNCTION_##A(name)
#define BINARY(name, ...) \
  constexpr Formula name(const Formula& x, const Formula& y) { return Formula::call(Op::name, x, y); }
#define OTHER_ROWS(...)
#include "lists/ops.def"
#undef FUNCTION_None
#undef FUNCTION_Alpha
#undef FUNCTION_Clip

}  // namespace formulas
}  // namespace tenure
