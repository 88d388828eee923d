#include "webgpu/shader/wgsl.h"

#include "catch.h"
#include "core/text.h"
#include "webgpu/elementwise/cast.wgsl.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/functions.h"

namespace tenure::webgpu {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("Minified WGSL keeps what separates tokens", "[webgpu][wgsl]") {
  CHECK("@compute @workgroup_size(64)\nfn main() { }"_wgsl == "@compute @workgroup_size(64)fn main(){}");
  CHECK("let a : vec4<f32> = b - -c; // why"_wgsl == "let a:vec4<f32>=b- -c;");
}

TEST_CASE("A .wgsl file is a minified constant", "[webgpu][wgsl]") {
  CHECK(wgsl::kCast.find("//") == std::string_view::npos);
  CHECK(count(wgsl::kCast, "fn is_nonzero(x:V)->vec4<bool>{") == 1);
}

TEST_CASE("Functions that a source calls are declared once, before those that call them", "[webgpu][wgsl]") {
  const std::string found = functions_for("fn run(i:i32){out[i]=tanh_(exp_(x[i]));}");
  CHECK(count(found, "fn tanh_(") == 1);
  CHECK(count(found, "fn exp_(") == 1);
  CHECK(count(found, "fn is_nan_(") == 1);
  CHECK(found.find("fn is_nan_(") < found.find("fn exp_("));
  CHECK(found.find("fn exp_(") < found.find("fn tanh_("));
  CHECK(functions_for("fn run(i:i32){out[i]=log(x[i]);}").empty());
  CHECK(functions_for(text(kIntAliases, "fn f(a:V)->V{return floor_(a);}")).find("return x;") !=
        std::string::npos);
}

TEST_CASE("Functions of an expression have names of their own in WGSL", "[webgpu][wgsl]") {
  CHECK(to_wgsl({"select(gt(x,V(0)),1.0f/x,V(p.alpha))", "", 0}) == "select_(gt_(x,V(0)),1.0f/x,V(p.alpha))");
  CHECK(to_wgsl({"eq(abs(x),V(kInfinity))", "", 0}) == "eq_(abs_(x),V(infinity_()))");
}

}  // namespace tenure::webgpu
