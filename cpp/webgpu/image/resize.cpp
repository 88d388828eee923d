#include "shape_util/resize.h"

#include "core/run/dispatch.h"
#include "webgpu/image/resize_backward.wgsl.h"
#include "webgpu/image/resize_bilinear.wgsl.h"
#include "webgpu/image/resize_bilinear_share.wgsl.h"
#include "webgpu/image/resize_forward.wgsl.h"
#include "webgpu/image/resize_nearest.wgsl.h"
#include "webgpu/image/resize_nearest_share.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// Runs a resize op or its gradient; `from` and `to` are the shapes that the forward op resizes.
void resize(const KernelArgs& args, Op op, const Shape& from, const Shape& to,
            decltype(bilinear_axis)& make_axis, std::initializer_list<std::string_view> source) {
  if (!resize_positions_fit(from, to) || args.in[0].elements() == 0) return fall_back_to_cpu(op, args);
  const auto attrs = args.attrs.as<ResizeAttrs>();
  Vec4Dispatch dispatch(op_def(op).name, to[3] % 4 == 0);
  dispatch.units("x", args.in[0])
      .set("rows", make_axis(from[1], to[1], attrs))
      .set("columns", make_axis(from[2], to[2], attrs))
      .set("height", to[1])
      .set("width", to[2])
      .set("depth", dispatch.count(to[3]));
  dispatch.run(args.out, source);
}

void forward(const KernelArgs& args, Op op, decltype(bilinear_axis)& make_axis, std::string_view source) {
  resize(args, op, args.in[0].shape(), args.out.shape(), make_axis, {wgsl::kResizeForward, source});
}

void backward(const KernelArgs& args, Op op, decltype(bilinear_axis)& make_axis, std::string_view share) {
  resize(args, op, args.out.shape(), args.in[0].shape(), make_axis, {share, wgsl::kResizeBackward});
}

}  // namespace

void resize_nearest_neighbor(const KernelArgs& args) {
  forward(args, Op::resize_nearest_neighbor, nearest_axis, wgsl::kResizeNearest);
}

void resize_bilinear(const KernelArgs& args) {
  forward(args, Op::resize_bilinear, bilinear_axis, wgsl::kResizeBilinear);
}

void resize_nearest_neighbor_backprop(const KernelArgs& args) {
  backward(args, Op::resize_nearest_neighbor_backprop, nearest_axis, wgsl::kResizeNearestShare);
}

void resize_bilinear_backprop(const KernelArgs& args) {
  backward(args, Op::resize_bilinear_backprop, bilinear_axis, wgsl::kResizeBilinearShare);
}

}  // namespace tenure::webgpu
