#include "shape_util/window.h"
#include "webgpu/conv/avg_pool.wgsl.h"
#include "webgpu/conv/max_pool.wgsl.h"
#include "webgpu/conv/max_pool_positions.wgsl.h"
#include "webgpu/conv/pool_taps.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// Sets the parameters of pool_taps.wgsl.
void add_taps(Dispatch& dispatch, const Shape& x, const PoolAttrs& attrs, int depth) {
  const PoolGeometry g = pool_geometry(x, attrs);
  const auto axis = [](const WindowAxis& a) { return std::array{a.in, a.window, a.stride, a.dilation}; };
  dispatch.set("h", axis(g.rows))
      .set("w", axis(g.columns))
      .set("sizes", std::array{g.rows.out, g.columns.out, g.rows.pad_before, g.columns.pad_before})
      .set("depth", depth);
}

void pool(const KernelArgs& args, std::string_view name, std::string_view source) {
  const Tensor& x = args.in[0];
  Vec4Dispatch dispatch(name, x.dim(3) % 4 == 0);
  dispatch.units("x", x).declare(x.dtype() == DType::kInt32 ? "fn lowest()->T{return -2147483648;}"
                                                            : "fn lowest()->T{return -infinity_();}");
  add_taps(dispatch, x.shape(), args.attrs.as<PoolAttrs>(), dispatch.count(x.dim(3)));
  dispatch.run(args.out, {wgsl::kPoolTaps, source});
}

}  // namespace

void max_pool(const KernelArgs& args) { pool(args, "max_pool", wgsl::kMaxPool); }
void avg_pool(const KernelArgs& args) { pool(args, "avg_pool", wgsl::kAvgPool); }

void max_pool_positions(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  Dispatch dispatch("max_pool_positions");
  dispatch.declare(x.dtype() == DType::kFloat32 ? kFloatAliases : kIntAliases).input("x", x);
  add_taps(dispatch, x.shape(), args.attrs.as<PoolAttrs>(), x.dim(3));
  dispatch.elements(args.out, {wgsl::kPoolTaps, wgsl::kMaxPoolPositions});
}

}  // namespace tenure::webgpu
