#include "gl/device/context.h"

#include <cmath>

#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/fixture.h"
#include "gl/shader/kernel.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

/// Scope: collects programs, until the test ends that earlier.
class PrelinkScope {
 public:
  explicit PrelinkScope(Context& gl) : gl_(gl) { gl_.set_prelinking(true); }
  ~PrelinkScope() {
    if (gl_.prelinking()) gl_.set_prelinking(false);
  }
  PrelinkScope(const PrelinkScope&) = delete;
  PrelinkScope& operator=(const PrelinkScope&) = delete;

 private:
  Context& gl_;
};

}  // namespace

TEST_CASE("A context says what it is", "[gl][context]") {
  const GlFixture gl;
  const Capabilities& capabilities = Context::current()->capabilities();
  CHECK_FALSE(capabilities.renderer.empty());
  CHECK(capabilities.max_texture_size >= 2048);
  CHECK(capabilities.float_type == TexelType::kFloat);
}

TEST_CASE("When the context is lost, values that were there alone are lost by name", "[gl][context]") {
  {
    const GlFixture gl;
    const Tensor weights = random_values({100, 100});
    const Tensor lost = exp(weights);
    Context::current()->lose();
    CHECK_THROWS_MATCHES(
        lost.data<float>(), Error,
        Catch::Matchers::Message("the WebGL context was lost, and with it the values of this tensor"));
    CHECK_THROWS_AS(add(lost, lost), Error);

    // Values that are still on the CPU remain usable, there and on the next context.
    CHECK(exp(weights).storage()->on_cpu());
    REQUIRE(Context::start());
    CHECK(exp(weights).storage()->only_on_device());
    CHECK(lost.storage()->device()->lost());
  }
}

TEST_CASE("A read in flight survives the loss of its context, and does not touch the next one",
          "[gl][context]") {
  const GlFixture gl;
  {
    const Tensor lost = exp(random_values({100, 100}));
    lost.storage()->start_read();
    Context::current()->lose();
    REQUIRE(Context::start());
    CHECK(lost.storage()->is_read_ready());
    CHECK_THROWS_AS(lost.data<float>(), Error);
    const Tensor next = exp(random_values({100, 100}));
    next.storage()->start_read();
    CHECK(next.data<float>()[0] == Catch::Approx(std::exp(-2.0F)));
  }
  const Tensor after = exp(random_values({100, 100}));
  after.storage()->start_read();
  CHECK(after.data<float>()[0] == Catch::Approx(std::exp(-2.0F)));
}

TEST_CASE("Without a context, everything runs on the CPU", "[gl][context]") {
  const GlFixture gl;
  Context::stop();
  const Tensor x = random_values({100, 100});
  CHECK(add(x, x).storage()->on_cpu());
}

TEST_CASE("While programs are collected, nothing is drawn", "[gl][context]") {
  const GlFixture gl;
  Context::stop();
  REQUIRE(Context::start());
  Context& gl_context = *Context::current();
  const Tensor x = random_values({100, 100});
  const PrelinkScope prelinking(gl_context);
  const std::size_t textures = gl_context.textures().stats().used;
  exp(x);
  sin(x);
  CHECK(gl_context.programs().size() == 2);
  CHECK(gl_context.textures().stats().used == textures);
  gl_context.set_prelinking(false);
  CHECK(gl_context.textures().stats().used == textures);
  CHECK(exp(x).storage()->only_on_device());
  CHECK(gl_context.programs().size() == 2);
}

TEST_CASE("A shader that does not compile says why", "[gl][context]") {
  const GlFixture gl;
  const Tensor x = random_values({10});
  Tensor out = Tensor::deferred(x.spec());
  CHECK_THROWS_WITH(Pass("broken").input("x", x).texels(out, "T4 texel(int i){return nonsense;}"),
                    Catch::Matchers::ContainsSubstring("nonsense"));
}

TEST_CASE("One program serves all shapes", "[gl][context]") {
  const GlFixture gl;
  relu(on_device(random_values({3, 5})));
  const std::size_t programs = Context::current()->programs().size();
  relu(on_device(random_values({7, 1000})));
  relu(on_device(random_values({2, 3, 4, 5})));
  CHECK(Context::current()->programs().size() == programs);
}

}  // namespace tenure::gl
