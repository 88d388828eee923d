#include "catch.h"
#include "core/run/kernel_observer.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string port(std::string_view name) { return value(name, kFloat, {}, false); }

/// Returns the model of a MatMul of `a` and `b`, of which `transposed` is given through a Transpose.
std::string transposed_product(std::string_view transposed, std::initializer_list<std::int64_t> perm) {
  const bool is_left = transposed == "a";
  return proto::model(node("Transpose", {transposed}, {"t"}, ints_attribute("perm", perm)) +
                      node("MatMul", {is_left ? "t" : "a", is_left ? "b" : "t"}, {"y"}) + input(port("a")) +
                      input(port("b")) + output(port("y")));
}

Tensor make(const Shape& shape, float scale) {
  Tensor x({shape, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = scale * static_cast<float>(static_cast<int>(i * 7 % 11) - 5);
  return x;
}

class TransposeCounter final : public KernelObserver {
 public:
  TransposeCounter() { set_observer(this); }
  ~TransposeCounter() override { set_observer(nullptr); }
  void before() override {}
  void after(Op op, const KernelArgs&, Output) override { count += op == Op::transpose; }
  int count = 0;
};

struct Product {
  Tensor y;
  int transposes;
};

Product run(const std::string& file, const Tensor& a, const Tensor& b) {
  GraphModel model = onnx::load_model(as_bytes(file), {});
  const std::vector<std::string> inputs = {"a", "b"};
  const std::vector<std::string> outputs = {"y"};
  const Tensors given = {a, b};
  const TransposeCounter counter;
  return {model.run(model.compile(inputs, outputs), given)[0], counter.count};
}

void check_same(const Tensor& found, const Tensor& expected) {
  REQUIRE(found.shape() == expected.shape());
  CHECK(max(abs(sub(found, expected))).data<float>()[0] < 1e-4F);
}

}  // namespace

TEST_CASE("A product reads a transposed operand where it is", "[onnx]") {
  const Tensor keys = make({2, 3, 9, 5}, 0.5F);
  for (const std::int32_t rows : {1, 2, 7}) {
    const Tensor queries = make({2, 3, rows, 5}, 0.25F);
    const Product scores = run(transposed_product("b", {0, 1, 3, 2}), queries, keys);
    CHECK(scores.transposes == 0);
    check_same(scores.y, mat_mul(queries, transpose(keys, {Dims{0, 1, 3, 2}})));
  }
  const Tensor left = make({5, 4}, 1);
  const Product product = run(transposed_product("a", {1, 0}), left, make({5, 3}, 2));
  CHECK(product.transposes == 0);
  check_same(product.y, mat_mul(transpose(left), make({5, 3}, 2)));
  const Product of_row = run(transposed_product("b", {1, 0}), make({5}, 1), make({3, 5}, 2));
  CHECK(of_row.transposes == 0);
  check_same(of_row.y, reshape(mat_mul(make({1, 5}, 1), transpose(make({3, 5}, 2))), {Shape{3}}));
}

TEST_CASE("A product reads the copy that another permutation makes", "[onnx]") {
  const Tensor keys = make({9, 2, 5}, 0.5F);
  const Tensor queries = make({2, 1, 5}, 0.25F);
  const Product scores = run(transposed_product("b", {1, 2, 0}), queries, keys);
  CHECK(scores.transposes == 1);
  check_same(scores.y, mat_mul(queries, transpose(keys, {Dims{1, 2, 0}})));
  CHECK_THROWS_WITH(run(transposed_product("b", {0, 2, 1}), queries, make({5, 5}, 1)),
                    ContainsSubstring("permutation of 3 axes") && ContainsSubstring("[5,5]"));
}
