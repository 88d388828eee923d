#include <random>

#include "ops/ops.h"
#include "ops/reference.h"
#include "shape_util/window.h"

namespace tenure {
namespace {

using reference::noise;

/// Returns conv3d by its definition.
std::vector<double> convolved(const Tensor& x, const Tensor& filter, const Conv3DAttrs& a) {
  const WindowAxis axes[] = {
      window_axis(x.dim(1), filter.dim(0), a.stride_d, a.dilation_d, a.padding),
      window_axis(x.dim(2), filter.dim(1), a.stride_h, a.dilation_h, a.padding),
      window_axis(x.dim(3), filter.dim(2), a.stride_w, a.dilation_w, a.padding),
  };
  const auto at = [](const Tensor& t, std::initializer_list<std::int32_t> index) {
    std::size_t place = 0;
    int i = 0;
    for (const std::int32_t k : index)
      place = place * static_cast<std::size_t>(t.dim(i++)) + static_cast<std::size_t>(k);
    return static_cast<double>(t.data<float>()[place]);
  };
  std::vector<double> out;
  for (std::int32_t n = 0; n < x.dim(0); ++n)
    for (std::int32_t d = 0; d < axes[0].out; ++d)
      for (std::int32_t h = 0; h < axes[1].out; ++h)
        for (std::int32_t w = 0; w < axes[2].out; ++w)
          for (std::int32_t o = 0; o < filter.dim(4); ++o) {
            double sum = 0;
            for (std::int32_t i = 0; i < filter.dim(0); ++i)
              for (std::int32_t j = 0; j < filter.dim(1); ++j)
                for (std::int32_t k = 0; k < filter.dim(2); ++k)
                  for (std::int32_t c = 0; c < filter.dim(3); ++c) {
                    const std::int32_t p = axes[0].origin(d) + i * a.dilation_d;
                    const std::int32_t q = axes[1].origin(h) + j * a.dilation_h;
                    const std::int32_t r = axes[2].origin(w) + k * a.dilation_w;
                    const bool inside =
                        p >= 0 && p < x.dim(1) && q >= 0 && q < x.dim(2) && r >= 0 && r < x.dim(3);
                    if (inside) sum += at(x, {n, p, q, r, c}) * at(filter, {i, j, k, c, o});
                  }
            out.push_back(sum);
          }
  return out;
}

TEST_CASE("conv3d is what its definition says, and its transpose the other way round", "[volume]") {
  std::mt19937 random(3);
  const auto draw = [&](int least, int most) {
    return least + static_cast<std::int32_t>(random() % static_cast<unsigned>(most - least + 1));
  };
  for (int i = 0; i < 60; ++i) {
    const Shape f = {draw(1, 3), draw(1, 3), draw(1, 2), draw(1, 3), draw(1, 3)};
    const Shape s = {draw(1, 2), draw(5, 7), draw(5, 7), draw(3, 5), f[3]};
    const Tensor x = noise(s, 1);
    const Tensor filter = noise(f, 2);
    Conv3DAttrs a{.padding = i % 2 == 0 ? Padding::kSame : Padding::kValid};
    if (i % 3 == 0) {
      a.dilation_d = draw(1, 2), a.dilation_h = draw(1, 2), a.dilation_w = draw(1, 2);
    } else {
      a.stride_d = draw(1, 3), a.stride_h = draw(1, 2), a.stride_w = draw(1, 2);
    }
    const Tensor y = conv3d(x, filter, a);
    REQUIRE(reference::error(y, convolved(x, filter, a)) < 1e-5);
    if (i % 3 == 0) continue;
    // <conv3d(x), g> = <x, conv3dTranspose(g)>
    const Tensor g = noise(y.shape(), 4);
    const Tensor back = conv3d_transpose(g, filter,
                                         {.output_shape = s,
                                          .stride_d = a.stride_d,
                                          .stride_h = a.stride_h,
                                          .stride_w = a.stride_w,
                                          .padding = a.padding});
    REQUIRE(back.shape() == s);
    const float one = sum(mul(y, g)).data<float>()[0];
    const float other = sum(mul(x, back)).data<float>()[0];
    REQUIRE(one == Catch::Approx(other).margin(1e-3));
  }
}

TEST_CASE("Volumes of nothing, and those that do not fit", "[volume]") {
  const Tensor filter = noise({2, 1, 1, 3, 2}, 1);
  CHECK(conv3d(noise({0, 2, 2, 2, 3}, 1), filter).shape() == Shape{0, 1, 2, 2, 2});
  CHECK(max_pool3d(noise({0, 2, 2, 2, 3}, 1), {.window_d = 2}).shape() == Shape{0, 1, 2, 2, 3});
  CHECK_THROWS_WITH(conv3d(noise({1, 2, 2, 2, 2}, 1), filter),
                    "[conv3d] Error in conv3d: depth of input (2) must match input depth for filter 3.");
  CHECK_THROWS_AS(conv3d(noise({1, 2, 2, 3}, 1), filter), Error);
  CHECK_THROWS_AS(conv3d(noise({1, 2, 2, 2, 3}, 1), filter, {.stride_d = 0}), Error);
  CHECK_THROWS_AS(conv3d(noise({1, 2, 2, 2, 3}, 1), filter, {.stride_d = 2, .dilation_h = 2}), Error);
  CHECK_THROWS_AS(conv3d_transpose(noise({1, 2, 2, 2, 2}, 1), filter, {.output_shape = {1, 9, 2, 2, 3}}),
                  Error);
  CHECK_THROWS_AS(conv3d_transpose(noise({1, 2, 2, 2, 2}, 1), filter, {.output_shape = {1, -3, 2, 2, 3}}),
                  Error);
  // Windows larger than the volume give empty outputs, as in TensorFlow.js.
  CHECK(avg_pool3d(noise({1, 2, 2, 2, 2}, 1), {.window_d = 5, .stride_w = 2}).shape() ==
        Shape{1, 0, 2, 1, 2});
  CHECK(max_pool3d(noise({1, 1, 1, 1, 1}, 1), {.window_w = 3}).shape() == Shape{1, 1, 1, 0, 1});
  CHECK_THROWS_AS(max_pool3d(noise({1, 1, 1, 1, 1}, 1), {.window_w = 0}), Error);
  CHECK_THROWS_AS(avg_pool3d(noise({1, 2, 2, 2, 2}, 1), {.padding = Padding::kExplicit, .pad = -1}), Error);
}

}  // namespace
}  // namespace tenure
