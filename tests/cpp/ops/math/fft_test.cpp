#include <complex>
#include <numbers>

#include "ops/moves.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using moves::counted;
using C = std::complex<double>;

std::vector<C> naive(const std::vector<C>& x) {
  std::vector<C> result;
  for (std::size_t k = 0; k < x.size(); ++k) {
    C total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double turns = static_cast<double>(i * k % x.size()) / static_cast<double>(x.size());
      total += x[i] * std::polar(1.0, -2 * std::numbers::pi * turns);
    }
    result.push_back(total);
  }
  return result;
}

C at(const Tensor& z, std::size_t i) { return {z.data<float>()[2 * i], z.data<float>()[2 * i + 1]}; }

TEST_CASE("fft of any length is the transform as it is defined, and ifft turns it round", "[spectral]") {
  for (const std::int32_t size : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 64, 97, 100, 128, 255, 360}) {
    CAPTURE(size);
    const Tensor z = complex(reference::noise({2, size}, 1), reference::noise({2, size}, 2));
    const Tensor got = fft(z);
    const Tensor back = ifft(got);
    for (std::size_t row = 0; row < 2; ++row) {
      const std::size_t first = row * static_cast<std::size_t>(size);
      std::vector<C> x;
      for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) x.push_back(at(z, first + i));
      const std::vector<C> expected = naive(x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(std::abs(at(got, first + i) - expected[i]) < 2e-6 * std::sqrt(size));
        CHECK(std::abs(at(back, first + i) - x[i]) < 1e-6);
      }
    }
  }
}

// A tone of one frequency has a single spike, to the precision of float32.
TEST_CASE("Long transforms are exact", "[spectral]") {
  for (const std::int32_t size : {1 << 15, 30000, 32749}) {
    CAPTURE(size);
    std::vector<float> tone;
    for (std::int64_t i = 0; i < size; ++i) {
      tone.push_back(
          static_cast<float>(std::cos(2 * std::numbers::pi * static_cast<double>(i * 5 % size) / size)));
    }
    const Tensor got = rfft(Tensor::from(std::span<const float>(tone), {size}));
    CHECK(got.shape() == Shape{size / 2 + 1});
    for (std::size_t k = 0; k < got.elements(); ++k) {
      const double error = std::abs(at(got, k) - C(k == 5 ? size / 2.0 : 0, 0));
      if (error > 1e-7 * size) FAIL("element " << k << " is off by " << error);
    }
  }
}

TEST_CASE("rfft cuts off and fills, irfft turns it round", "[spectral]") {
  const Tensor x = reference::noise({2, 6}, 3);
  CHECK(reference::error(irfft(rfft(x)),
                         std::vector<double>(x.values<float>().begin(), x.values<float>().end())) < 1e-6);
  CHECK(rfft(x, {4}).shape() == Shape{2, 3});
  CHECK(rfft(x, {9}).shape() == Shape{2, 5});
  CHECK(irfft(rfft(reference::noise({2, 3, 8}, 3))).shape() == Shape{2, 3, 8});
  CHECK(irfft(rfft(reference::noise({8}, 3))).shape() == Shape{1, 8});
  CHECK_THROWS_AS(rfft(x, {0}), Error);
  CHECK_THROWS_AS(rfft(x, {-2}), Error);
  CHECK_THROWS_AS(fft(cast(Tensor::scalar(1.0F), {DType::kComplex64})), Error);
  CHECK(fft(cast(counted({0, 3}), {DType::kComplex64})).shape() == Shape{0, 3});
  CHECK(fft(cast(counted({3, 0}), {DType::kComplex64})).shape() == Shape{3, 0});
}

}  // namespace
}  // namespace tenure
