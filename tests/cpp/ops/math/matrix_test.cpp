#include <limits>

#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using reference::noise;

double largest(const Tensor& x) { return x.elements() == 0 ? 0 : double{max(abs(x)).data<float>()[0]}; }

TEST_CASE("Q and R make up the matrix again, of any size", "[matrix]") {
  for (const Shape& shape : {Shape{4, 4}, Shape{5, 2}, Shape{2, 5}, Shape{2, 3, 3, 2}, Shape{1, 1}}) {
    for (const bool full : {false, true}) {
      const Tensor x = noise(shape, 7);
      const Tensors parts = qr(x, {full});
      CHECK(largest(sub(mat_mul(parts[0], parts[1]), x)) < 1e-5);
      const Tensor square = mat_mul(parts[0], parts[0], {.transpose_a = true});
      CHECK(largest(sub(square, eye({square.dim(square.rank() - 1), square.dim(square.rank() - 1)}))) < 1e-5);
      const Tensor below = band_part(parts[1], Tensor::scalar(0), Tensor::scalar(-1));
      CHECK(largest(sub(parts[1], below)) < 1e-5);
    }
  }
  CHECK(qr(noise({0, 3, 2}, 1), {})[0].shape() == Shape{0, 3, 2});
  CHECK(qr(noise({3, 0}, 1), {})[0].shape() == Shape{3, 0});
  CHECK_THROWS_WITH(qr(noise({3}, 1), {}),
                    "[qr] qr() requires input tensor to have a rank >= 2, but got rank 1");
}

TEST_CASE("A band as wide as its bounds, whatever they are", "[matrix]") {
  const Tensor x = noise({2, 3, 4}, 1);
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  for (const std::int32_t all : {-1, most, least})
    CHECK(largest(sub(band_part(x, Tensor::scalar(all), Tensor::scalar(all)), x)) == 0);
  CHECK_THROWS_AS(band_part(noise({3}, 1), Tensor::scalar(0), Tensor::scalar(0)), Error);
}

}  // namespace
}  // namespace tenure
