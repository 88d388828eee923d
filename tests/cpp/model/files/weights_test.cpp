#include "model/files/weights.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/strings.h"
#include "model/files/json.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

std::vector<NamedTensor> decode(const std::string& specs, const std::vector<std::uint8_t>& bytes) {
  const auto parsed = parse_weight_specs(Json::parse(specs, "specs"));
  return decode_weights(parsed, std::as_bytes(std::span(bytes)));
}

Tensor decode_one(const std::string& spec, const std::vector<std::uint8_t>& bytes) {
  return decode("[" + spec + "]", bytes).at(0).tensor;
}

}  // namespace

TEST_CASE("Weights lie back to back, whatever their alignment", "[model][weights]") {
  const auto weights =
      decode(R"([{"name":"a","shape":[3],"dtype":"bool"},{"name":"b","shape":[],"dtype":"int32"},
                                  {"name":"c","shape":[2],"dtype":"float32"},{"name":"d","shape":[0,4],"dtype":"float32"}])",
             {1, 0, 7, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 99});
  REQUIRE(weights.size() == 4);
  CHECK(weights[0].name == "a");
  CHECK(weights[0].tensor.values<std::uint8_t>()[2] == 1);
  CHECK(weights[1].tensor.values<std::int32_t>()[0] == -2);
  CHECK(weights[2].tensor.values<float>()[0] == 1.0F);
  CHECK(weights[2].tensor.values<float>()[1] == -2.0F);
  CHECK(weights[3].tensor.elements() == 0);
}

TEST_CASE("Weights stay in the block that they came in, where that is what it is full of",
          "[model][weights]") {
  constexpr std::size_t kFloats = 500;
  constexpr std::size_t kBytes = 2000;
  const std::string floats = R"({"name":"f","shape":[500],"dtype":"float32"})";
  const std::string bytes =
      R"({"name":"q","shape":[2000],"dtype":"float32","quantization":{"dtype":"uint8","min":1,"scale":2}})";
  const std::string few = R"({"name":"n","shape":[3],"dtype":"bool"})";
  const std::string other = R"({"name":"m","shape":[500],"dtype":"float32","group":"optimizer"})";
  const auto block_of = [](std::size_t size) {
    const StoragePtr block = Storage::allocate(size);
    std::memset(block->data(), 1, size);
    return block;
  };
  const auto is_within = [](const Tensor& tensor, const StoragePtr& block) {
    const auto* begin = static_cast<const std::byte*>(block->data());
    const auto* at = tensor.data<std::byte>();
    return at >= begin && at + tensor.bytes() <= begin + block->bytes();
  };
  const auto load = [](const std::string& specs, const StoragePtr& block) {
    return decode_weights(parse_weight_specs(Json::parse("[" + specs + "]", "specs")), WeightData(block));
  };
  const float pattern = std::bit_cast<float>(0x01010101);
  const std::size_t before = allocator_stats().live;
  {
    StoragePtr block = block_of(2 * 4 * kFloats + kBytes);
    std::vector<NamedTensor> weights = load(floats + "," + bytes + "," + floats, block);
    CHECK(is_within(weights[0].tensor, block));
    CHECK(is_within(weights[2].tensor, block));
    CHECK(weights[1].tensor.storage()->resident_bytes() < kBytes + 100);
    block = StoragePtr();
    CHECK(allocator_stats().live - before < 2 * 4 * kFloats + kBytes + 1024);
    CHECK(weights[0].tensor.values<float>()[kFloats - 1] == pattern);
    CHECK(weights[1].tensor.values<float>()[kBytes - 1] == 3);
    CHECK(weights[2].tensor.values<float>()[0] == pattern);
    // Writing to a weight does not change the others.
    weights[0].tensor.mutable_data<float>()[kFloats - 1] = 7;
    CHECK(weights[2].tensor.values<float>()[0] == pattern);
    weights.erase(weights.begin(), weights.begin() + 2);
    CHECK(weights[0].tensor.values<float>()[0] == pattern);
  }
  CHECK(allocator_stats().live == before);
  {
    // After three bytes, floats are not aligned.
    const StoragePtr block = block_of(3 + 4 * kFloats);
    CHECK_FALSE(is_within(load(few + "," + floats, block)[1].tensor, block));
  }
  for (const std::string& specs : {floats + "," + other, floats}) {
    const StoragePtr block = block_of(2 * 4 * kFloats);
    CHECK_FALSE(is_within(load(specs, block)[0].tensor, block));
  }
  CHECK_THROWS_AS(load(floats + "," + floats, block_of(2 * 4 * kFloats - 1)), Error);
  CHECK(allocator_stats().live == before);
}

TEST_CASE("Strings are lengths and bytes, and complex numbers pairs", "[model][weights]") {
  const auto weights = decode(
      R"([{"name":"s","shape":[3],"dtype":"string"},{"name":"c","shape":[1],"dtype":"complex64"},{"name":"b","shape":[1],"dtype":"bool"}])",
      {2, 0, 0, 0, 'a', 'b', 0, 0, 0, 0, 1, 0, 0, 0, 'c', 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 1});
  REQUIRE(weights.size() == 3);
  const Strings strings(weights[0].tensor);
  CHECK(strings[0] == "ab");
  CHECK(strings[1].empty());
  CHECK(strings[2] == "c");
  CHECK(weights[1].tensor.data<float>()[0] == 1.0F);
  CHECK(weights[1].tensor.data<float>()[1] == -2.0F);
  CHECK(weights[2].tensor.values<std::uint8_t>()[0] == 1);
  CHECK_THROWS_MATCHES(
      decode_one(R"({"name":"s","shape":[2],"dtype":"string"})", {1, 0, 0, 0, 'a', 9, 0, 0, 0, 'b'}), Error,
      Message("weight \"s\" of shape [2] needs 9 bytes, but the weight data ends after 1 of them"));
}

