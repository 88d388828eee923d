#include "core/shape.h"

#include <limits>

#include "core/error.h"

namespace tenure {

void Dims::too_long(int rank) {
  fail_shape("rank ", rank, " is higher than the highest supported, ", kMaxRank);
}

void Dims::push_back(std::int32_t value) { insert(rank, value); }

void Dims::insert(int at, std::int32_t value) {
  if (rank == kMaxRank) too_long(rank + 1);
  std::copy_backward(d + at, d + rank, d + rank + 1);
  d[at] = value;
  ++rank;
}

void Dims::erase(int at) {
  std::copy(d + at + 1, d + rank, d + at);
  --rank;
}

Dims Shape::strides() const {
  Dims result;
  result.rank = rank;
  // Unsigned, since the strides of a shape without elements may wrap.
  std::uint32_t step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    result[i] = static_cast<std::int32_t>(step);
    step *= static_cast<std::uint32_t>(d[i]);
  }
  return result;
}

void Shape::validate() const {
  check_shape(rank >= 0 && rank <= kMaxRank, "expected a rank from 0 to ", kMaxRank, ", got ", rank);
  bool is_empty = false;
  for (const std::int32_t extent : *this) {
    check_shape(extent >= 0, "a shape's extents must not be negative, got ", *this);
    is_empty |= extent == 0;
  }
  if (is_empty) return;
  std::int64_t count = 1;
  for (const std::int32_t extent : *this) {
    count *= extent;
    check_shape(count <= std::numeric_limits<std::int32_t>::max(), "a tensor of shape ", *this,
                " would have more than 2^31 - 1 elements");
  }
}

void append(std::string& text, const Dims& dims) {
  // A list from outside the engine may claim any length.
  if (dims.size() < 0 || dims.size() > kMaxRank) {
    append(text, "a list of ");
    return append(text, dims.size());
  }
  text += '[';
  for (int i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ',';
    append(text, dims[i]);
  }
  text += ']';
}

std::string join_dims(std::span<const std::int32_t> values) {
  std::string list;
  for (const std::int32_t value : values) {
    if (!list.empty()) list += ',';
    append(list, value);
  }
  return list;
}

int normalize_axis(int axis, int rank) {
  check_shape(axis >= -rank && axis < rank, "axis ", axis, " is out of range for a tensor of rank ", rank);
  return axis < 0 ? axis + rank : axis;
}

Dims normalize_axes(const Dims& axes, int rank) {
  check_shape(axes.size() >= 0 && axes.size() <= kMaxRank, "expected at most ", kMaxRank, " axes, got ",
              axes);
  std::uint32_t named = 0;
  for (const int axis : axes) named |= 1U << normalize_axis(axis, rank);
  Dims result;
  for (int i = 0; i < rank; ++i) {
    if (axes.empty() || named >> i & 1) result.push_back(i);
  }
  return result;
}

Shape broadcast(const Shape& a, const Shape& b) {
  if (a == b) return a;
  Shape result;
  result.rank = std::max(a.rank, b.rank);
  for (int i = 0; i < result.rank; ++i) {
    const std::int32_t from_a = i < a.rank ? a.back(i) : 1;
    const std::int32_t from_b = i < b.rank ? b.back(i) : 1;
    check_shape(from_a == from_b || from_a == 1 || from_b == 1,
                "Operands could not be broadcast together with shapes ", a, " and ", b, ".");
    result.back(i) = from_a == 1 ? from_b : from_a;
  }
  return result;
}

bool broadcasts_to(const Shape& x, const Shape& out) {
  if (x.rank > out.rank) return false;
  for (int i = 0; i < x.rank; ++i) {
    if (x.back(i) != 1 && x.back(i) != out.back(i)) return false;
  }
  return true;
}

bool matches(const Shape& shape, const Dims& pattern) {
  const auto allows = [](std::int32_t wanted, std::int32_t extent) { return wanted < 0 || wanted == extent; };
  return std::equal(pattern.begin(), pattern.end(), shape.begin(), shape.end(), allows);
}

bool is_suffix_broadcast(const Shape& x, const Shape& out) {
  if (x.elements() == out.elements()) return true;
  const auto first = std::find_if(x.begin(), x.end(), [](std::int32_t extent) { return extent != 1; });
  return x.end() - first <= out.rank && std::equal(first, x.end(), out.end() - (x.end() - first));
}

}  // namespace tenure
