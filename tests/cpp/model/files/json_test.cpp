#include "model/files/json.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "core/error.h"
#include "core/text.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

double number(const std::string& text) { return Json::parse(text, "test").number(); }
std::string string(const std::string& text) { return Json::parse('"' + text + '"', "test").string(); }
void refuses(const std::string& json, std::size_t byte) {
  INFO(json);
  CHECK_THROWS_MATCHES(Json::parse(json, "test"), Error,
                       Message(text("test is not valid JSON: error at byte ", byte)));
}

}  // namespace

TEST_CASE("Numbers of JSON are the doubles that JavaScript reads", "[model][json]") {
  CHECK(number("0") == 0);
  CHECK(std::signbit(number("-0")));
  CHECK(number("-12.5e1") == -125);
  CHECK(number("0.1") == 0.1);
  CHECK(number("0.003921568859368563") == 0.003921568859368563);
  CHECK(number("-1.6180339887498948e-7") == -1.6180339887498948e-7);
  CHECK(number("9007199254740993") == 9007199254740992.0);
  CHECK(number("9007199254740993.00000000000000000001") == 9007199254740992.0);
  CHECK(number("123456789012345678901234567890") == 123456789012345678901234567890.0);
  CHECK(number("8.98846567431158e307") == 8.98846567431158e307);
  CHECK(number("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(number("2.2250738585072014e-308") == std::numeric_limits<double>::min());
  CHECK(number("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(number("1e-400") == 0);
  CHECK(number("1e-99999999999999999999") == 0);
  CHECK(number("0e99999999999999999999") == 0);
  CHECK(number("0." + std::string(400, '0') + "1e401") == 1);
  CHECK(number("6.02214076E+23") == 6.02214076E+23);
  // Several mantissas with all exponents, compared with the standard library.
  for (int e = -300; e <= 300; ++e) {
    for (const char* digits : {"1", "9.999999999999999", "3.1415926535897931", "7.2057594037927933"}) {
      const std::string written = text(digits, "e", e);
      INFO(written);
      CHECK(number(written) == std::stod(written));
    }
  }
}

TEST_CASE("Strings of JSON are UTF-8, escaped or not", "[model][json]") {
  CHECK(string("a\\\"\\\\\\/\\b\\f\\n\\r\\tz") == "a\"\\/\b\f\n\r\tz");
  CHECK(string("\\u0041\\u00e9\\u20AC\\ud83d\\ude00") == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(string("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(string("\\u0000") == std::string(1, '\0'));
  for (const char* bad : {"\\u12g4", "\\x", "\\ud800", "\\ud800\\u0041", "\\udc00", "\n", "\xC0\x80", "\x80",
                          "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xF8\x88\x80\x80\x80"}) {
    INFO(bad);
    CHECK_THROWS_AS(string(bad), Error);
  }
  CHECK_THROWS_AS(Json::parse(std::string("\"\0\"", 3), "test"), Error);
}

TEST_CASE("What is no JSON is refused where it goes wrong", "[model][json]") {
  refuses("", 1);
  refuses(" ", 2);
  refuses("[1,]", 4);
  refuses("{\"a\":1,}", 8);
  refuses("{\"a\" 1}", 6);
  refuses("{a:1}", 2);
  refuses("[1 2]", 4);
  refuses("1 2", 3);
  refuses("nul", 1);
  refuses("tru", 1);
  refuses("\"abc", 5);
  refuses("[1", 3);
  refuses("-", 2);
  refuses("1.", 3);
  refuses(".5", 1);
  refuses("+1", 1);
  refuses("1e", 3);
  CHECK_THROWS_AS(number("01"), Error);
  CHECK_THROWS_AS(number("1e309"), Error);
  CHECK_THROWS_AS(number("NaN"), Error);
}

TEST_CASE("Objects keep their keys in order", "[model][json]") {
  const Json json = Json::parse("\xEF\xBB\xBF { \"b\" : [ ] , \"a\" : { } , \"b\" : 2 }\r\n", "test");
  CHECK(json.keys() == std::vector<std::string>{"b", "a", "b"});
  CHECK(json.find("b")->number() == 2);
  CHECK(json.items()[0].is_array());
}

}  // namespace tenure
