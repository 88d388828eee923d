#include "gl/device/tuning.h"

#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

/// Rates of a software renderer on two cores, and of a GPU.
constexpr DeviceRates kRenderer = {.texel_fetches = 8e7,
                                   .lod_fetches = 1.2e8,
                                   .fragment_products = 4e8,
                                   .vertex_products = 0,
                                   .exact_division = true,
                                   .milliseconds = 10};
constexpr DeviceRates kGpu = {.texel_fetches = 1e11,
                              .lod_fetches = 1e11,
                              .fragment_products = 3e11,
                              .vertex_products = 2e11,
                              .exact_division = true,
                              .milliseconds = 5};

}  // namespace

TEST_CASE("Each choice follows from its own rate", "[gl][tuning]") {
  CHECK(choose_tuning(kRenderer) == Tuning::software());
  CHECK(choose_tuning(kGpu) == Tuning::hardware());
  SECTION("fetches") {
    DeviceRates rates = kGpu;
    rates.lod_fetches = 1.5 * rates.texel_fetches;
    CHECK(choose_tuning(rates).fetches_by_lod);
    rates.lod_fetches = 1.1 * rates.texel_fetches;
    CHECK_FALSE(choose_tuning(rates).fetches_by_lod);
    // Coordinates that miss their texel.
    rates = kRenderer;
    rates.lod_fetches = 0;
    CHECK_FALSE(choose_tuning(rates).fetches_by_lod);
  }
  SECTION("tiles") {
    DeviceRates rates = kGpu;
    rates.vertex_products = 4 * rates.fragment_products;
    CHECK(choose_tuning(rates).vertex_tiles);
    CHECK_FALSE(choose_tuning(rates).prefers_cpu);
    rates.vertex_products = 0;
    CHECK_FALSE(choose_tuning(rates).vertex_tiles);
  }
  SECTION("division") {
    DeviceRates rates = kRenderer;
    rates.exact_division = false;
    CHECK_FALSE(choose_tuning(rates).divides_in_float);
  }
}

TEST_CASE("A device that could not be measured is taken for a GPU", "[gl][tuning]") {
  CHECK(choose_tuning({}) == Tuning::hardware());
}

TEST_CASE("A context measures its device once, and leaves nothing behind", "[gl][tuning]") {
  const GlFixture gl;
  const std::optional<Tuning> previous = overridden_tuning();
  override_tuning(std::nullopt);
  REQUIRE(Context::start());
  const DeviceRates first = Context::current()->rates();
  CHECK(first.texel_fetches > 0);
  CHECK(first.fragment_products > 0);
  CHECK(first.milliseconds > 0);
  CHECK(Context::current()->tuning() == choose_tuning(first));
  CHECK(Context::current()->textures().stats().used == 0);
  CHECK(Context::current()->textures().stats().free == 0);
  CHECK(Context::current()->feedback_buffer().bytes() == 0);
  CHECK(Context::current()->programs().size() == 0);
  const Tensor x = random_values({100, 100});
  CHECK(relu(on_device(x)).data<float>()[0] == 0);

  REQUIRE(Context::start());
  CHECK(Context::current()->rates().milliseconds == first.milliseconds);
  // Rates that are otherwise measured on GPUs only.
  const DeviceRates complete = measure_rates(*Context::current(), true);
  CHECK(complete.vertex_products > 0);
  CHECK(complete.exact_division == first.exact_division);
  CHECK(Context::current()->feedback_buffer().bytes() == 0);
  override_tuning(previous);
  REQUIRE(Context::start());
}

TEST_CASE("Choices that are overridden are not measured", "[gl][tuning]") {
  const GlFixture gl;
  const TuningGuard guard(Tuning::hardware());
  CHECK(Context::current()->tuning() == Tuning::hardware());
  CHECK(Context::current()->rates().milliseconds == 0);
}

}  // namespace tenure::gl
