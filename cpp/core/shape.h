#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace tenure {

/// Six dimensions are TensorFlow.js's limit for users; space-to-batch goes through eight.
constexpr int kMaxRank = 8;

/// A short list of integers, trivially copyable so that it can be an attribute: axes, pads, a permutation.
struct Dims {
  std::int32_t rank = 0;
  std::int32_t d[kMaxRank] = {};

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<std::int32_t> values) { assign(values.begin(), values.end()); }
  explicit Dims(std::span<const std::int32_t> values) { assign(values.begin(), values.end()); }

  constexpr std::int32_t operator[](int i) const { return d[i]; }
  constexpr std::int32_t& operator[](int i) { return d[i]; }
  /// Counts from the end: back(0) is the last.
  constexpr std::int32_t back(int i = 0) const { return d[rank - 1 - i]; }
  constexpr std::int32_t& back(int i = 0) { return d[rank - 1 - i]; }
  constexpr const std::int32_t* begin() const { return d; }
  constexpr const std::int32_t* end() const { return d + rank; }
  constexpr std::int32_t* begin() { return d; }
  constexpr std::int32_t* end() { return d + rank; }
  constexpr int size() const { return rank; }
  constexpr bool empty() const { return rank == 0; }

  /// Throws beyond kMaxRank.
  void push_back(std::int32_t value);
  void insert(int at, std::int32_t value);
  void erase(int at);
  bool contains(std::int32_t value) const { return std::find(begin(), end(), value) != end(); }

  // One by one: of so few, a call of memcmp() takes longer.
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

/// The extents of a tensor, row major: the last is the fastest. Rank 0 is a scalar.
struct Shape : Dims {
  using Dims::Dims;
  explicit Shape(const Dims& dims) : Dims(dims) {}

  /// Number of elements; a shape that passed validate() cannot overflow it.
  std::size_t elements() const {
    std::size_t count = 1;
    for (int i = 0; i < rank; ++i) count *= static_cast<std::size_t>(d[i]);
    return count;
  }
  /// Product of the extents in [first, last).
  std::size_t elements(int first, int last) const {
    std::size_t count = 1;
    for (int i = first; i < last; ++i) count *= static_cast<std::size_t>(d[i]);
    return count;
  }
  /// Step between neighbours of each dimension, in elements.
  Dims strides() const;
  /// Throws if an extent is negative or the number of elements exceeds 2^31 - 1.
  void validate() const;
};

/// Appends "[2,3]".
void append(std::string& text, const Dims& dims);
/// "2,3", as some of TensorFlow.js's messages have shapes.
std::string listed(std::span<const std::int32_t> values);

/// Axis counted from 0, given one that may be negative; throws when it is out of [-rank, rank).
int normalize_axis(int axis, int rank);
/// Sorted, unique axes counted from 0; an empty list means all axes, as TensorFlow.js's undefined does.
Dims normalize_axes(const Dims& axes, int rank);

/// NumPy broadcasting of two shapes. Throws with TensorFlow.js's words when they do not fit.
Shape broadcast(const Shape& a, const Shape& b);

/// Whether `x` can be broadcast to `out` as it is.
bool broadcasts_to(const Shape& x, const Shape& out);

/// Whether a shape is one of those that a pattern allows, in which a negative extent stands for any.
bool fits(const Shape& shape, const Dims& pattern);

/// Whether `x`, broadcast to `out`, is its elements in order, again and again: as `out` has them, a single
/// one, or the last dimensions of `out`.
bool repeats_along(const Shape& x, const Shape& out);

}  // namespace tenure
