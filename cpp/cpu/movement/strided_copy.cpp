#include "cpu/movement/strided_copy.h"

#include <algorithm>

#include "cpu/movement/transpose_block.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

// Below this many elements along a side, copying rows is as fast as transposing blocks.
constexpr std::ptrdiff_t kMinBlock = 4;
// Rows of up to this many words have unrolled loops, with several rows to a call.
constexpr std::ptrdiff_t kMaxGroup = 4;

// Copies four or more contiguous words. A call of memcpy() takes longer than a few vectors.
void copy_words(const float* in, float* out, std::ptrdiff_t count) {
  constexpr std::ptrdiff_t kLong = 32;
  if (count >= kLong) {
    std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(float));
    return;
  }
  const std::ptrdiff_t last = count - simd::kLanes;
  for (std::ptrdiff_t i = 0; i < last; i += simd::kLanes) simd::F32::load(in + i).store(out + i);
  simd::F32::load(in + last).store(out + last);
}

template <class T>
void copy_row(const T* in, std::ptrdiff_t stride, T* out, std::ptrdiff_t count) {
  constexpr std::ptrdiff_t kLong = 16;
  if constexpr (std::is_same_v<T, float>) {
    if (stride == 1 && count >= simd::kLanes) return copy_words(in, out, count);
  }
  if (stride == 1 && count >= kLong) {
    std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(T));
  } else if (stride == -1) {
    for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = in[-i];
  } else {
    for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = in[i * stride];
  }
}

/// Copies groups of kCount words that are `stride` apart, such as the channels of pixels that change places.
template <int kCount>
void copy_groups(const float* in, std::ptrdiff_t stride, float* out, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i, in += stride, out += kCount) {
    for (int k = 0; k < kCount; ++k) out[k] = in[k];
  }
}

/// Copies groups of 2 to 4 words that are `stride` apart.
void copy_groups(const float* in, std::ptrdiff_t stride, float* out, std::ptrdiff_t count,
                 std::ptrdiff_t size) {
  if (size == 2) return copy_groups<2>(in, stride, out, count);
  if (size == 3) return copy_groups<3>(in, stride, out, count);
  copy_groups<4>(in, stride, out, count);
}

/// Interleaves two or three planes of words, `stride` apart, as the channels of `count` pixels.
void interleave(const float* in, std::ptrdiff_t stride, std::ptrdiff_t planes, float* out,
                std::ptrdiff_t count) {
  const float* const plane[] = {in, in + stride, in + (planes - 1) * stride, in};
  std::ptrdiff_t i = 0;
  // A pixel's vector store reaches into the next pixel, which is written after it.
  for (; i + 4 < count; i += 4, out += 4 * planes) {
    transpose_4x4<float>({plane[0] + i, plane[1] + i, plane[2] + i, plane[3] + i}, out, planes);
  }
  for (; i < count; ++i) {
    for (std::ptrdiff_t p = 0; p < planes; ++p) *out++ = in[p * stride + i];
  }
}

}  // namespace

void StridedCopy::add(std::ptrdiff_t extent, std::ptrdiff_t stride) {
  if (extent == 1) return;
  for (int i = 0; i < rank_; ++i) dimensions_[i].to *= extent;
  if (rank_ > 0) {
    Dimension& outer = dimensions_[rank_ - 1];
    if (outer.from == extent * stride) {
      outer = {outer.extent * extent, stride, 1};
      return;
    }
  }
  dimensions_[rank_++] = {extent, stride, 1};
}

void StridedCopy::run(const Tensor& in, Tensor& out) const {
  switch (element_size(out.dtype())) {
    case 1: return share(in.data<std::uint8_t>() + origin_, out.mutable_data<std::uint8_t>());
    case 8: return share(in.data<std::uint64_t>() + origin_, out.mutable_data<std::uint64_t>());
    // Copied as floats, which copying does not change: GEMM already instantiates their transposition.
    default: return share(in.data<float>() + origin_, out.mutable_data<float>());
  }
}

