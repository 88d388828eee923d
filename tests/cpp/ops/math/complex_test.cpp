#include <complex>

#include "core/memory/allocator.h"
#include "ops/autodiff/backward.h"
#include "ops/moves.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using C = std::complex<double>;

Tensor noise(const Shape& shape, std::uint32_t seed) {
  return complex(reference::noise(shape, seed), reference::noise(shape, seed + 50));
}

std::vector<C> pairs(const Tensor& z) {
  REQUIRE(z.dtype() == DType::kComplex64);
  std::vector<C> result;
  for (std::size_t i = 0; i < z.elements(); ++i) {
    result.emplace_back(z.data<float>()[2 * i], z.data<float>()[2 * i + 1]);
  }
  return result;
}

double difference(const std::vector<C>& a, const std::vector<C>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST_CASE("Complex numbers are their parts", "[complex]") {
  const std::size_t before = allocator_stats().live;
  {
    const Tensor re = counted({2, 3});
    const Tensor im = neg(re);
    const Tensor z = complex(re, im);
    CHECK(z.bytes() == 48);
    CHECK(moves::numbers(real(z)) == moves::numbers(re));
    CHECK(moves::numbers(imag(z)) == moves::numbers(im));
    CHECK(moves::numbers(real(im)) == moves::numbers(im));
    CHECK(moves::numbers(imag(im)) == std::vector<double>(6));
    CHECK(imag(counted({2}, DType::kInt32)).dtype() == DType::kInt32);
    CHECK_THROWS_AS(complex(re, counted({3, 2})), Error);
  }
  CHECK(allocator_stats().live == before);
}

TEST_CASE("What moves numbers moves complex ones", "[complex]") {
  const Tensor re = counted({3, 5, 4});
  const Tensor im = add(re, Tensor::scalar(1000.0F));
  const Tensor z = complex(re, im);
  const Tensor picks = Tensor::from({1, 0, 1}, {3});
  const Tensor truth = counted({5, 1}, DType::kBool);
  const std::function<Tensor(const Tensor&)> functions[] = {
      [](const Tensor& x) { return transpose(x, {{2, 0, 1}}); },
      [](const Tensor& x) { return concat({x, x}, {1}); },
      [](const Tensor& x) { return stack({x, x}, {-1}); },
      [](const Tensor& x) { return slice(x, {{0, 1, 0}, {2, 2, 3}}); },
      [](const Tensor& x) {
        return strided_slice(x, {.begin = {2, 3, 0}, .end = {0, 0, 4}, .strides = {-1, -2, 2}});
      },
      [&](const Tensor& x) { return gather(x, picks, {.axis = 1}); },
      [&](const Tensor& x) { return gather(x, picks, {.axis = 2}); },
      [](const Tensor& x) { return tile(x, {{2, 1, 3}}); },
      [](const Tensor& x) { return pad(x, {{0, 1, 0}, {1, 0, 2}}); },
      [](const Tensor& x) { return mirror_pad(x, {{0, 1, 0}, {1, 2, 0}, false}); },
      [](const Tensor& x) { return reverse(x, {{1}}); },
      [&](const Tensor& x) { return where(truth, x, reverse(x)); },
      [](const Tensor& x) { return reshape(x, {{12, 5}}); },
      [](const Tensor& x) { return sum(x, {.axes = {1}}); },
      [](const Tensor& x) { return mean(x); },
      [](const Tensor& x) { return neg(x); },
      [&](const Tensor& x) { return unsorted_segment_sum(x, picks, {.segments = 2}); },
  };
  for (const auto& f : functions) {
    const Tensor got = f(z);
    CHECK(got.dtype() == DType::kComplex64);
    CHECK(got.shape() == f(re).shape());
    CHECK(moves::numbers(real(got)) == moves::numbers(f(re)));
    CHECK(moves::numbers(imag(got)) == moves::numbers(f(im)));
  }
  // The padding value is real.
  CHECK(pairs(pad(complex(Tensor::from({1.0F}, {1}), Tensor::from({2.0F}, {1})), {{1}, {0}, 7})) ==
        std::vector<C>{{7, 0}, {1, 2}});
}

TEST_CASE("Complex arithmetic", "[complex]") {
  const Tensor a = noise({4, 3}, 1);
  const Tensor b = noise({3}, 2);
  const std::vector<C> x = pairs(a);
  const std::vector<C> y = pairs(b);
  const auto check = [&](const Tensor& got, auto f) {
    std::vector<C> expected;
    for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(f(x[i], y[i % 3]));
    CHECK(got.shape() == a.shape());
    CHECK(difference(pairs(got), expected) < 1e-5);
  };
  check(add(a, b), [](C p, C q) { return p + q; });
  check(sub(a, b), [](C p, C q) { return p - q; });
  check(mul(a, b), [](C p, C q) { return p * q; });
  check(div(a, b), [](C p, C q) { return p / q; });
  check(mul(a, Tensor::scalar(2)), [](C p, C) { return 2.0 * p; });
  check(sub(Tensor::scalar(true), a), [](C p, C) { return 1.0 - p; });

  const auto one = [](float re, float im) { return complex(Tensor::scalar(re), Tensor::scalar(im)); };
  CHECK(difference(pairs(div(one(1e30F, 1e30F), one(1e30F, 1e30F))), {{1, 0}}) < 1e-6);
  const Tensor sizes = abs(stack({one(3e-30F, -4e-30F), one(3e30F, 4e30F), one(0, 0), one(-3, 4)}));
  CHECK(sizes.dtype() == DType::kFloat32);
  CHECK(reference::error(div(sizes, Tensor::from({1e-30F, 1e30F, 1.0F, 1.0F}, {4})), {5, 5, 0, 5}) < 1e-6);
}

TEST_CASE("Casts to and from complex numbers", "[complex]") {
  const Tensor z = complex(Tensor::from({1.5F, 0.0F, -2.7F}, {3}), Tensor::from({9.0F, 8.0F, 7.0F}, {3}));
  CHECK(moves::numbers(cast(z, {DType::kFloat32})) == std::vector<double>{1.5, 0, -2.7F});
  CHECK(moves::numbers(cast(z, {DType::kInt32})) == std::vector<double>{1, 0, -2});
  CHECK(moves::numbers(cast(z, {DType::kBool})) == std::vector<double>{1, 0, 1});
  CHECK(pairs(cast(Tensor::from({3, -4}, {2}), {DType::kComplex64})) == std::vector<C>{3, -4});
  CHECK(pairs(cast(Tensor::from({true, false}, {2}), {DType::kComplex64})) == std::vector<C>{1, 0});
  CHECK(pairs(fill({.shape = {2}, .value = 2, .dtype = DType::kComplex64})) == std::vector<C>{2, 2});
  CHECK(pairs(eye({.rows = 2, .columns = 2, .dtype = DType::kComplex64})) == std::vector<C>{1, 0, 0, 1});
  CHECK(cast(counted({0, 2}), {DType::kComplex64}).shape() == Shape{0, 2});
}

TEST_CASE("Complex numbers are refused where there is no rule for them", "[complex]") {
  const Tensor z = noise({2, 2}, 1);
  CHECK(error_of([&] { sigmoid(z); }) == "[sigmoid] sigmoid does not support complex64 tensors");
  CHECK(error_of([&] { mat_mul(z, z); }) == "[matMul] matMul does not support complex64 tensors");
  CHECK(error_of([&] { less(z, z); }) == "[less] less does not support complex64 tensors");
  CHECK(error_of([&] { range({.count = 2, .dtype = DType::kComplex64}); }) ==
        "[range] has no kernel for complex64");
}

/// Compares the gradient of a real function of a complex tensor, passed as its two parts, with finite
/// differences.
template <class F>
void check_slopes(F f, const Shape& shape) {
  const auto g = [&](const Tensors& xs) { return f(complex(xs[0], xs[1])); };
  const Tensors parts = {reference::noise(shape, 3), reference::noise(shape, 4)};
  const Gradients got = value_and_gradients(g, parts, {});
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < parts[k].elements(); ++i) {
      const auto moved = [&](float by) {
        Tensors there = parts;
        std::vector<float> values(parts[k].values<float>().begin(), parts[k].values<float>().end());
        values[i] += by;
        there[k] = Tensor::from(std::span<const float>(values), shape);
        const Tensor total = sum(g(there));
        return double{total.data<float>()[0]};
      };
      const double expected = (moved(1.0F / 128) - moved(-1.0F / 128)) * 64;
      CHECK(std::abs(got.gradients[k].data<float>()[i] - expected) < 5e-3 * (1 + std::abs(expected)));
    }
  }
}

