#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// Returns the softmax of each row, or its logarithm, in double.
std::vector<double> reference(const Tensor& x, bool logarithm) {
  const auto width = static_cast<std::size_t>(x.shape().back());
  std::vector<double> result;
  for (std::size_t row = 0; row < x.elements(); row += width) {
    const float* in = x.data<float>() + row;
    double most = in[0];
    for (std::size_t i = 1; i < width; ++i) most = std::max<double>(most, in[i]);
    double total = 0;
    for (std::size_t i = 0; i < width; ++i) total += std::exp(in[i] - most);
    for (std::size_t i = 0; i < width; ++i) {
      const double log_of = in[i] - most - std::log(total);
      result.push_back(logarithm ? log_of : std::exp(log_of));
    }
  }
  return result;
}

void check_rows(const Tensor& x) {
  INFO(text("logits of shape ", x.shape()));
  for (const bool logarithm : {false, true}) {
    const Tensor out = logarithm ? log_softmax(x) : softmax(x);
    REQUIRE(out.spec() == x.spec());
    const std::vector<double> expected = reference(x, logarithm);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double got = out.data<float>()[i];
      INFO((logarithm ? "log " : "") << "at " << i << " got " << got << ", expected " << expected[i]);
      CHECK(std::abs(got - expected[i]) <= 2e-6 * std::abs(expected[i]) + 1e-7);
    }
  }
}

}  // namespace

TEST_CASE("Softmax of logits far from 0 neither overflows nor vanishes", "[softmax]") {
  check_rows(
      Tensor::from({1000.0F, 1001.0F, 999.0F, -1000.0F, -1001.0F, -999.0F, 0.0F, 88.0F, 200.0F}, {3, 3}));
  check_rows(Tensor::from({64.0F, 63.0F, -36.0F, 64.1F, 63.1F, -35.9F, -64.0F, -65.0F, -164.0F}, {3, 3}));
  check_rows(Tensor::from({3e38F, 3e38F, 1.0F, -3e38F, -3e38F, -3.1e38F}, {2, 3}));
  std::vector<float> many(1003);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i * 37 % 101) / 4 + 20;
  check_rows(Tensor::from(std::span<const float>(many), {17, 59}));
  const Tensor masked = Tensor::from({1.0F, -kInf, 1.0F, -kInf, 1.0F}, {5});
  const Tensor out = softmax(masked);
  CHECK(out.data<float>()[0] == Catch::Approx(1.0 / 3));
  CHECK(out.data<float>()[1] == 0);
}

TEST_CASE("A row that holds a NaN or only -Infinity is NaN, its neighbours are not", "[softmax]") {
  const Tensor x = Tensor::from({1.0F, std::nanf(""), 2.0F, 1.0F, 1.0F, 1.0F, -kInf, -kInf, -kInf}, {3, 3});
  for (const Tensor& out : {softmax(x), log_softmax(x)}) {
    for (int i = 0; i < 9; ++i) CHECK(std::isnan(out.data<float>()[i]) == (i / 3 != 1));
  }
}

TEST_CASE("Softmax rejects scalars and types other than float32", "[softmax]") {
  const Tensor scalar = Tensor::scalar(1.0F);
  CHECK_THROWS_MATCHES(softmax(scalar), Error,
                       Message("[softmax] expected logits of rank 1 or higher, got a scalar"));
  const Tensor ints = Tensor::from({1, 2}, {2});
  CHECK_THROWS_MATCHES(
      softmax(ints), Error,
      Message(
          "[softmax] Argument 'logits' passed to 'softmax' must be float32 tensor, but got int32 tensor"));
  CHECK_THROWS_MATCHES(log_softmax(ints), Error,
                       Message("[logSoftmax] Argument 'logits' passed to 'logSoftmax' must be float32 "
                               "tensor, but got int32 tensor"));
}

}  // namespace tenure