// Splits the outermost dimension among threads, several indices at a time, because transposed blocks span
// several.
template <class T>
void StridedCopy::share(const T* in, T* out) const {
  if (rank_ == 0) return copy(in, out);
  constexpr std::ptrdiff_t kIndices = 16;
  constexpr std::size_t kWork = 8;
  const Dimension& outer = dimensions_[0];
  const std::ptrdiff_t size = outer.extent * outer.to;
  const std::ptrdiff_t at_once = size > outer.extent * kIndices ? 1 : kIndices;
  const auto chunks = static_cast<std::size_t>((outer.extent + at_once - 1) / at_once);
  const std::size_t work = static_cast<std::size_t>(size) / chunks * kWork;
  parallel_for(chunks, grain_size(work), [&](std::size_t begin, std::size_t end) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(begin) * at_once;
    StridedCopy range = *this;
    range.dimensions_[0].extent = std::min(outer.extent, static_cast<std::ptrdiff_t>(end) * at_once) - first;
    range.copy(in + first * outer.from, out + first * outer.to);
  });
}

template <class Visit>
void StridedCopy::for_each(const Dimension* dimensions, int rank, Visit visit) {
  std::ptrdiff_t index[kMaxRank] = {};
  std::ptrdiff_t from = 0;
  std::ptrdiff_t to = 0;
  for (;;) {
    visit(from, to);
    int i = rank - 1;
    for (; i >= 0; --i) {
      const Dimension& d = dimensions[i];
      from += d.from;
      to += d.to;
      if (++index[i] < d.extent) break;
      from -= d.from * d.extent;
      to -= d.to * d.extent;
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

template <class T>
void StridedCopy::copy(const T* in, T* out) const {
  if (rank_ == 0) {
    *out = *in;
    return;
  }
  // Complex numbers (8 bytes) are rare, and not worth transposing in blocks.
  if constexpr (sizeof(T) < sizeof(std::uint64_t)) {
    if (copy_transposed(in, out)) return;
  }
  const Dimension& row = dimensions_[rank_ - 1];
  if constexpr (sizeof(T) == sizeof(float)) {
    if (rank_ > 1 && row.extent < kMinBlock && dimensions_[rank_ - 2].from == 1) {
      const std::ptrdiff_t pixels = dimensions_[rank_ - 2].extent;
      return for_each(dimensions_, rank_ - 2, [&](std::ptrdiff_t from, std::ptrdiff_t to) {
        interleave(in + from, row.from, row.extent, out + to, pixels);
      });
    }
    if (rank_ > 1 && row.from == 1 && row.extent <= kMaxGroup) {
      const Dimension& groups = dimensions_[rank_ - 2];
      return for_each(dimensions_, rank_ - 2, [&](std::ptrdiff_t from, std::ptrdiff_t to) {
        copy_groups(in + from, groups.from, out + to, groups.extent, row.extent);
      });
    }
  }
  for_each(dimensions_, rank_ - 1, [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    copy_row(in + from, row.from, out + to, row.extent);
  });
}

// Copies in square blocks and returns true, if the dimension that is contiguous in the input is not the one
// that is contiguous in the output, and both are long enough.
template <class T>
bool StridedCopy::copy_transposed(const T* in, T* out) const {
  const Dimension& columns = dimensions_[rank_ - 1];
  if (columns.from == 1 || columns.extent < kMinBlock) return false;
  int contiguous = 0;
  while (contiguous < rank_ && dimensions_[contiguous].from != 1) ++contiguous;
  if (contiguous == rank_ || dimensions_[contiguous].extent < kMinBlock) return false;
  const Dimension& rows = dimensions_[contiguous];
  Dimension others[kMaxRank];
  int count = 0;
  for (int i = 0; i < rank_ - 1; ++i) {
    if (i != contiguous) others[count++] = dimensions_[i];
  }
  for_each(others, count, [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    transpose_block(in + from, columns.from, out + to, rows.to, rows.extent, columns.extent);
  });
  return true;
}

}  // namespace tenure::cpu