TEST_CASE("Quantized weights are q * scale + min", "[model][weights]") {
  const Tensor bytes = decode_one(
      R"({"name":"w","shape":[3],"dtype":"float32","quantization":{"dtype":"uint8","min":-1,"scale":0.5}})",
      {0, 2, 255});
  CHECK(bytes.values<float>()[0] == -1.0F);
  CHECK(bytes.values<float>()[1] == 0.0F);
  CHECK(bytes.values<float>()[2] == 126.5F);
  const Tensor words = decode_one(
      R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"uint16","min":1,"scale":0.25}})",
      {0, 1});
  CHECK(words.values<float>()[0] == 65.0F);
  const Tensor ints = decode_one(
      R"({"name":"w","shape":[2],"dtype":"int32","quantization":{"dtype":"uint8","min":-10.4,"scale":2}})",
      {0, 3});
  CHECK(ints.values<std::int32_t>()[0] == -10);
  CHECK(ints.values<std::int32_t>()[1] == -4);
}

TEST_CASE("Half floats decode exactly", "[model][weights]") {
  const Tensor halves =
      decode_one(R"({"name":"w","shape":[6],"dtype":"float32","quantization":{"dtype":"float16"}})",
                 {0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0xfc, 0x01, 0x7e, 0x00, 0x80});
  const auto values = halves.values<float>();
  CHECK(values[0] == 1.0F);
  CHECK(values[1] == 0x1p-24F);  // the smallest subnormal
  CHECK(values[2] == 65504.0F);
  CHECK(values[3] == -INFINITY);
  CHECK(std::isnan(values[4]));
  CHECK(std::signbit(values[5]));
}

TEST_CASE("Groups of a manifest follow one another", "[model][weights]") {
  const auto specs = parse_weight_specs(Json::parse(
      R"([{"paths":["a.bin"],"weights":[{"name":"a","shape":[2],"dtype":"float32"}]},{"paths":["b.bin"]},
                      {"paths":["c.bin"],"weights":[{"name":"b","shape":[],"dtype":"int32","group":"optimizer"}]}])",
      "manifest"));
  REQUIRE(specs.size() == 2);
  CHECK(specs[1].name == "b");
  CHECK(specs[1].is_optimizer_state);
}

TEST_CASE("Broken weights are refused by name", "[model][weights]") {
  CHECK_THROWS_MATCHES(
      decode_one(R"({"name":"d/kernel","shape":[2,3],"dtype":"float32"})", std::vector<std::uint8_t>(20)),
      Error,
      Message("weight \"d/kernel\" of shape [2,3] needs 24 bytes, but the weight data ends after 20 of "
              "them"));
  CHECK_THROWS_MATCHES(decode_one(R"({"name":"w","shape":[1],"dtype":"float64"})", {}), Error,
                       Message("weight \"w\" has the unsupported dtype \"float64\""));
  CHECK_THROWS_MATCHES(decode_one(R"({"name":"w","shape":[-1],"dtype":"float32"})", {}), Error,
                       Message("weight \"w\" has the extent -1 in its shape"));
  CHECK_THROWS_MATCHES(decode_one(R"({"name":"w","shape":[1e99],"dtype":"float32"})", {}), Error,
                       Message("weight \"w\" has the extent 1e+99 in its shape"));
  CHECK_THROWS_AS(decode_one(R"({"name":"w","shape":[65536,65536],"dtype":"float32"})", {}), Error);
  CHECK_THROWS_AS(decode_one(R"({"name":"w","shape":[2147483647],"dtype":"float32"})", {}), Error);
  CHECK_THROWS_AS(decode_one(R"({"name":"w","shape":[1,1,1,1,1,1,1,1,1],"dtype":"float32"})", {0, 0, 0, 0}),
                  Error);
  CHECK_THROWS_MATCHES(decode_one(R"({"shape":[1],"dtype":"float32"})", {}), Error,
                       Message("the weights manifest has an entry without a name"));
  CHECK_THROWS_MATCHES(
      decode_one(R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"uint8","min":0}})",
                 {0}),
      Error, Message("weight \"w\" has a quantization without scale"));
  CHECK_THROWS_MATCHES(
      decode_one(R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"int4"}})", {0}), Error,
      Message("weight \"w\" has the unknown quantization dtype \"int4\"; supported are 'uint8', 'uint16' and "
              "'float16'"));
}

TEST_CASE("JSON is parsed to a bounded depth", "[model][json]") {
  const Json json = Json::parse(R"({"a":[1,-2.5,true,null,"x"],"b":{"c":2147483648},"a2":null})", "test");
  CHECK(json.find("a")->items().size() == 5);
  CHECK(json.find("a")->items()[1].number() == -2.5);
  CHECK_FALSE(json.find("b")->find("c")->is_int());
  CHECK(json.find("a2") == nullptr);
  CHECK(json.find("missing") == nullptr);
  CHECK_THROWS_MATCHES(Json::parse(R"({"a":)", "test"), Error,
                       Message("test is not valid JSON: error at byte 6"));
  CHECK_THROWS_MATCHES(Json::parse(std::string(100000, '['), "test"), Error,
                       Message("test is nested more than 100 levels deep"));
}

}  // namespace tenure
