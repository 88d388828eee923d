#include "catch.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string port(std::string_view name) { return value(name, kFloat, {}, false); }

/// Returns a model with a Scan of opset 8 that adds up sequences, from their ends with a direction of 1. It
/// also returns the state times `w`, a value of the graph around it.
std::string sums(std::string_view lengths, std::int64_t direction) {
  const std::string body = node("Add", {"s", "x"}, {"next"}) + node("Mul", {"next", "w"}, {"scan"}) +
                           input(port("s")) + input(port("x")) + output(port("next")) + output(port("scan"));
  const std::string directions = bytes(5, bytes(1, "directions") + integer(8, direction) + integer(20, 7));
  return proto::model(node("Scan", {lengths, "initial", "xs"}, {"last", "all"},
                           graph_attribute("body", body) + int_attribute("num_scan_inputs", 1) + directions) +
                          input(port("initial")) + input(port("xs")) + input(port("w")) +
                          output(port("last")) + output(port("all")),
                      8);
}

Tensors run(const std::string& file, const Tensor& initial, const Tensor& xs) {
  GraphModel model = onnx::load_model(as_bytes(file), {});
  const std::vector<std::string> inputs = {"initial", "xs", "w"};
  const std::vector<std::string> outputs = {"last", "all"};
  const Tensors given = {initial, xs, Tensor::scalar(10.0F)};
  return model.run(model.compile(inputs, outputs), given);
}

bool is_same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(equal(a, b)).data<std::uint8_t>()[0] != 0;
}

}  // namespace

TEST_CASE("A Scan of opset 8 scans each sequence of a batch", "[onnx][scan]") {
  const Tensor initial = Tensor::from({0.0F, 0.0F, 100.0F, 200.0F}, {2, 2});
  const Tensor xs =
      Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 1.0F, 1.0F, 2.0F, 2.0F, 3.0F, 3.0F}, {2, 3, 2});
  const Tensor last = Tensor::from({9.0F, 12.0F, 106.0F, 206.0F}, {2, 2});
  const Tensors forward = run(sums("", 0), initial, xs);
  CHECK(is_same(forward[0], last));
  CHECK(is_same(forward[1], Tensor::from({10.0F, 20.0F, 40.0F, 60.0F, 90.0F, 120.0F, 1010.0F, 2010.0F,
                                          1030.0F, 2030.0F, 1060.0F, 2060.0F},
                                         {2, 3, 2})));
  const Tensors backward = run(sums("", 1), initial, xs);
  CHECK(is_same(backward[0], last));
  CHECK(is_same(slice(backward[1], {Dims{0, 0, 0}, Dims{1, 3, 2}}),
                Tensor::from({50.0F, 60.0F, 80.0F, 100.0F, 90.0F, 120.0F}, {1, 3, 2})));
  CHECK_THROWS_WITH(run(sums("w", 0), initial, xs), ContainsSubstring("sequence_lens"));
}
