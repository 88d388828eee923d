#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tenure {

/// Element type of a tensor. The numbers cross the JavaScript boundary: append, never reorder.
enum class DType : std::int32_t { kFloat32 = 0, kInt32 = 1, kBool = 2, kString = 3, kComplex64 = 4 };

/// Returns the bytes of one stored element: 1 for bool, as in TensorFlow.js; 0 for strings, which have no
/// common size.
constexpr std::size_t element_size(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
    case DType::kInt32: return 4;
    case DType::kBool: return 1;
    case DType::kString: return 0;
    case DType::kComplex64: return 8;
  }
  return 0;
}

/// Returns TensorFlow.js's name: "float32", "int32", "bool", "string", "complex64".
constexpr std::string_view get_name(DType dtype) {
  constexpr std::string_view names[] = {"float32", "int32", "bool", "string", "complex64"};
  return names[static_cast<int>(dtype)];
}

/// Returns the type in which values of both types are computed, the higher one of bool < int32 < float32 <
/// complex64. Throws Error(kInvalid) for a string with a number.
DType upcast(DType a, DType b);

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kInt32;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::kBool;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kBool;
};

/// Returns `x` truncated toward zero. NaN becomes 0, and numbers out of range the nearest int32.
inline std::int32_t to_int32(double x) {
  if (!(x == x)) return 0;
  if (x <= std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::min();
  if (x >= std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(x);
}

}  // namespace tenure
