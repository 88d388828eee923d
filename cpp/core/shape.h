#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace tenure {

/// Maximum rank. TensorFlow.js's limit for users is six dimensions; space-to-batch uses eight internally.
constexpr int kMaxRank = 8;

/// A short list of integers (axes, pads, a permutation), trivially copyable so that it can be an attribute.
struct Dims {
  std::int32_t rank = 0;
  std::int32_t d[kMaxRank] = {};

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<std::int32_t> values) { assign(values.begin(), values.end()); }
  explicit Dims(std::span<const std::int32_t> values) { assign(values.begin(), values.end()); }

  constexpr std::int32_t operator[](int i) const { return d[i]; }
  constexpr std::int32_t& operator[](int i) { return d[i]; }
  /// Returns the element at index `i` from the end: back(0) is the last.
  constexpr std::int32_t back(int i = 0) const { return d[rank - 1 - i]; }
  constexpr std::int32_t& back(int i = 0) { return d[rank - 1 - i]; }
  constexpr const std::int32_t* begin() const { return d; }
  constexpr const std::int32_t* end() const { return d + rank; }
  constexpr std::int32_t* begin() { return d; }
  constexpr std::int32_t* end() { return d + rank; }
  constexpr int size() const { return rank; }
  constexpr bool empty() const { return rank == 0; }

  /// Appends `value`. Throws Error(kShape) beyond kMaxRank.
  void push_back(std::int32_t value);
  /// Inserts `value` before index `at`. Throws Error(kShape) beyond kMaxRank.
  void insert(int at, std::int32_t value);
  /// Removes the element at index `at`.
  void erase(int at);
  bool contains(std::int32_t value) const { return std::find(begin(), end(), value) != end(); }

  // A loop, since a call of memcmp() takes longer for so few elements.
  friend constexpr bool operator==(const Dims& a, const Dims& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
      if (a.d[i] != b.d[i]) return false;
    }
    return true;
  }

 private:
  template <class It>
  constexpr void assign(It first, It last) {
    if (last - first > kMaxRank) too_long(static_cast<int>(last - first));
    for (; first != last; ++first) d[rank++] = *first;
  }
  [[noreturn]] static void too_long(int rank);
};

/// The extents of a tensor, row-major: the last dimension is contiguous. Rank 0 is a scalar.
struct Shape : Dims {
  using Dims::Dims;
  explicit Shape(const Dims& dims) : Dims(dims) {}

  /// Returns the number of elements. It cannot overflow for a shape that passed validate().
  std::size_t elements() const {
    std::size_t count = 1;
    for (int i = 0; i < rank; ++i) count *= static_cast<std::size_t>(d[i]);
    return count;
  }
  /// Returns the product of the extents in [first, last).
  std::size_t elements(int first, int last) const {
    std::size_t count = 1;
    for (int i = first; i < last; ++i) count *= static_cast<std::size_t>(d[i]);
    return count;
  }
  /// Returns the row-major strides, in elements.
  Dims strides() const;
  /// Throws Error(kShape) if the rank is out of [0, kMaxRank], an extent is negative, or the number of
  /// elements exceeds 2^31 - 1.
  void validate() const;
};

/// Appends the list as text: "[2,3]".
void append(std::string& text, const Dims& dims);
/// Returns "2,3", the form that shapes have in some of TensorFlow.js's messages.
std::string join_dims(std::span<const std::int32_t> values);

/// Returns the axis counted from 0; a negative one counts from the end. Throws Error(kShape) if it is out of
/// range.
int normalize_axis(int axis, int rank);
/// Returns sorted, unique axes counted from 0. An empty list means all axes, as TensorFlow.js's undefined
/// does. Throws Error(kShape) for an axis out of range.
Dims normalize_axes(const Dims& axes, int rank);

/// Returns the NumPy broadcast of two shapes. Throws Error(kShape) with TensorFlow.js's message if they are
/// incompatible.
Shape broadcast(const Shape& a, const Shape& b);

/// True if `x` can be broadcast to `out` without changing `out`.
bool broadcasts_to(const Shape& x, const Shape& out);

/// True if `shape` matches `pattern`, in which a negative extent stands for any.
bool matches(const Shape& shape, const Dims& pattern);

/// True if `x` broadcast to `out` is the elements of `x` in order, again and again: `x` has as many elements
/// as `out`, has one, or equals the trailing dimensions of `out`.
bool is_suffix_broadcast(const Shape& x, const Shape& out);

}  // namespace tenure
