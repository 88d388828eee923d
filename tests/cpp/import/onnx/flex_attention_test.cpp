// FlexAttention, compared with products and sums that are written out.

#include <cmath>

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int kBatch = 2;
constexpr int kHeads = 4;
constexpr int kShared = 2;
constexpr int kLength = 3;
constexpr int kTotal = 5;
constexpr int kSize = 4;

Tensor make_values(const Shape& shape, float phase) {
  Tensor x({shape, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i) * 1.7F + phase);
  return x;
}

/// A graph with the output op(input, constant). All graphs have the same names.
std::string make_graph(std::string_view op, float constant) {
  return node(op, {"value", "constant"}, {"result"}) +
         bytes(5, tensor("constant", kFloat, {}, raw({constant}))) +
         input(value("value", kFloat, {}, false)) + output(value("result", kFloat, {}, false));
}

std::string make_ports() {
  std::string ports = output(value("y", kFloat, {}, false));
  for (const std::string_view name : {"q", "k", "v"}) ports += input(value(name, kFloat, {}, false));
  return ports;
}

std::string make_model(std::string_view attributes) {
  return proto::model(
      node("FlexAttention", {"q", "k", "v"}, {"y"}, attributes, "ai.onnx.preview") + make_ports(), 26,
      bytes(8, bytes(1, "ai.onnx.preview") + integer(2, 1)));
}

void check_attention_of(const std::string& file, float scale, float added, float factor) {
  const Tensor q = make_values({kBatch, kHeads, kLength, kSize}, 0);
  const Tensor k = make_values({kBatch, kShared, kTotal, kSize}, 1);
  const Tensor v = make_values({kBatch, kShared, kTotal, kSize}, 2);
  GraphModel model = onnx::load_model(as_bytes(file));
  const Tensors given{q, k, v};
  const Tensor y = model.run(
      model.compile(std::vector<std::string>{"q", "k", "v"}, std::vector<std::string>{"y"}), given)[0];
  REQUIRE(y.shape() == q.shape());
  const auto at = [](const Tensor& x, int b, int h, int row, int i) {
    return static_cast<double>(x.data<float>()[((b * x.dim(1) + h) * x.dim(2) + row) * kSize + i]);
  };
  for (int b = 0; b < kBatch; ++b) {
    for (int h = 0; h < kHeads; ++h) {
      for (int row = 0; row < kLength; ++row) {
        std::vector<double> weights(kTotal, 0);
        double sum = 0;
        for (int s = 0; s < kTotal; ++s) {
          double score = 0;
          for (int i = 0; i < kSize; ++i) score += at(q, b, h, row, i) * at(k, b, h / 2, s, i);
          weights[static_cast<std::size_t>(s)] = std::exp(score * static_cast<double>(scale + added));
          sum += weights[static_cast<std::size_t>(s)];
        }
        for (int i = 0; i < kSize; ++i) {
          double expected = 0;
          for (int s = 0; s < kTotal; ++s)
            expected += weights[static_cast<std::size_t>(s)] / sum * static_cast<double>(factor) *
                        at(v, b, h / 2, s, i);
          CHECK(at(y, b, h, row, i) == Catch::Approx(expected).margin(1e-5));
        }
      }
    }
  }
}

void check_attention(std::string_view attributes, float scale, float added, float factor) {
  check_attention_of(make_model(attributes), scale, added, factor);
}

}  // namespace

TEST_CASE("A FlexAttention changes its scores and weights by graphs", "[onnx]") {
  check_attention("", 0.5F, 0, 1);
  const std::string scale = bytes(5, bytes(1, "scale") + number(2, 0.3F) + integer(20, 1));
  check_attention(scale, 0.3F, 0, 1);
  // Products of scores are as other scales.
  const std::string graphs = graph_attribute("score_mod", make_graph("Mul", 3)) +
                             graph_attribute("prob_mod", make_graph("Mul", 0.25F));
  check_attention(scale + graphs, 0.3F, 0.6F, 0.25F);
}

TEST_CASE("A FlexAttention of a function has the scale of the call", "[onnx]") {
  const std::string reference = bytes(5, bytes(1, "scale") + bytes(21, "factor") + integer(20, 1));
  std::string call;
  for (const std::string_view name : {"q", "k", "v"}) call += bytes(1, name);
  const std::string flex =
      call + bytes(2, "y") + bytes(4, "FlexAttention") + reference + bytes(7, "ai.onnx.preview");
  std::string function = bytes(1, "attend") + bytes(10, "mine") + bytes(5, "y") + bytes(6, "factor");
  for (const std::string_view name : {"q", "k", "v"}) function += bytes(4, name);
  function += bytes(7, flex);
  for (const std::string_view domain : {"", "ai.onnx.preview"})
    function += bytes(9, bytes(1, domain) + integer(2, domain.empty() ? 26 : 1));
  const std::string factor = bytes(5, bytes(1, "factor") + number(2, 0.3F) + integer(20, 1));
  const std::string file = proto::model(node("attend", {"q", "k", "v"}, {"y"}, factor, "mine") + make_ports(),
                                        26, bytes(8, bytes(1, "mine") + integer(2, 1)) + bytes(25, function));
  check_attention_of(file, 0.3F, 0, 1);
}

TEST_CASE("A FlexAttention that does not fit is an error that names it", "[onnx][hostile]") {
  const auto load = [](const std::string& attributes) { onnx::load_model(as_bytes(make_model(attributes))); };
  CHECK_THROWS_WITH(
      load(graph_attribute("score_mod", output(value("z", kFloat)))),
      ContainsSubstring("the node \"y\" (FlexAttention): its graph \"score_mod\" has 0 inputs"));
  CHECK_THROWS_WITH(load(graph_attribute("prob_mod", input(value("q", kFloat)) + output(value("q", kFloat)))),
                    ContainsSubstring("two values have the name \"q\""));
  CHECK_THROWS_WITH(load(int_attribute("prob_mod", 1)), ContainsSubstring("it has no graph"));
  GraphModel model = onnx::load_model(as_bytes(make_model("")));
  const Tensor q({{0, 1 << 16, 1 << 16, 1}, DType::kFloat32});
  const Tensor k({{0, 1, 1, 1}, DType::kFloat32});
  CHECK_THROWS_WITH(
      model.run(model.compile(std::vector<std::string>{"q", "k", "v"}, std::vector<std::string>{"y"}),
                Tensors{q, k, k}),
      ContainsSubstring("more than 2^31 - 1 elements"));
}
