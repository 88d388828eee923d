#include "shape_util/window.h"
#include "webgpu/conv/avg_pool_gradient.wgsl.h"
#include "webgpu/conv/max_pool_gradient.wgsl.h"
#include "webgpu/conv/pool_gradient.wgsl.h"
#include "webgpu/conv/windows_over.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

void pool_backprop(const KernelArgs& args, Op op, std::string_view source) {
  const Shape& shape = args.out.shape();
  if (args.in[0].elements() == 0) return fall_back_to_cpu(op, args);
  const PoolGeometry g = pool_geometry(shape, args.attrs.as<PoolBackpropAttrs>());
  Vec4Dispatch dispatch(op_def(op).name, shape[3] % 4 == 0);
  dispatch.units("dy", args.in[0])
      .constant("DILATED", g.rows.dilation > 1 || g.columns.dilation > 1)
      .set("depth", dispatch.count(shape[3]));
  if (op == Op::max_pool_backprop) {
    dispatch.units("positions", args.in[1])
        .declare(dispatch.whole() ? "fn elements_of(i:i32)->vec4i{return i*4+vec4i(0,1,2,3);}"
                                  : "fn elements_of(i:i32)->i32{return i;}");
  }
  add_window(dispatch, g.rows, g.columns);
  dispatch.run(args.out, {wgsl::kWindowsOver, source, wgsl::kPoolGradient});
}

}  // namespace

void avg_pool_backprop(const KernelArgs& args) {
  pool_backprop(args, Op::avg_pool_backprop, wgsl::kAvgPoolGradient);
}
void max_pool_backprop(const KernelArgs& args) {
  pool_backprop(args, Op::max_pool_backprop, wgsl::kMaxPoolGradient);
}

}  // namespace tenure::webgpu
