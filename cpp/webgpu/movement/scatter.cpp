#include <array>

#include "core/error.h"
#include "webgpu/kernels.h"
#include "webgpu/movement/gather_slices.wgsl.h"
#include "webgpu/movement/scatter_update.wgsl.h"
#include "webgpu/movement/segment_sum.wgsl.h"
#include "webgpu/movement/slice_ids.wgsl.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// A shape as slices of equal size, and the index tuples that address some of them.
struct Slices {
  Slices(const Shape& shape, const Tensor& indices, int depth, std::size_t count)
      : shape(shape), indices(indices), depth(depth), count(count), run(shape.elements(depth, shape.rank)) {}

  const Shape& shape;
  const Tensor& indices;
  int depth;
  std::size_t count;  ///< of index tuples
  std::size_t run;    ///< elements of a slice
};

/// Throws for a tuple outside of the shape. Indices that are only on the device are not downloaded to be
/// checked.
void check_indices(const Slices& slices) {
  if (!slices.indices.storage()->on_cpu()) return;
  const auto values = slices.indices.values<std::int32_t>();
  const auto depth = static_cast<std::size_t>(slices.depth);
  for (std::size_t i = 0; i < slices.count; ++i) {
    const auto tuple = values.subspan(i * depth, depth);
    for (int d = 0; d < slices.depth; ++d) {
      const std::int32_t index = tuple[static_cast<std::size_t>(d)];
      if (index < 0 || index >= slices.shape[d])
        fail("Invalid indices: ", Dims(tuple), " does not index into ", slices.shape);
    }
  }
}

/// Returns the number of the slice that each tuple addresses; -1 if it is outside.
Tensor get_slice_ids(const Slices& slices) {
  check_indices(slices);
  std::array<int, kMaxRank> extents{};
  std::array<int, kMaxRank> strides{};
  for (int d = 0; d < slices.depth; ++d) {
    extents[static_cast<std::size_t>(d)] = slices.shape[d];
    strides[static_cast<std::size_t>(d)] = static_cast<int>(slices.shape.elements(d + 1, slices.depth));
  }
  Tensor ids = Tensor::deferred({{static_cast<std::int32_t>(slices.count)}, DType::kInt32});
  Dispatch("slice_ids")
      .input("indices", slices.indices)
      .set("depth", slices.depth)
      .set("extents", std::span<const int>(extents))
      .set("strides", std::span<const int>(strides))
      .elements(ids, wgsl::kSliceIds);
  return ids;
}

/// Returns the slices that a scatter writes. Indices of rank 1 address single elements.
Slices get_scattered(const Shape& shape, const Tensor& indices) {
  const bool has_tuples = indices.rank() > 1;
  const int depth = has_tuples ? indices.shape().back() : 1;
  return {shape, indices, depth, indices.shape().elements(0, indices.rank() - (has_tuples ? 1 : 0))};
}

/// True if each output can read all tuples, as threads cannot scatter in a fixed order.
bool can_read_all_ids(const Slices& slices, std::size_t outputs) {
  constexpr std::size_t kMaxIdReads = std::size_t{1} << 28;
  return slices.count > 0 && slices.run > 0 && outputs <= kMaxIdReads / slices.count;
}

}  // namespace

void gather_nd(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const Shape& indices = args.in[1].shape();
  const Slices slices(x.shape(), args.in[1], indices.back(), indices.elements(0, indices.rank - 1));
  if (x.elements() == 0) return fall_back_to_cpu(Op::gather_nd, args);
  const Tensor ids = get_slice_ids(slices);
  Vec4Dispatch dispatch("gather_nd", slices.run % 4 == 0);
  dispatch.units("x", x).input("ids", ids).set("run", dispatch.count(slices.run));
  dispatch.run(args.out, wgsl::kGatherSlices);
}

void scatter_nd(const KernelArgs& args) {
  const Slices slices = get_scattered(args.out.shape(), args.in[0]);
  if (!can_read_all_ids(slices, args.out.elements())) return fall_back_to_cpu(Op::scatter_nd, args);
  const Tensor ids = get_slice_ids(slices);
  Vec4Dispatch dispatch("scatter_nd", slices.run % 4 == 0);
  dispatch.units("x", args.in[1])
      .constant("IS_BOOL", args.out.dtype() == DType::kBool)
      .input("ids", ids)
      .set("outer", 1)
      .set("segments", static_cast<int>(args.out.elements() / slices.run))
      .set("run", dispatch.count(slices.run))
      .set("count", static_cast<int>(slices.count));
  dispatch.run(args.out, wgsl::kSegmentSum);
}

void tensor_scatter_update(const KernelArgs& args) {
  const Slices slices = get_scattered(args.out.shape(), args.in[1]);
  if (!can_read_all_ids(slices, args.out.elements()))
    return fall_back_to_cpu(Op::tensor_scatter_update, args);
  const Tensor ids = get_slice_ids(slices);
  Vec4Dispatch dispatch("tensor_scatter_update", slices.run % 4 == 0);
  dispatch.units("x", args.in[0])
      .units("updates", args.in[2])
      .input("ids", ids)
      .set("run", dispatch.count(slices.run))
      .set("count", static_cast<int>(slices.count));
  dispatch.run(args.out, wgsl::kScatterUpdate);
}

}  // namespace tenure::webgpu
