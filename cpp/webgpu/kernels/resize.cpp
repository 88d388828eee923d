#include <limits>

#include "core/run/dispatch.h"
#include "webgpu/kernels.h"
#include "webgpu/kernels/resize_backward.wgsl.h"
#include "webgpu/kernels/resize_bilinear.wgsl.h"
#include "webgpu/kernels/resize_bilinear_share.wgsl.h"
#include "webgpu/kernels/resize_forward.wgsl.h"
#include "webgpu/kernels/resize_nearest.wgsl.h"
#include "webgpu/kernels/resize_nearest_share.wgsl.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// True if every position fits an i32; all are below 2 * (in + 1) * out.
bool positions_fit(const Shape& in, const Shape& out) {
  const auto fits = [&](int i) {
    return std::int64_t{2} * (in[i] + 1) * out[i] <= std::numeric_limits<std::int32_t>::max();
  };
  return fits(1) && fits(2);
}

std::array<int, 4> axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  if (attrs.align_corners && out > 1) return {in - 1, 0, out - 1, in};
  if (attrs.half_pixel_centers) return {2 * in, in - out, 2 * out, in};
  return {in, 0, out, in};
}

/// Returns an axis whose integer part is the nearest index: rounded with align_corners, else that of the
/// cell.
std::array<int, 4> nearest_axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  const auto [scale, shift, divisor, extent] = axis(in, out, attrs);
  if (attrs.align_corners) return {2 * scale, divisor, 2 * divisor, extent};
  return {scale, shift + (attrs.half_pixel_centers ? divisor / 2 : 0), divisor, extent};
}

/// Runs a resize op or its gradient; `from` and `to` are the shapes that the forward op resizes.
void resize(const KernelArgs& args, Op op, const Shape& from, const Shape& to, decltype(axis)& axis_of,
            std::initializer_list<std::string_view> source) {
  if (!positions_fit(from, to) || args.in[0].elements() == 0) return fall_back_to_cpu(op, args);
  const auto attrs = args.attrs.as<ResizeAttrs>();
  Vec4Dispatch dispatch(op_def(op).name, to[3] % 4 == 0);
  dispatch.units("x", args.in[0])
      .set("rows", axis_of(from[1], to[1], attrs))
      .set("columns", axis_of(from[2], to[2], attrs))
      .set("height", to[1])
      .set("width", to[2])
      .set("depth", dispatch.count(to[3]));
  dispatch.run(args.out, source);
}

void forward(const KernelArgs& args, Op op, decltype(axis)& axis_of, std::string_view source) {
  resize(args, op, args.in[0].shape(), args.out.shape(), axis_of, {wgsl::kResizeForward, source});
}

void backward(const KernelArgs& args, Op op, decltype(axis)& axis_of, std::string_view share) {
  resize(args, op, args.out.shape(), args.in[0].shape(), axis_of, {share, wgsl::kResizeBackward});
}

}  // namespace

void resize_nearest_neighbor(const KernelArgs& args) {
  forward(args, Op::resize_nearest_neighbor, nearest_axis, wgsl::kResizeNearest);
}

void resize_bilinear(const KernelArgs& args) {
  forward(args, Op::resize_bilinear, axis, wgsl::kResizeBilinear);
}

void resize_nearest_neighbor_backprop(const KernelArgs& args) {
  backward(args, Op::resize_nearest_neighbor_backprop, nearest_axis, wgsl::kResizeNearestShare);
}

void resize_bilinear_backprop(const KernelArgs& args) {
  backward(args, Op::resize_bilinear_backprop, axis, wgsl::kResizeBilinearShare);
}

}  // namespace tenure::webgpu
