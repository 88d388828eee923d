#include "gl/backend.h"

#include "core/run/dispatch.h"
#include "gl/device/context.h"
#include "gl/kernels.h"
#include "gl/kernels/chain.h"
#include "gl/kernels/elementwise.h"
#include "gl/matmul/prepare.h"
#include "gl/shader/kernel.h"
#include "gl/shader/layout.h"

namespace tenure::gl {
namespace {

bool can_hold(const TensorSpec& spec) {
  Context* current = Context::current();
  if (!current || current->lost()) return false;
  if (spec.dtype == DType::kString || spec.dtype == DType::kComplex64) return false;
  const Layout layout(spec.shape.elements());
  return layout.width <= current->capabilities().max_texture_size &&
         layout.rows <= current->capabilities().max_texture_size;
}

/// Wraps a GPU_KERNEL: runs the CPU's kernel instead where that is faster than the device
/// (should_prefer_cpu()).
template <Op kOp, KernelFn kKernel>
void on_gpu(const KernelArgs& args) {
  should_prefer_cpu() ? fall_back_to_cpu(kOp, args) : kKernel(args);
}

Backend make_backend() {
  Backend table{};
  table.name = "webgl";
  table.can_hold = can_hold;
  table.prepare = prepare;
  table.fuse = fuse;
  table.fuse_into_producer = fuse_into_producer;
  table.generation = Context::generation;
  table.set_prelinking = [](bool prelinking) { context().set_prelinking(prelinking); };
  const auto at = [&](Op op) -> KernelFn& { return table.kernels[static_cast<std::size_t>(op)]; };
#define UNARY(name, ...) at(Op::name) = unary<Op::name>;
#define BINARY(name, ...) at(Op::name) = binary<Op::name>;
#define OTHER_ROWS(...)
#include "lists/ops.def"
#define KERNEL(name) at(Op::name) = gl::name;
#define GPU_KERNEL(name) at(Op::name) = on_gpu<Op::name, gl::name>;
#include "lists/gl_kernels.def"
#undef GPU_KERNEL
#undef KERNEL
  return table;
}

}  // namespace

const Backend& backend() {
  static const Backend kTable = make_backend();
  return kTable;
}

}  // namespace tenure::gl
