#include <chrono>

#include "core/error.h"
#include "core/memory/transfer_stats.h"
#include "gl/device/device_memory.h"
#include "gl/device/gles.h"
#include "gl/device/platform.h"
#include "gl/fixture.h"
#include "gl/shader/layout.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

bool same_bytes(const Tensor& a, const Tensor& b) {
  const auto* x = a.data<std::uint8_t>();
  return a.spec() == b.spec() && std::equal(x, x + a.bytes(), b.data<std::uint8_t>());
}

}  // namespace

TEST_CASE("What goes up comes down, whatever its type and size", "[gl][transfer]") {
  const GlFixture gl;
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const std::int32_t size = GENERATE(1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 4095, 4097, 100003);
  const Tensor x = random_values({size}, dtype);
  const Tensor y = on_device(x);
  CHECK(y.storage()->only_on_device());
  CHECK(same_bytes(x, y));
  CHECK(y.storage()->on_cpu());
}

TEST_CASE("Integers stay exact beyond 2^24", "[gl][transfer]") {
  const GlFixture gl;
  const Tensor x = Tensor::from({16777217, -16777219, 2147483647, -2147483647 - 1, 5}, {5});
  CHECK(same_bytes(x, on_device(x)));
  CHECK(add(on_device(x), Tensor::scalar(1)).data<std::int32_t>()[0] == 16777218);
}

TEST_CASE("Layouts are as near to squares as powers of two allow", "[gl][transfer]") {
  CHECK(Layout(0).texels == 1);
  for (const std::size_t size : {1U, 4U, 5U, 100U, 16384U, 16385U, 5000000U, 268435456U}) {
    const Layout layout(size);
    CHECK(layout.texels == (size + 3) / 4);
    CHECK(layout.width == 1 << layout.shift);
    CHECK(static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.rows) >= layout.texels);
    CHECK(layout.rows <= layout.width);
  }
  CHECK(Layout(268435456).width == 8192);
}

TEST_CASE("A buffer that cannot be mapped is an error, not what was in memory", "[gl][transfer]") {
  const GlFixture gl;
  // There is no buffer to map.
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  float values[4] = {};
  CHECK_THROWS_AS(context().platform().read_pack_buffer(values, sizeof values), Error);
  CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("A read that was started is taken up by data()", "[gl][transfer]") {
  const GlFixture gl;
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const Tensor x = random_values({333, 5}, dtype);
  const Tensor y = on_device(x);
  y.storage()->start_read();
  y.storage()->start_read();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!y.storage()->is_read_ready() && std::chrono::steady_clock::now() < deadline) {
  }
  REQUIRE(y.storage()->is_read_ready());
  const std::size_t before = total_transfer_stats().downloads;
  CHECK(same_bytes(x, y));
  CHECK(total_transfer_stats().downloads == before + 1);
  y.storage()->start_read();
  CHECK(y.storage()->is_read_ready());
}

TEST_CASE("A read in flight outlives its tensor", "[gl][transfer]") {
  const GlFixture gl;
  on_device(random_values({1000})).storage()->start_read();
  const Tensor next = on_device(random_values({1000}));
  next.storage()->start_read();
  CHECK(same_bytes(next, random_values({1000})));
}

TEST_CASE("Reshapes share the texture", "[gl][transfer]") {
  const GlFixture gl;
  const Tensor x = on_device(random_values({30, 40}));
  const std::size_t used = Context::current()->textures().stats().used;
  const Tensor y = reshape(x, {{40, 30}});
  CHECK(Context::current()->textures().stats().used == used);
  CHECK(y.storage()->only_on_device());
}

TEST_CASE("Writing to a tensor drops the device's copy", "[gl][transfer]") {
  const GlFixture gl;
  Tensor x = random_values({100});
  get_texture(x);
  CHECK(x.storage()->device() != nullptr);
  x.mutable_data<float>()[0] = 42;
  CHECK(x.storage()->device() == nullptr);
  CHECK(add(on_device(x), x).data<float>()[0] == 84);
}

}  // namespace tenure::gl
