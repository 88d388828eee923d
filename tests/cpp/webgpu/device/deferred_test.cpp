#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "core/run/fault_injection.h"
#include "core/run/kernel_observer.h"
#include "core/run/lazy.h"
#include "core/run/tape.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "owner/memory_summary.h"
#include "owner/ownership.h"
#include "webgpu/backend.h"
#include "webgpu/device/device_memory.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {
namespace {

constexpr std::int32_t kSize = 1 << 16;

/// Scope: elementwise ops run on the device, and those of so many elements are deferred.
class Deferring {
 public:
  explicit Deferring(std::size_t elements = 100) { set_min_lazy_elements(elements); }
  ~Deferring() { set_min_lazy_elements(kMinLazyElements); }
  Deferring(const Deferring&) = delete;
  Deferring& operator=(const Deferring&) = delete;

 private:
  cases::AllOnDevice all_;
};

std::size_t used_buffers() { return Context::current()->buffers().stats().used; }

bool is_pending(const Tensor& x) { return LazyChain::of(x) != nullptr; }

Tensor on_device(const Shape& shape) { return cases::to_device(counted_values(shape)); }

Tensor four_ops(const Tensor& x, const Tensor& y) { return sub(relu(add(mul(x, y), x)), y); }

TEST_CASE("Elementwise ops on WebGPU wait, and run as one dispatch", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const Tensor x = on_device({30, 40});
  const Tensor y = on_device({40});
  const std::uint32_t dispatches = dispatch_count();
  const Tensor result = four_ops(x, y);
  CHECK(is_pending(result));
  CHECK(result.storage()->only_on(device()));
  CHECK(result.storage()->device()->bytes() == 0);
  CHECK(used_buffers() == 2);
  CHECK(dispatch_count() == dispatches);

  SECTION("that a read waits for") { result.data<float>(); }
  SECTION("that an asynchronous read starts") {
    result.storage()->start_read();
    while (!result.storage()->is_read_ready()) {
    }
  }
  SECTION("that another kernel reads") {
    const Tensor total = sum(result, {{}, false});
    CHECK(dispatch_count() > dispatches + 1);
    CHECK_FALSE(is_pending(result));
    total.data<float>();
    return;
  }
  CHECK(dispatch_count() == dispatches + 1);
  CHECK_FALSE(is_pending(result));
  CHECK(used_buffers() == 3);
  for (std::size_t i = 0; i < result.elements(); ++i) {
    const float a = counted_values({30, 40}).data<float>()[i];
    const float b = counted_values({40}).data<float>()[i % 40];
    CHECK(result.data<float>()[i] == std::max(a * b + a, 0.0F) - b);
  }
}

TEST_CASE("Deferred ops on WebGPU give what they give at once", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  const Tensor x = on_device({30, 40});
  const Tensor y = on_device({40});
  const auto program = [&](std::size_t min_elements) {
    const Deferring deferring(min_elements);
    const Tensor shifted = sub(x, y);
    // Two readers of one result, costly ops, attributes, ops of more inputs and steps than a chain takes.
    Tensor long_one = shifted;
    for (int i = 0; i < 30; ++i) long_one = clip_by_value(add(long_one, y), {-3.0F, static_cast<float>(i)});
    Tensors many = {mul(shifted, sigmoid(shifted)), tanh(neg(shifted)), long_one};
    Tensor total = x;
    for (int i = 0; i < 9; ++i) total = add(total, on_device({30, 40}));
    many.push_back(mul(total, reshape(total, {{30, 40}})));
    many.push_back(add(sum(shifted, {{0}, false}), many[0]));
    for (const Tensor& one : many) one.data<float>();
    return many;
  };
  const Tensors expected = program(kMinLazyElements);
  const Tensors found = program(100);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(cases::difference(found[i], expected[i], 1e-5).empty());
  }
  CHECK(lazy::count() == 0);
}

TEST_CASE("A result that nobody reads is never computed on WebGPU", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const Tensor x = on_device({30, 40});
  const std::uint32_t dispatches = dispatch_count();
  {
    const Tensor y = relu(add(x, x));
  }
  CHECK(lazy::count() == 0);
  CHECK(dispatch_count() == dispatches);
  CHECK(used_buffers() == 1);
}

TEST_CASE("A buffer on WebGPU is free once its handle is, whatever waited for it", "[webgpu][lazy][memory]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  Ownership& owner = ownership();
  const Handle x = owner.add(on_device({kSize}));
  const Handle y = owner.add(relu(owner.get(x)));
  CHECK(used_buffers() == 1);
  const std::size_t bytes = Context::current()->buffers().stats().used_bytes;

  SECTION("by its handle") {
    owner.dispose(x);
    CHECK_FALSE(is_pending(owner.get(y)));
    CHECK(used_buffers() == 1);
    CHECK(Context::current()->buffers().stats().used_bytes == bytes);
  }
  SECTION("with its scope") {
    const ScopeId scope = owner.open_scope();
    const Handle inside = owner.add(on_device({kSize}));
    const Handle z = owner.add(mul(owner.get(y), owner.get(inside)));
    owner.move_to_parent(z, scope);
    owner.close_scope(scope);
    CHECK_FALSE(is_pending(owner.get(z)));
    CHECK(is_pending(owner.get(y)));
    CHECK(used_buffers() == 2);
    owner.dispose(x);
    CHECK(used_buffers() == 2);
    owner.dispose(z);
  }
  CHECK(owner.get(y).data<float>()[8] == 1);
  owner.dispose(y);
  CHECK(used_buffers() == 0);
}

