// Attention of ai.onnx: padded keys, masks that do not cover all keys, and scores.

#include <cmath>
#include <limits>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;

namespace {

constexpr std::int32_t kBatch = 2;
constexpr std::int32_t kHeads = 2;
constexpr std::int32_t kLength = 3;
constexpr std::int32_t kTotal = 6;
constexpr std::int32_t kSize = 4;
constexpr float kNegativeInfinity = -std::numeric_limits<float>::infinity();

Tensor make_values(const Shape& shape, float seed) {
  Tensor x({shape, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i) * 1.7F + seed);
  return x;
}

/// Returns the outputs of an Attention: the result and the scores. A mask and lengths are optional.
Tensors attend(const Tensor& mask, const Tensor& lengths, const std::string& attributes, int opset = 24) {
  std::string ports;
  std::vector<std::string> names;
  Tensors given;
  const auto add = [&](std::string_view name, const Tensor& x, int type) {
    if (!x) return;
    ports += input(value(name, type, {}, false));
    names.emplace_back(name);
    given.push_back(x);
  };
  add("q", make_values({kBatch, kHeads, kLength, kSize}, 1), kFloat);
  add("k", make_values({kBatch, kHeads, kTotal, kSize}, 2), kFloat);
  add("v", make_values({kBatch, kHeads, kTotal, kSize}, 3), kFloat);
  add("mask", mask, mask && mask.dtype() == DType::kBool ? kBool : kFloat);
  add("lengths", lengths, kInt64);
  const std::string file = proto::model(
      node("Attention", {"q", "k", "v", mask ? "mask" : "", "", "", lengths ? "lengths" : ""},
           {"y", "", "", "scores"}, attributes) +
          ports + output(value("y", kFloat, {}, false)) + output(value("scores", kFloat, {}, false)),
      opset);
  GraphModel model = onnx::load_model(as_bytes(file));
  return model.run(model.compile(names, std::vector<std::string>{"y", "scores"}), given);
}

float largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape() == b.shape());
  return max(abs(sub(a, b))).data<float>()[0];
}

/// Returns a mask [batch, 1, length, total] of keys for which a function of batch, query and key holds.
template <class F>
Tensor make_mask(const F& sees) {
  Tensor mask({{kBatch, 1, kLength, kTotal}, DType::kBool});
  auto* to = mask.mutable_data<std::uint8_t>();
  for (int batch = 0; batch < kBatch; ++batch) {
    for (int query = 0; query < kLength; ++query) {
      for (int key = 0; key < kTotal; ++key) *to++ = sees(batch, query, key) ? 1 : 0;
    }
  }
  return mask;
}

}  // namespace

TEST_CASE("Queries do not see keys that a mask lacks, or that are padding", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  {
    const Tensor lengths = Tensor::from({3, 5}, {kBatch});
    const int ends[] = {3, 5};
    const Tensors padded = attend({}, lengths, {});
    const Tensors masked = attend(make_mask([&](int b, int, int key) { return key < ends[b]; }), {}, {});
    CHECK(largest_difference(padded[0], masked[0]) < 1e-6F);

    const Tensor short_mask = slice(make_values({kLength, kTotal}, 4), {{0, 0}, {kLength, 4}});
    PadAttrs pads{.before = {0, 0}, .after = {0, 2}, .value = kNegativeInfinity};
    CHECK(largest_difference(attend(short_mask, {}, {})[0], attend(pad(short_mask, pads), {}, {})[0]) <
          1e-6F);
    const Tensor short_bools = less(short_mask, Tensor::scalar(0.5F));
    CHECK(largest_difference(attend(short_bools, {}, {})[0],
                             attend(pad(short_bools, {.before = {0, 0}, .after = {0, 2}}), {}, {})[0]) <
          1e-6F);

    // The last query sees all keys that are no padding.
    const Tensors causal = attend({}, lengths, int_attribute("is_causal", 1));
    const Tensors expected = attend(
        make_mask([&](int b, int query, int key) { return key <= query + ends[b] - kLength; }), {}, {});
    CHECK(largest_difference(causal[0], expected[0]) < 1e-6F);
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A mask broadcasts along the keys before opset 24", "[onnx]") {
  const Tensor mask = Tensor::from({1.0F, 2.0F, -3.0F}, {kLength, 1});
  const std::string biased = int_attribute("qk_matmul_output_mode", 2);
  const Tensors expected = attend({}, {}, biased, 23);
  const Tensors found = attend(mask, {}, biased, 23);
  // A number that all scores of a query have does not change the result.
  CHECK(largest_difference(found[0], expected[0]) < 1e-6F);
  CHECK(largest_difference(found[1], add(expected[1], mask)) < 1e-6F);
  const Tensors padded = attend(mask, {}, biased, 24);
  CHECK(padded[1].values<float>()[0] == Catch::Approx(found[1].values<float>()[0]));
  CHECK(padded[1].values<float>()[1] == kNegativeInfinity);
}

TEST_CASE("An Attention returns its scores before and after the mask", "[onnx]") {
  const std::string cap = bytes(5, bytes(1, "softcap") + number(2, 0.5F) + integer(20, 1));
  const auto scores = [&](int mode) {
    return attend({}, {},
                  int_attribute("is_causal", 1) + int_attribute("qk_matmul_output_mode", mode) + cap)[1];
  };
  const Tensor products = scores(0);
  const Tensor capped = mul(tanh(mul(products, Tensor::scalar(2.0F))), Tensor::scalar(0.5F));
  CHECK(largest_difference(scores(1), capped) < 1e-6F);
  const Tensor biased = scores(2);
  CHECK(biased.values<float>()[0] == Catch::Approx(capped.values<float>()[0]));
  CHECK(biased.values<float>()[1] == kNegativeInfinity);
  CHECK(largest_difference(scores(3), softmax(biased)) < 1e-6F);
  // Without a cap, capped scores are the products.
  const std::string causal = int_attribute("is_causal", 1);
  CHECK(largest_difference(attend({}, {}, causal + int_attribute("qk_matmul_output_mode", 1))[1], products) <
        1e-6F);
}
