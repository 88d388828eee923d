// Fourier transforms that are inverse and one-sided.

#include <cmath>

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Transforms the axis 1 of x one-sidedly, with a length unless it is 0.
Tensor transform(const Tensor& x, bool inverts, std::int64_t length = 0) {
  std::string constants = bytes(5, tensor("axis", kInt64, {}, raw<std::int64_t>({1})));
  if (length > 0) constants += bytes(5, tensor("length", kInt64, {}, raw<std::int64_t>({length})));
  GraphModel model = onnx::load_model(as_bytes(proto::model(
      node("DFT", {"x", length > 0 ? "length" : "", "axis"}, {"y"},
           int_attribute("onesided", 1) + int_attribute("inverse", inverts ? 1 : 0)) +
          input(value("x", kFloat, {}, false)) + output(value("y", kFloat, {}, false)) + constants,
      20)));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

Tensor make_signal(std::int32_t length) {
  Tensor x({{2, length, 3, 1}, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i) * 1.7F);
  return x;
}

/// Checks that a transform of a spectrum to `length` values reads those bins.
void check_bins(const Tensor& spectrum, const Tensor& bins, std::int32_t length) {
  CAPTURE(length);
  const Tensor found = transform(spectrum, true, length);
  CHECK(found.shape() == Shape{2, length, 3, 1});
  CHECK(max(abs(sub(found, transform(bins, true, length)))).data<float>()[0] < 1e-6F);
}

}  // namespace

TEST_CASE("An inverse one-sided transform restores real signals", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  for (const std::int32_t length : {1, 7, 8, 12}) {
    CAPTURE(length);
    const Tensor signal = make_signal(length);
    const Tensor spectrum = transform(signal, false);
    CHECK(spectrum.shape() == Shape{2, length / 2 + 1, 3, 2});
    const Tensor restored = transform(spectrum, true, length);
    REQUIRE(restored.shape() == signal.shape());
    for (std::size_t i = 0; i < signal.elements(); ++i)
      CHECK(restored.values<float>()[i] == Catch::Approx(signal.values<float>()[i]).margin(1e-5));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A length of an inverse one-sided transform selects or adds bins, as in NumPy", "[onnx]") {
  const Tensor spectrum = transform(make_signal(9), false);
  check_bins(spectrum, slice(spectrum, {Dims{0, 0, 0, 0}, Dims{2, 4, 3, 2}}), 7);
  check_bins(spectrum, slice(spectrum, {Dims{0, 0, 0, 0}, Dims{2, 1, 3, 2}}), 1);
  check_bins(spectrum, pad(spectrum, {.before = Dims{0, 0, 0, 0}, .after = Dims{0, 2, 0, 0}}), 12);
  CHECK(transform(spectrum, true).shape() == Shape{2, 8, 3, 1});
  CHECK_THROWS_WITH(transform(make_signal(5), true),
                    ContainsSubstring("a spectrum of [2,5,3,1] does not fit a signal of 8 values"));
}