TEST_CASE("Memory that only a pending result on WebGPU holds is counted", "[webgpu][lazy][memory]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const std::size_t scratch = summarize_memory(ownership()).scratch();
  {
    const Handle x = ownership().add(on_device({64, 1024}));
    // The constant has no handle.
    const Handle y = ownership().add(add(ownership().get(x), counted_values({1024})));
    CHECK(lazy::count() == 1);
    CHECK(summarize_memory(ownership()).report.bytes(MemoryPart::kTensors) >= 4096);
    ownership().dispose(y);
    ownership().dispose(x);
  }
  CHECK(summarize_memory(ownership()).scratch() <= scratch);
}

TEST_CASE("A pending result of a lost WebGPU device is lost", "[webgpu][lazy]") {
  {
    const WebGpuFixture gpu;
  }
  {
    const Deferring deferring;
    set_backend(backend());
    const Tensor y = relu(on_device({30, 40}));
    CHECK(is_pending(y));
    Context::current()->lose({"a test"});
    CHECK(y.storage()->device()->lost());
    try {
      y.data<float>();
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kContextLost);
    }
  }
  CHECK(lazy::count() == 0);
  set_backend(cpu_backend());
  Context::stop();
}

TEST_CASE("Lost pending results on WebGPU do not make other ops fail", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  {
    const Deferring deferring;
    const Tensor computed = cases::to_device(counted_values({30, 40}));
    Tensors lost;
    for (int i = 0; i < 16; ++i) lost.push_back(relu(on_device({30, 40})));
    REQUIRE(lazy::count() == 16);
    Context::current()->lose({"a test", GENERATE(false, true)});
    const bool on_cpu = GENERATE(false, true);
    if (on_cpu) {
      set_backend(cpu_backend());
    } else {
      REQUIRE(Context::start());
    }
    const Tensor x = counted_values({30, 40});
    Tensors others;
    for (int i = 0; i < 20; ++i) others.push_back(neg(x));
    CHECK(is_pending(others.back()));
    CHECK_THROWS_AS(relu(computed), Error);
    CHECK_THROWS_AS(relu(lost[0]), Error);
    CHECK_THROWS_AS(relu(lost[15]), Error);
    for (const Tensor& one : lost) CHECK_THROWS_AS(one.data<float>(), Error);
    for (const Tensor& one : others) CHECK(one.data<float>()[8] == -1);
    CHECK(lazy::count() == 0);
    if (on_cpu) REQUIRE(Context::start());
  }
}

TEST_CASE("Lost pending results on WebGPU release their inputs once these have no handles",
          "[webgpu][lazy][memory]") {
  const WebGpuFixture gpu;
  {
    const Deferring deferring;
    Ownership& owner = ownership();
    const Handle x = owner.add(on_device({kSize}));
    const Handle y = owner.add(relu(owner.get(x)));
    const Handle z = owner.add(neg(owner.get(x)));
    CHECK(lazy::count() == 2);
    Context::current()->lose({"a test"});
    REQUIRE(Context::start());
    owner.dispose(x);
    CHECK(lazy::count() == 0);
    CHECK_THROWS_AS(owner.get(y).data<float>(), Error);
    owner.dispose(y);
    owner.dispose(z);
  }
}

TEST_CASE("An op on the CPU reads the values of a device at once", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  {
    const Deferring deferring;
    const Tensor x = on_device({30, 40});
    set_backend(cpu_backend());
    const Tensor y = neg(x);
    Context::current()->lose({"a test"});
    CHECK(y.data<float>()[8] == -1);
    REQUIRE(Context::start());
  }
}

TEST_CASE("Nothing waits on WebGPU for buffers that a program writes to", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const Tensor shared = copy_to_shared_buffer(on_device({30, 40}));
  CHECK_FALSE(is_pending(relu(shared)));
}

TEST_CASE("Nothing waits on WebGPU for a gradient, or of another type", "[webgpu][lazy]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const Tensor x = on_device({30, 40});
  CHECK_FALSE(is_pending(relu(cast(x, {DType::kInt32}))));
  CHECK_FALSE(is_pending(greater(x, x)));
  CHECK_FALSE(is_pending(add(x, on_device({30, 1}))));
  Tensor watched = x;
  Tape tape;
  const TapeGuard guard(tape);
  tape.watch(watched);
  CHECK_FALSE(is_pending(relu(watched)));
}

#ifdef TENURE_DEBUG
TEST_CASE("Where memory ends, a pending result on WebGPU names its op and can be read later",
          "[webgpu][lazy][memory]") {
  const WebGpuFixture gpu;
  const Deferring deferring;
  const Tensor x = on_device({30, 40});
  const Tensor y = neg(relu(x));
  fault_injection::fail_allocation(0);
  try {
    sum(y, {{}, false});
    y.data<float>();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kOutOfMemory);
  }
  fault_injection::fail_allocation(0);
  CHECK_THROWS_WITH(y.storage()->start_read(), Catch::Matchers::StartsWith("[neg] out of memory"));
  fault_injection::fail_allocation(-1);
  CHECK(is_pending(y));
  CHECK(y.data<float>()[8] == -1);
}
#endif

}  // namespace
}  // namespace tenure::webgpu