TEST_CASE("Gradients pass through complex numbers", "[complex][gradient]") {
  const Tensor w = noise({2, 3}, 8);
  const auto weighed = [&](const Tensor& z) { return real(mul(z, reshape(w, {z.shape()}))); };
  check_slopes([&](const Tensor& z) { return weighed(mul(z, z)); }, {2, 3});
  check_slopes([&](const Tensor& z) { return weighed(div(w, z)); }, {2, 3});
  check_slopes([&](const Tensor& z) { return abs(sub(z, w)); }, {2, 3});
  check_slopes([&](const Tensor& z) { return weighed(fft(z)); }, {2, 3});
  check_slopes([&](const Tensor& z) { return weighed(ifft(z)); }, {2, 3});
  check_slopes([&](const Tensor& z) { return imag(mul(transpose(z), transpose(w))); }, {2, 3});
  check_slopes([&](const Tensor& z) { return cast(z, {DType::kFloat32}); }, {2, 3});
  check_slopes(
      [&](const Tensor& z) {
        return weighed(concat({slice(z, {{0, 1}, {2, 2}}), slice(z, {{0, 0}, {2, 1}})}, {1}));
      },
      {2, 3});
  check_slopes([&](const Tensor& z) { return weighed(gather(z, Tensor::from({2, 2, 0}, {3}), {.axis = 1})); },
               {2, 3});
  const Tensor places = Tensor::from({1, 2, 0, 0, 1, 2}, {3, 2});
  check_slopes([&](const Tensor& z) { return abs(gather_nd(z, places)); }, {2, 3});
  check_slopes(
      [&](const Tensor& z) {
        return weighed(tensor_scatter_update(z, Tensor::from({1}, {1, 1}), slice(z, {{0, 0}, {1, 3}})));
      },
      {2, 3});
}

TEST_CASE("The gradient for a complex number holds those of its parts", "[complex][gradient]") {
  const Tensor z = complex(Tensor::from({3.0F}, {1}), Tensor::from({4.0F}, {1}));
  const auto gradient = [&](auto f) {
    return pairs(value_and_gradients([&](const Tensors& xs) { return f(xs[0]); }, {z}, {}).gradients[0]);
  };
  CHECK(gradient([](const Tensor& x) { return real(x); }) == std::vector<C>{1});
  CHECK(gradient([](const Tensor& x) { return imag(x); }) == std::vector<C>{{0, 1}});
  CHECK(difference(gradient([](const Tensor& x) { return abs(x); }), {{0.6, 0.8}}) < 1e-6);
  CHECK(gradient([](const Tensor& x) { return abs(mul(x, Tensor::scalar(0.0F))); }) == std::vector<C>{0});
}

}  // namespace
}  // namespace tenure
