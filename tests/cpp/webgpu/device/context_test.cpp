#include <algorithm>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"
#include "webgpu/device/device_memory.h"
#include "webgpu/fixture.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

TEST_CASE("Two tensors are added on WebGPU and read", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor x = counted_values({3, 5});
  const Tensor sum = add(x, x);
  CHECK(sum.storage()->only_on(device()));
  for (std::size_t i = 0; i < x.elements(); ++i) CHECK(sum.data<float>()[i] == 2 * x.data<float>()[i]);
}

TEST_CASE("An asynchronous read gets what a buffer had, though it is used again", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor x = counted_values({1000});
  const Tensor sum = add(x, x);
  sum.storage()->start_read();
  const Tensor later = add(sum, x);
  while (!sum.storage()->is_read_ready()) {
  }
  CHECK(sum.data<float>()[999] == 2 * x.data<float>()[999]);
  CHECK(later.data<float>()[999] == 3 * x.data<float>()[999]);
}

TEST_CASE("A tensor is copied to a buffer that the program may use", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor x = counted_values({7});
  platform::ObjectHandle shared = 0;
  {
    const Tensor sum = add(x, x);
    const Tensor copy = copy_to_shared_buffer(sum);
    shared = get_buffer(copy).id();
    CHECK(shared != get_buffer(sum).id());
    CHECK(get_buffer(copy).bytes() == 32);
    for (std::size_t i = 0; i < x.elements(); ++i) CHECK(copy.data<float>()[i] == 2 * x.data<float>()[i]);
    CHECK(copy_to_shared_buffer(Tensor(TensorSpec{{0, 3}, DType::kInt32})).elements() == 0);
    CHECK(copy_to_shared_buffer(cast(x, {DType::kBool})).data<std::uint8_t>()[1] == 1);
  }
  // The program knows the buffer: no other tensor gets it.
  for (int i = 0; i < 3; ++i) CHECK(context().buffers().take(28).id() != shared);
  CHECK_THROWS_AS(copy_to_shared_buffer(Tensor(TensorSpec{{2}, DType::kComplex64})), Error);
}

TEST_CASE("A tensor is made of a buffer of the program, of a copy or of itself", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const std::vector<float> values{1, 2, 3, 4};
  const platform::ObjectHandle buffer = platform::create_buffer(16, platform::BufferUse::kStorage);
  platform::write_buffer(buffer, 0, values.data(), 16);
  const std::size_t used = context().buffers().stats().used_bytes;
  const TensorSpec spec{{2, 2}, DType::kFloat32};
  const Tensor copy = tensor_of_buffer(buffer, 16, spec, true);
  CHECK(context().buffers().stats().used_bytes == used + 16);
  {
    const Tensor view = tensor_of_buffer(buffer, 16, spec, false);
    CHECK(context().buffers().stats().used_bytes == used + 16);
    CHECK(add(view, copy).data<float>()[3] == 8);
    CHECK(view.storage()->device()->bytes() == 0);
  }
  CHECK(copy.data<float>()[2] == 3);
  const platform::ObjectHandle small = platform::create_buffer(32, platform::BufferUse::kStorage);
  CHECK_THROWS_WITH(tensor_of_buffer(small, 12, spec, true),
                    Catch::Matchers::ContainsSubstring("needs 16 bytes, but the GPUBuffer has 12"));
  CHECK_THROWS_WITH(tensor_of_buffer(small, 20, spec, false),
                    Catch::Matchers::ContainsSubstring("a positive multiple of 16 bytes, got 20"));
  // Kernels bind no buffer without elements.
  CHECK_THROWS_WITH(tensor_of_buffer(small, 0, {{0, 2}, DType::kFloat32}, false),
                    Catch::Matchers::ContainsSubstring("a positive multiple of 16 bytes, got 0"));
  CHECK_THROWS_WITH(tensor_of_buffer(small, (context().limits().max_buffer_bytes / 16 + 1) * 16, spec, false),
                    Catch::Matchers::ContainsSubstring("bytes on this GPU, got"));
  CHECK_THROWS_WITH(tensor_of_buffer(small, 32, {{2}, DType::kBool}, true),
                    Catch::Matchers::ContainsSubstring("got dtype bool"));
  platform::destroy_buffer(small);
}

