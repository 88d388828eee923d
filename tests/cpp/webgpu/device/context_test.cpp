#include <cstring>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/backend.h"
#include "webgpu/fixture.h"

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

TEST_CASE("Values of a lost device throw, and ops run on", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  {
    const Tensor x = counted_values({8});
    const Tensor sum = add(x, x);
    const Tensor copied = counted_values({8});
    const Tensor unused = add(copied, copied);
    const unsigned before = device().generation();
    Context::current()->lose("a test");
    CHECK(device().is_lost());
    CHECK(device().memory().used == 0);
    CHECK_THROWS_AS(sum.data<float>(), Error);
    CHECK(add(copied, copied).data<float>()[4] == 1.0F);
    REQUIRE(Context::start());
    CHECK(device().generation() != before);
    CHECK(add(copied, copied).data<float>()[4] == 1.0F);
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
