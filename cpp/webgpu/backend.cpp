#include "webgpu/backend.h"

#include "webgpu/conv/fused_conv.h"
#include "webgpu/device/context.h"
#include "webgpu/device/device_memory.h"
#include "webgpu/elementwise/chain.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/kernels.h"

namespace tenure::webgpu {
namespace {

/// The device of the current Context.
class WebGpuDevice final : public Device {
 public:
  WebGpuDevice() : Device({.round_trip = 1000, .launch = 10, .has_fast_sync_reads = false}) {}
  bool is_lost() const override {
    Context* current = Context::current();
    return !current || current->lost();
  }
  unsigned generation() const override { return Context::generation(); }
  bool supports(const TensorSpec& spec) const override {
    if (is_lost()) return false;
    if (spec.dtype == DType::kString || spec.dtype == DType::kComplex64) return false;
    return spec.shape.elements() <= Context::current()->limits().max_buffer_bytes / sizeof(std::int32_t);
  }
  DeviceMemoryUsage memory() const override {
    return Context::current() ? Context::current()->memory() : DeviceMemoryUsage{};
  }
  bool begin_prelink() override {
    context().set_prelinking(true);
    return true;
  }
  void end_prelink() override { context().set_prelinking(false); }
  bool can_read_later(const Tensor& input) const override {
    const auto* memory = static_cast<const BufferMemory*>(input.storage()->find_copy(*this));
    return !memory || (!memory->lost() && (memory->pending() || memory->buffer().end() == BufferEnd::kReuse));
  }
  std::unique_ptr<DeviceMemory> defer(std::unique_ptr<LazyChain> chain) override {
    return std::make_unique<BufferMemory>(std::move(chain), context().buffers().shared_from_this());
  }

 protected:
  std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) override { return webgpu::upload(tensor); }
};

Backend make_backend() {
  Backend table{};
  table.name = "webgpu";
  table.device = &device();
  table.fuse = fuse;
  table.fuse_into_producer = fuse_into_producer;
  const auto at = [&](Op op) -> KernelFn& { return table.kernels[static_cast<std::size_t>(op)]; };
#define UNARY(name, ...) at(Op::name) = unary<Op::name>;
#define BINARY(name, ...) at(Op::name) = binary<Op::name>;
#define OTHER_ROWS(...)
#include "lists/ops.def"
#define KERNEL(name) at(Op::name) = webgpu::name;
#include "lists/webgpu_kernels.def"
#undef KERNEL
  return table;
}

}  // namespace

Device& device() {
  static WebGpuDevice instance;
  return instance;
}

const Backend& backend() {
  static const Backend kTable = make_backend();
  return kTable;
}

}  // namespace tenure::webgpu