TEST_CASE("More dispatches than one submission takes keep their order", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  const Tensor one = counted_values({9});
  Tensor sum = one;
  for (int i = 0; i < 600; ++i) sum = add(sum, one);
  CHECK(sum.data<float>()[8] == 601.0F);
}

TEST_CASE("An upload into a buffer that was used before leaves earlier results alone", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  std::vector<Tensor> sums;
  for (int i = 0; i < 5; ++i) {
    const Tensor x = Tensor::from({static_cast<float>(i), 1.0F}, {2});
    sums.push_back(add(x, x));
  }
  for (int i = 0; i < 5; ++i)
    CHECK(sums[static_cast<std::size_t>(i)].data<float>()[0] == 2.0F * static_cast<float>(i));
}

TEST_CASE("A kernel of more workgroups than a dimension takes reaches every element", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  // One element for each invocation, as rows of odd lengths are joined.
  constexpr std::int32_t kWidth = 4'200'001;
  static_assert(std::size_t{kWidth} + 2 > kMaxWorkgroups * Dispatch::kThreads);
  const Tensor x = fill({{kWidth}, 1.0F});
  const Tensor joined = concat({x, Tensor::from({2.0F, 3.0F}, {2})}, {0});
  const auto values = joined.values<float>();
  CHECK(std::count(values.begin(), values.end(), 1.0F) == kWidth);
  CHECK(values[kWidth] == 2.0F);
  CHECK(values[kWidth + 1] == 3.0F);
}

TEST_CASE("A tensor that is larger than the device's buffers stays on the CPU", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const auto elements = static_cast<std::int32_t>(context().limits().max_buffer_bytes / 4);
  CHECK(device().supports({{elements}, DType::kFloat32}));
  CHECK_FALSE(device().supports({{elements, 2}, DType::kFloat32}));
  CHECK_THROWS_MATCHES(context().buffers().take(context().limits().max_buffer_bytes + 1), Error,
                       Catch::Matchers::MessageMatches(Catch::Matchers::StartsWith("out of GPU memory")));
}

TEST_CASE("A kernel that does not compile is a loss of the device, with its message", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const auto run = [] {
    Tensor out = Tensor::deferred({{4}, DType::kFloat32});
    Dispatch("wrong").elements(out, "fn run(i:i32){out[i]=nobody;}");
    out.data<float>();
  };
  CHECK_THROWS_MATCHES(run(), Error,
                       Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("nobody")));
  REQUIRE(Context::start());
}

TEST_CASE("Values of a lost device throw, and ops run on", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  {
    const Tensor x = counted_values({8});
    const Tensor sum = add(x, x);
    const Tensor copied = counted_values({8});
    const Tensor unused = add(copied, copied);
    const unsigned before = device().generation();
    Context::current()->lose({"a test"});
    CHECK(device().is_lost());
    CHECK(device().memory().used == 0);
    CHECK_THROWS_AS(sum.data<float>(), Error);
    CHECK(add(copied, copied).data<float>()[4] == 1.0F);
    REQUIRE(Context::start());
    CHECK(device().generation() != before);
    CHECK(add(copied, copied).data<float>()[4] == 1.0F);
  }
}

TEST_CASE("After a loss for want of memory, lost values are an OutOfMemory error", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  {
    const Tensor x = counted_values({8});
    const Tensor sum = add(x, x);
    Context::current()->lose({"a test", true});
    try {
      static_cast<void>(sum.data<float>());
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
      CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("out of GPU memory"));
    }
    CHECK(add(x, x).data<float>()[4] == 2 * x.data<float>()[4]);
    REQUIRE(Context::start());
  }
}

TEST_CASE("Freed buffers are kept for reuse up to the budget, and trimmed", "[webgpu][device][memory]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  BufferPool& pool = context().buffers();
  pool.trim();
  {
    const Tensor sum = add(counted_values({4096}), counted_values({4096}));
  }
  CHECK(pool.stats().free == 3);
  CHECK(pool.stats().free_bytes == 3 * 4096 * 4);
  {
    const Tensor sum = add(counted_values({4090}), counted_values({4090}));
  }
  CHECK(pool.stats().free == 3);
  pool.trim();
  CHECK(pool.stats().free_bytes == 0);
}

}  // namespace tenure::webgpu
