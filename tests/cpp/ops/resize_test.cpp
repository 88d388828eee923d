#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

struct Case {
  Shape shape;
  std::int32_t height;
  std::int32_t width;
};

const Case kCases[] = {
    {{1, 1, 1, 1}, 1, 1}, {{1, 2, 2, 1}, 4, 4},  {{2, 3, 5, 3}, 7, 4},  {{1, 9, 7, 4}, 4, 5},
    {{1, 4, 4, 5}, 1, 1}, {{1, 6, 4, 11}, 3, 8}, {{1, 1, 5, 2}, 3, 11}, {{1, 10, 10, 1}, 3, 3},
    {{0, 2, 2, 1}, 3, 3}, {{2, 2, 2, 0}, 3, 3},
};

double source(std::int32_t o, std::int32_t in, std::int32_t out, const ResizeAttrs& attrs, bool centre) {
  const bool corners = attrs.align_corners && out > 1;
  const double ratio = static_cast<double>(corners ? in - 1 : in) / (corners ? out - 1 : out);
  return attrs.half_pixel_centers ? ratio * (o + 0.5) - (centre ? 0.5 : 0) : ratio * o;
}

struct Pixels {
  double at(int n, double y, double x, int c) const {
    const int row = std::clamp(static_cast<int>(y), 0, image.dim(1) - 1);
    const int column = std::clamp(static_cast<int>(x), 0, image.dim(2) - 1);
    return image.data<float>()[((n * image.dim(1) + row) * image.dim(2) + column) * image.dim(3) + c];
  }
  const Tensor& image;
};

double expected_at(const Tensor& image, const ResizeAttrs& attrs, bool bilinear, int n, int oy, int ox,
                   int c) {
  const double y = source(oy, image.dim(1), attrs.height, attrs, bilinear);
  const double x = source(ox, image.dim(2), attrs.width, attrs, bilinear);
  const Pixels pixels{image};
  if (!bilinear) {
    return attrs.align_corners ? pixels.at(n, std::floor(y + 0.5), std::floor(x + 0.5), c)
                               : pixels.at(n, y, x, c);
  }
  const double top = std::max(0.0, std::floor(y));
  const double left = std::max(0.0, std::floor(x));
  const double bottom = std::ceil(y);
  const double right = std::ceil(x);
  const double upper =
      pixels.at(n, top, left, c) + (pixels.at(n, top, right, c) - pixels.at(n, top, left, c)) * (x - left);
  const double lower = pixels.at(n, bottom, left, c) +
                       (pixels.at(n, bottom, right, c) - pixels.at(n, bottom, left, c)) * (x - left);
  return upper + (lower - upper) * (y - top);
}

}  // namespace

TEST_CASE("Resizing agrees with one pixel at a time", "[resize]") {
  const bool bilinear = GENERATE(true, false);
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  const int mode = GENERATE(0, 1, 2);
  const ResizeAttrs attrs{c.height, c.width, mode == 1, mode == 2};
  std::vector<float> values(c.shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10 * std::sin(static_cast<float>(i * i));
  const Tensor x = Tensor::from(std::span<const float>(values), c.shape);
  const Tensor out = bilinear ? resize_bilinear(x, attrs) : resize_nearest_neighbor(x, attrs);
  REQUIRE(out.shape() == Shape{c.shape[0], c.height, c.width, c.shape[3]});
  const float* got = out.data<float>();
  for (int n = 0; n < out.dim(0); ++n)
    for (int y = 0; y < c.height; ++y)
      for (int z = 0; z < c.width; ++z)
        for (int ch = 0; ch < out.dim(3); ++ch) {
          INFO(text(bilinear ? "bilinear " : "nearest ", c.shape, ", mode ", mode, ", at ",
                    Dims{n, y, z, ch}));
          CHECK(std::abs(*got++ - expected_at(x, attrs, bilinear, n, y, z, ch)) <= 1e-5);
        }
}

TEST_CASE("Resizing int32 keeps it for the nearest neighbour and gives float32 between neighbours",
          "[resize]") {
  const Tensor x = Tensor::from({2000000001, 4}, {1, 1, 2, 1});
  const Tensor nearest = resize_nearest_neighbor(x, {.height = 1, .width = 4});
  REQUIRE(nearest.dtype() == DType::kInt32);
  CHECK(nearest.data<std::int32_t>()[1] == 2000000001);
  CHECK(nearest.data<std::int32_t>()[2] == 4);
  const Tensor small = Tensor::from({2, 4}, {1, 1, 2, 1});
  const Tensor between = resize_bilinear(small, {.height = 1, .width = 4});
  REQUIRE(between.dtype() == DType::kFloat32);
  CHECK(between.data<float>()[1] == 3);
}

TEST_CASE("Resizing rejects what it cannot resize", "[resize]") {
  const Tensor x({{1, 2, 2, 1}, DType::kFloat32});
  const Tensor flat({{2, 2}, DType::kFloat32});
  const Tensor bools({{1, 2, 2, 1}, DType::kBool});
  const Tensor empty({{1, 0, 2, 1}, DType::kFloat32});
  CHECK_THROWS_MATCHES(resize_bilinear(flat), Error,
                       Message("[resizeBilinear] x must be rank 3 or 4, but got rank 2, shape [2,2]"));
  CHECK_THROWS_MATCHES(
      resize_nearest_neighbor(bools), Error,
      Message("[resizeNearestNeighbor] `images` must have `int32` or `float32` as dtype, got bool"));
  CHECK_THROWS_MATCHES(resize_bilinear(x, {.height = 0}), Error,
                       Message("[resizeBilinear] expected a new size of 1 or more, got [0,1]"));
  CHECK_THROWS_MATCHES(resize_bilinear(x, {.align_corners = true, .half_pixel_centers = true}), Error,
                       Message("[resizeBilinear] If halfPixelCenters is true, alignCorners must be false."));
  CHECK_THROWS_MATCHES(resize_bilinear(empty), Error,
                       Message("[resizeBilinear] cannot resize images without pixels, of shape [1,0,2,1]"));
}

}  // namespace tenure
