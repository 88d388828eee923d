#include "gl/kernels/activation.h"

#include <cmath>

#include "gl/fixture.h"
#include "ops/reference.h"

namespace tenure::gl {

TEST_CASE("Activations are those of the CPU", "[gl][activation]") {
  const GlFixture gl;
  const auto activation = static_cast<Activation>(GENERATE(Catch::Generators::range(0, kActivationCount)));
  const Tensor x = random_values({50, 3});
  Tensor y = Tensor::deferred(x.spec());
  Pass pass("activate");
  pass.input("a", x);
  add_activation(pass, activation, 0.3F);
  pass.texels(y, "T4 texel(int i){vec4 v=a4(i);return ACTIVATE(v);}");
  for (std::size_t i = 0; i < x.elements(); ++i) {
    INFO("activation " << static_cast<int>(activation) << " of " << x.data<float>()[i]);
    CHECK(y.data<float>()[i] ==
          Catch::Approx(reference::activate(x.data<float>()[i], activation, 0.3F)).margin(1e-5));
  }
}

}  // namespace tenure::gl
