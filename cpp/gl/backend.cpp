#include "gl/backend.h"

#include "core/run/dispatch.h"
#include "gl/device/context.h"
#include "gl/device/device_memory.h"
#include "gl/kernels.h"
#include "gl/kernels/chain.h"
#include "gl/kernels/elementwise.h"
#include "gl/matmul/prepare.h"
#include "gl/shader/kernel.h"
#include "gl/shader/layout.h"

namespace tenure::gl {
namespace {

/// The device of the current Context.
class GlDevice final : public Device {
 public:
  GlDevice() : Device({.round_trip = 1000, .launch = 10}) {}
  bool is_lost() const override {
    Context* current = Context::current();
    return !current || current->lost();
  }
  unsigned generation() const override { return Context::generation(); }
  bool supports(const TensorSpec& spec) const override {
    if (is_lost()) return false;
    if (spec.dtype == DType::kString || spec.dtype == DType::kComplex64) return false;
    const Layout layout(spec.shape.elements());
    const int max_size = Context::current()->capabilities().max_texture_size;
    return layout.width <= max_size && layout.rows <= max_size;
  }
  DeviceMemoryUsage memory() const override {
    return Context::current() ? Context::current()->memory() : DeviceMemoryUsage{};
  }
  bool begin_prelink() override {
    context().set_prelinking(true);
    return true;
  }
  void end_prelink() override { context().set_prelinking(false); }

 protected:
  std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) override { return gl::upload(tensor); }
};

/// Wraps a GPU_KERNEL: runs the CPU's kernel instead where that is faster than the device
/// (should_prefer_cpu()).
template <Op kOp, KernelFn kKernel>
void on_gpu(const KernelArgs& args) {
  should_prefer_cpu() ? fall_back_to_cpu(kOp, args) : kKernel(args);
}

Backend make_backend() {
  Backend table{};
  table.name = "webgl";
  table.device = &device();
  table.prepare = prepare;
  table.fuse = fuse;
  table.fuse_into_producer = fuse_into_producer;
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

Device& device() {
  static GlDevice instance;
  return instance;
}

const Backend& backend() {
  static const Backend kTable = make_backend();
  return kTable;
}

}  // namespace tenure::gl
