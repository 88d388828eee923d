#include "catch.h"
#include "core/error.h"
#include "import/onnx/wire.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Reads the first field of a message.
onnx::Message first(const std::string& text) {
  onnx::Message message(proto::as_bytes(text));
  REQUIRE(message.next());
  return message;
}

void read_all(const std::string& text) {
  onnx::Message message(proto::as_bytes(text));
  while (message.next()) {
  }
}

}  // namespace

TEST_CASE("Fields of protobuf messages are read", "[onnx]") {
  const std::string text = proto::integer(1, -5) + proto::number(2, 0.5F) + proto::bytes(3, "ab");
  onnx::Message message(proto::as_bytes(text));
  REQUIRE(message.next());
  CHECK(message.field() == 1);
  CHECK(message.integer() == -5);
  REQUIRE(message.next());
  CHECK(message.number() == 0.5F);
  REQUIRE(message.next());
  CHECK(message.text() == "ab");
  CHECK_FALSE(message.next());
}

TEST_CASE("Lists of numbers may be packed", "[onnx]") {
  std::vector<std::int64_t> integers;
  const std::string packed = proto::bytes(1, proto::varint(1) + proto::varint(300));
  const std::string single = proto::integer(1, 7);
  first(packed).append_integers(integers);
  first(single).append_integers(integers);
  CHECK(integers == std::vector<std::int64_t>{1, 300, 7});
  std::vector<float> floats;
  const std::string two = proto::bytes(1, proto::raw({1.0F, 2.0F}));
  const std::string one = proto::number(1, 3);
  first(two).append_floats(floats);
  first(one).append_floats(floats);
  CHECK(floats == std::vector<float>{1, 2, 3});
}

TEST_CASE("Invalid protobuf messages are errors", "[onnx][hostile]") {
  CHECK_THROWS_WITH(read_all("\x0a\x05"
                             "ab"),
                    ContainsSubstring("5 bytes were expected, 2 are left"));
  CHECK_THROWS_WITH(read_all("\x08\x80"), ContainsSubstring("ends within a number"));
  CHECK_THROWS_WITH(read_all("\x08" + std::string(9, '\xff') + "\x02"), ContainsSubstring("64 bits"));
  CHECK_THROWS_WITH(read_all("\x08" + std::string(10, '\x80') + "\x01"), ContainsSubstring("64 bits"));
  CHECK_THROWS_WITH(read_all("\x0b"), ContainsSubstring("wire type 3"));
  CHECK_THROWS_WITH(read_all("\x02"), ContainsSubstring("the number 0"));
  CHECK_THROWS_WITH(read_all("\x0d\x01"), ContainsSubstring("4 bytes were expected"));
  CHECK_THROWS_WITH(read_all("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                    ContainsSubstring("ends within"));
  const std::string word = proto::integer(1, std::int64_t{1} << 40);
  CHECK_THROWS_WITH(first(word).int32(), ContainsSubstring("not a 32-bit integer"));
  CHECK_THROWS_WITH(first(word).bytes(), ContainsSubstring("wire type 0, 2 was expected"));
  std::vector<float> floats;
  const std::string odd = proto::bytes(1, "abcde");
  CHECK_THROWS_WITH(first(odd).append_floats(floats), ContainsSubstring("takes 5 bytes"));
}
