#include "shape_util/slice.h"

#include <bit>

namespace tenure {
namespace {

constexpr bool has_bit(std::int32_t mask, int i) { return (mask >> i & 1) != 0; }

/// One entry of the lists of a strided slice.
struct Entry {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t stride;
  bool begin_masked;
  bool end_masked;
};

// Returns a range's bound clamped to `extent` elements; a negative `index` counts from the end.
std::int64_t clamp_index(std::int64_t index, std::int64_t extent, bool forward) {
  if (index < 0) index += extent;
  return forward ? std::clamp<std::int64_t>(index, 0, extent)
                 : std::clamp<std::int64_t>(index, -1, extent - 1);
}

void append_range(Slicing& slicing, const Entry& entry, std::int64_t extent) {
  const bool forward = entry.stride > 0;
  std::int64_t begin = clamp_index(entry.begin, extent, forward);
  std::int64_t end = clamp_index(entry.end, extent, forward);
  if (entry.begin_masked) begin = forward ? 0 : extent - 1;
  if (entry.end_masked) end = forward ? extent : -1;
  const std::int64_t length = forward ? end - begin : begin - end;
  const std::int64_t step = forward ? entry.stride : -entry.stride;
  slicing.begin.push_back(static_cast<std::int32_t>(begin));
  slicing.stride.push_back(static_cast<std::int32_t>(entry.stride));
  slicing.count.push_back(length <= 0 ? 0 : static_cast<std::int32_t>((length + step - 1) / step));
}

void append_single(Slicing& slicing, const Entry& entry, std::int64_t extent) {
  const int dimension = slicing.count.size();
  check(entry.stride > 0, "only stride 1 allowed on non-range indexing.");
  const std::int64_t index = entry.begin < 0 ? entry.begin + extent : entry.begin;
  check(index >= 0 && index < extent, "slice index ", entry.begin, " of dimension ", dimension,
        " out of bounds.");
  slicing.begin.push_back(static_cast<std::int32_t>(index));
  slicing.stride.push_back(1);
  slicing.count.push_back(1);
}

void append_whole(Slicing& slicing, std::int32_t extent) {
  slicing.begin.push_back(0);
  slicing.stride.push_back(1);
  slicing.count.push_back(extent);
  slicing.shape.push_back(extent);
}

void check_lists(const StridedSliceAttrs& attrs) {
  const int entries = attrs.begin.size();
  check_shape(
      entries >= 0 && entries <= kMaxRank && attrs.end.size() == entries && attrs.strides.size() == entries,
      "expected begin, end and strides of one length, got ", entries, ", ", attrs.end.size(), " and ",
      attrs.strides.size());
  check(std::popcount(static_cast<std::uint32_t>(attrs.ellipsis_mask)) <= 1,
        "Multiple ellipses in slice is not allowed.");
}

}  // namespace

Slicing get_slice_bounds(const Shape& input, const SliceAttrs& attrs) {
  const int rank = input.size();
  check_shape(rank > 0, "Slicing scalar is not possible");
  check_shape(attrs.begin.size() >= 0 && attrs.begin.size() <= rank, "Length of begin ", attrs.begin.size(),
              " must match the rank of the array (", rank, ").");
  check_shape(attrs.size.size() >= 0 && attrs.size.size() <= rank, "Length of size ", attrs.size.size(),
              " must match the rank of the array (", rank, ").");
  Slicing slicing;
  for (int i = 0; i < rank; ++i) {
    const std::int64_t begin = i < attrs.begin.size() ? attrs.begin[i] : 0;
    check(begin >= 0, "slice() does not support negative begin indexing, got ", attrs.begin, ".");
    std::int64_t size = i < attrs.size.size() ? attrs.size[i] : -1;
    check(size >= -1, "Negative size values should be exactly -1 but got ", size,
          " for the slice() size at index ", i, ".");
    if (size == -1) size = std::max<std::int64_t>(input[i] - begin, 0);
    check_shape(begin + size <= input[i], "begin[", i, "] + size[", i, "] (", begin + size,
                ") would overflow input.shape[", i, "] (", input[i], ")");
    slicing.begin.push_back(static_cast<std::int32_t>(begin));
    slicing.stride.push_back(1);
    slicing.count.push_back(static_cast<std::int32_t>(size));
  }
  slicing.shape = Shape(slicing.count);
  return slicing;
}

Slicing get_slice_bounds(const Shape& input, const StridedSliceAttrs& attrs) {
  check_lists(attrs);
  const int entries = attrs.begin.size();
  int named = 0;
  for (int i = 0; i < entries; ++i) named += !has_bit(attrs.ellipsis_mask | attrs.new_axis_mask, i);
  Slicing slicing;
  for (int i = 0; i < entries; ++i) {
    const int dimension = slicing.count.size();
    if (has_bit(attrs.ellipsis_mask, i)) {
      for (int skipped = input.size() - named; skipped > 0; --skipped)
        append_whole(slicing, input[slicing.count.size()]);
    } else if (has_bit(attrs.new_axis_mask, i)) {
      slicing.shape.push_back(1);
    } else {
      check_shape(dimension < input.size(), "Index out of range using input dim ", dimension,
                  "; input has only ", input.size(), " dims");
      check(attrs.strides[i] != 0, "strides[", i, "] must be non-zero");
      const Entry entry = {attrs.begin[i], attrs.end[i], attrs.strides[i], has_bit(attrs.begin_mask, i),
                           has_bit(attrs.end_mask, i)};
      if (has_bit(attrs.shrink_axis_mask, i)) {
        append_single(slicing, entry, input[dimension]);
      } else {
        append_range(slicing, entry, input[dimension]);
        slicing.shape.push_back(slicing.count.back());
      }
    }
  }
  while (slicing.count.size() < input.size()) append_whole(slicing, input[slicing.count.size()]);
  return slicing;
}

}  // namespace tenure
