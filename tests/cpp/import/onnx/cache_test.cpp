// Caches of keys and values that are inputs of the next run.

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/growing_rows.h"
#include "core/run/fault_injection.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;

namespace {

constexpr std::int32_t kHeads = 3;
constexpr std::int32_t kSize = 8;

std::size_t live() { return allocator_stats().live; }

std::string port(std::string_view name) { return value(name, kFloat, {}, false); }
std::string ports() {
  return input(port("q")) + input(port("k")) + input(port("v")) + input(port("past k")) +
         input(port("past v")) + output(port("y")) + output(port("present k")) + output(port("present v"));
}

/// Returns the nodes of attention with a cache as exporters write it.
std::string attention_nodes() {
  return node("Concat", {"past k", "k"}, {"present k"}, int_attribute("axis", 2)) +
         node("Concat", {"past v", "v"}, {"present v"}, int_attribute("axis", -2)) +
         node("Transpose", {"present k"}, {"t"}, ints_attribute("perm", {0, 1, 3, 2})) +
         node("MatMul", {"q", "t"}, {"scores"}) +
         node("Softmax", {"scores"}, {"weights"}, int_attribute("axis", -1)) +
         node("MatMul", {"weights", "present v"}, {"y"});
}

std::string plain_attention() { return proto::model(attention_nodes() + ports()); }

/// Returns attention in a branch, beside one that takes no cache, as files of both have it.
std::string merged_attention() {
  const std::string results = output(port("y")) + output(port("present k")) + output(port("present v"));
  const std::string other = node("Identity", {"q"}, {"y"}) + node("Identity", {"k"}, {"present k"}) +
                            node("Identity", {"v"}, {"present v"}) + results;
  return proto::model(node("ReduceMax", {"q"}, {"most"}, int_attribute("keepdims", 0)) +
                      node("Less", {"most", "limit"}, {"is small"}) +
                      node("If", {"is small"}, {"y", "present k", "present v"},
                           graph_attribute("then_branch", attention_nodes() + results) +
                               graph_attribute("else_branch", other)) +
                      bytes(5, tensor("limit", kFloat, {}, raw({1000.0F}))) + ports());
}

/// Returns attention in one node. Its scores are divided by the root of kSize.
std::string fused_attention() {
  return proto::model(
      node("Attention", {"q", "k", "v", "", "past k", "past v"}, {"y", "present k", "present v"}) + ports(),
      23);
}

Tensor make(std::int32_t length, int seed) {
  Tensor x({{1, kHeads, length, kSize}, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = static_cast<float>((static_cast<int>(i) * 7 + seed * 13) % 23 - 11) * 0.1F;
  return x;
}

/// Returns a tensor as JavaScript would create it.
Tensor copy(const Tensor& x) { return Tensor::from(x.values<float>(), x.shape()); }

bool is_close(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && max(abs(sub(a, b))).data<float>()[0] < 1e-5F;
}

class Decoder {
 public:
  explicit Decoder(const std::string& file) : model_(onnx::load_model(as_bytes(file), {})) {
    const std::vector<std::string> inputs = {"q", "k", "v", "past k", "past v"};
    const std::vector<std::string> outputs = {"y", "present k", "present v"};
    program_ = model_.compile(inputs, outputs);
  }
  /// Returns the output and both caches after one token.
  Tensors run(int seed, const Tensor& keys, const Tensor& values) {
    const Tensors inputs = {make(1, seed), make(1, seed + 1), make(1, seed + 2), keys, values};
    return model_.run(program_, inputs);
  }

 private:
  GraphModel model_;
  int program_;
};

/// Returns the address of the rows in the block of a tensor that grows, else null.
const void* get_block(const Tensor& x) {
  const Tensor padded = GrowingRows::find_padded(x);
  return padded ? padded.storage()->data() : nullptr;
}

}  // namespace

TEST_CASE("A cache that comes back grows in place", "[onnx][growing]") {
  for (const std::string& file : {plain_attention(), fused_attention(), merged_attention()}) {
    const std::size_t before = live();
    {
      // A model makes plans for shapes that come again.
      Decoder decoder(file);
      Decoder other(file);
      Tensors stays = {{}, make(6, 1), make(6, 2)};
      Tensors crosses = stays;
      int in_place = 0;
      for (int i = 0; i < 40; ++i) {
        const void* const keys = get_block(stays[1]);
        const void* const values = get_block(stays[2]);
        stays = decoder.run(i, stays[1], stays[2]);
        in_place += keys && get_block(stays[1]) == keys && get_block(stays[2]) == values;
        crosses = other.run(i, copy(crosses[1]), copy(crosses[2]));
        CHECK_FALSE(GrowingRows::of(crosses[1]));
        for (std::size_t k = 0; k < 3; ++k) REQUIRE(is_close(stays[k], crosses[k]));
      }
      CHECK(in_place > 30);
    }
    CHECK(live() == before);
  }
}

TEST_CASE("Two runs may follow from one cache", "[onnx][growing]") {
  for (const std::string& file : {plain_attention(), fused_attention()}) {
    Decoder decoder(file);
    Tensors last = {{}, make(6, 1), make(6, 2)};
    for (int i = 0; i < 6; ++i) last = decoder.run(i, last[1], last[2]);
    REQUIRE(GrowingRows::of(last[1]));
    const Tensors first = decoder.run(100, last[1], last[2]);
    const Tensors second = decoder.run(200, last[1], last[2]);
    const Tensors again = decoder.run(100, last[1], last[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(is_close(first[k], again[k]));
      CHECK_FALSE(is_close(first[k], second[k]));
    }
    const Tensors longer = decoder.run(300, first[1], first[2]);
    const Tensors expected = decoder.run(300, copy(first[1]), copy(first[2]));
    for (std::size_t k = 0; k < 3; ++k) CHECK(is_close(longer[k], expected[k]));
  }
}

#ifdef TENURE_DEBUG
TEST_CASE("A cache that grows is as it was after a failure", "[onnx][growing][fault_injection]") {
  Decoder reference(plain_attention());
  Tensors expected = {{}, make(6, 1), make(6, 2)};
  constexpr int kTokens = 8;
  for (int i = 0; i <= kTokens; ++i) expected = reference.run(i, expected[1], expected[2]);
  const std::size_t before = live();
  for (void (*fail)(int) : {fault_injection::fail_allocation, fault_injection::fail_op}) {
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
      Decoder decoder(plain_attention());
      Tensors last = {{}, make(6, 1), make(6, 2)};
      for (int i = 0; i < kTokens; ++i) last = decoder.run(i, last[1], last[2]);
      REQUIRE(GrowingRows::of(last[1]));
      const std::size_t at_start = live();
      fail(failures);
      try {
        decoder.run(kTokens, last[1], last[2]);
        failed = false;
      } catch (const Error&) {
        CHECK(live() - at_start < 1024);
      }
      fail(-1);
      const Tensors found = decoder.run(kTokens, last[1], last[2]);
      for (std::size_t k = 0; k < 3; ++k) REQUIRE(is_close(found[k], expected[k]));
    }
    CHECK(failures > 3);
  }
  CHECK(live() == before);
}
#endif
