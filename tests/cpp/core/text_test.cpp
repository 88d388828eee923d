#include "core/text.h"

#include <limits>

#include "catch.h"

using namespace tenure;

TEST_CASE("numbers are written as JavaScript writes them", "[core][text]") {
  const auto [number, expected] = GENERATE(table<double, std::string>({
      {0, "0"},
      {1, "1"},
      {-2.5, "-2.5"},
      {0.1, "0.1"},
      {123456789, "123456789"},
      {1234567890, "1234567890"},
      {0.000125, "0.000125"},
      {1.0 / 3, "0.333333333"},
      {9.9999999999, "10"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {-1.5e-9, "-1.5e-9"},
      {3.4028234663852886e38, "3.40282347e+38"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  }));
  CHECK(text(number) == expected);
}

TEST_CASE("parts of many kinds are joined", "[core][text]") {
  CHECK(text("a", std::string("b"), 3, true, std::size_t{4}, 0.5F) == "ab3true40.5");
}
