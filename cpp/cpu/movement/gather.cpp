#include <algorithm>
#include <type_traits>

#include "core/memory/half_floats.h"
#include "core/memory/narrow_integers.h"
#include "cpu/kernels.h"
#include "shape_util/gather.h"

namespace tenure::cpu {
namespace {

/// View of x as [batches, outer, extent, run], and of the indices as [batches, count].
struct Layout {
  std::size_t batches;
  std::size_t outer;
  std::size_t extent;
  std::size_t run;
  std::size_t count;
};

template <class CopyRun>
void for_each_run(const Layout& layout, const std::int32_t* indices, CopyRun copy_run) {
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t b = 0; b < layout.batches; ++b, indices += layout.count) {
    for (std::size_t o = 0; o < layout.outer; ++o, from += layout.extent * layout.run) {
      for (std::size_t i = 0; i < layout.count; ++i, to += layout.run) {
        copy_run(from + static_cast<std::size_t>(indices[i]) * layout.run, to);
      }
    }
  }
}

template <class T>
void gather_elements(const Layout& layout, const Tensor& in, const std::int32_t* indices, Tensor& out) {
  const T* source = in.data<T>();
  T* target = out.mutable_data<T>();
  if (layout.run == 1) {
    return for_each_run(layout, indices,
                        [=](std::size_t from, std::size_t to) { target[to] = source[from]; });
  }
  const std::size_t bytes = layout.run * sizeof(T);
  for_each_run(layout, indices,
               [=](std::size_t from, std::size_t to) { std::memcpy(target + to, source + from, bytes); });
}

// Reads elements that are stored in fewer bits than T.
template <class T, class Packed>
void gather_packed(const Layout& layout, const Packed& in, const std::int32_t* indices, Tensor& out) {
  T* target = out.mutable_data<T>();
  for_each_run(layout, indices,
               [&](std::size_t from, std::size_t to) { in.read(from, layout.run, target + to); });
}

}  // namespace

void gather(const KernelArgs& args) {
  const auto attrs = args.attrs.as<GatherAttrs>();
  const Tensor& x = args.in[0];
  const Tensor& indices = args.in[1];
  const int axis = normalize_axis(attrs.axis, x.rank());
  const int batch_dims = attrs.batch_dims < 0 ? attrs.batch_dims + indices.rank() : attrs.batch_dims;
  check_gather_indices(indices.values<std::int32_t>(), x.dim(axis));
  const Layout layout = {x.shape().elements(0, batch_dims), x.shape().elements(batch_dims, axis),
                         static_cast<std::size_t>(x.dim(axis)), x.shape().elements(axis + 1, x.rank()),
                         indices.shape().elements(batch_dims, indices.rank())};
  const auto* from = indices.data<std::int32_t>();
  if (const NarrowIntegers* narrow = NarrowIntegers::of(x))
    return gather_packed<std::int32_t>(layout, *narrow, from, args.out);
  if (const HalfFloats* halves = HalfFloats::of(x))
    return gather_packed<float>(layout, *halves, from, args.out);
  switch (element_size(x.dtype())) {
    case 1: return gather_elements<std::uint8_t>(layout, x, from, args.out);
    case 8: return gather_elements<std::uint64_t>(layout, x, from, args.out);
    default: return gather_elements<std::uint32_t>(layout, x, from, args.out);
  }
}

namespace {

template <class T>
void sum_segments(const Layout& layout, const Tensor& in, std::span<const std::int32_t> ids, Tensor& out) {
  const T* from = in.data<T>();
  T* to = out.mutable_data<T>();
  std::fill_n(to, out.elements(), T(0));
  for (std::size_t b = 0; b < layout.batches; ++b) {
    for (std::size_t o = 0; o < layout.outer; ++o, to += layout.extent * layout.run) {
      for (std::size_t i = 0; i < layout.count; ++i, from += layout.run) {
        const std::int32_t id = ids[b * layout.count + i];
        if (id < 0 || static_cast<std::size_t>(id) >= layout.extent) continue;
        T* sum = to + static_cast<std::size_t>(id) * layout.run;
        for (std::size_t r = 0; r < layout.run; ++r) {
          if constexpr (std::is_same_v<T, float>) {
            sum[r] += from[r];
          } else {
            sum[r] = static_cast<T>(static_cast<std::uint32_t>(sum[r]) + static_cast<std::uint32_t>(from[r]));
          }
        }
      }
    }
  }
}

}  // namespace

void unsorted_segment_sum(const KernelArgs& args) {
  const auto attrs = args.attrs.as<SegmentsAttrs>();
  const Shape& x = args.in[0].shape();
  const Shape& ids = args.in[1].shape();
  const Layout layout = {x.elements(0, attrs.batch_dims), x.elements(attrs.batch_dims, attrs.axis),
                         static_cast<std::size_t>(attrs.segments),
                         x.elements(attrs.axis + ids.rank - attrs.batch_dims, x.rank),
                         ids.elements(attrs.batch_dims, ids.rank)};
  const auto values = args.in[1].values<std::int32_t>();
  args.out.dtype() == DType::kInt32 ? sum_segments<std::int32_t>(layout, args.in[0], values, args.out)
                                    : sum_segments<float>(layout, args.in[0], values, args.out);
}

}  // namespace tenure::cpu
