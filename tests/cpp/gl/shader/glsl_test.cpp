#include "gl/shader/glsl.h"

#include <string>

#include "catch.h"

namespace tenure::gl {
namespace {

// A wrong literal does not compile, and its text is known without a run.
static_assert("float f( float x )\n{\n  return x ; \n}"_glsl == "float f(float x){return x;}");

}  // namespace

TEST_CASE("Minified GLSL has no comments and no spaces around operators", "[gl][glsl]") {
  CHECK("int a = b + 1;  // the next\nc = a;"_glsl == "int a=b+1;c=a;");
  CHECK("a /* b\n c */ = /**/ d;"_glsl == "a=d;");
  CHECK("x = a / b;"_glsl == "x=a/b;");
  CHECK("return/* nothing */x;"_glsl == "return x;");
  CHECK("//"_glsl.empty());
  CHECK(" \t\n"_glsl.empty());
  CHECK(""_glsl.empty());
}

TEST_CASE("Minified GLSL keeps tokens apart", "[gl][glsl]") {
  CHECK("uniform\n\tint  a ;"_glsl == "uniform int a;");
  CHECK("a - -b; a + +b; a - +b; a - --b; a++ + b"_glsl == "a- -b;a+ +b;a-+b;a- --b;a++ +b");
  CHECK("return .5 * x; return -x; return (x);"_glsl == "return .5*x;return-x;return(x);");
  CHECK("1. * x + .5"_glsl == "1.*x+.5");
  CHECK("case 1 : else return"_glsl == "case 1:else return");
  CHECK("a ? .5 : 1. ; b [ 2 ] .x"_glsl == "a?.5:1.;b[2].x");
  CHECK("vec4 v$ = s@ ; int $ ;"_glsl == "vec4 v$=s@;int $;");
}

TEST_CASE("Minified GLSL keeps preprocessor lines", "[gl][glsl]") {
  CHECK("a;\n  #if  WHOLE && (B == 1)  // why\n  b;\n  #else\n  c;\n  #endif\n  d;"_glsl ==
        "a;\n#if WHOLE&&(B==1)\nb;\n#else\nc;\n#endif\nd;");
  CHECK("\n#version 300 es\n\nvoid main() {}\n"_glsl == "#version 300 es\nvoid main(){}\n");
  CHECK("# ifdef A\n# endif"_glsl == "#ifdef A\n#endif");
  CHECK("#if !A\n#elif -1 < B\n#endif"_glsl == "#if !A\n#elif -1<B\n#endif");
  CHECK("a; /* one\n line */ b;\n/* another */ #define C\n"_glsl == "a;b;\n#define C\n");
}

TEST_CASE("Minified GLSL keeps the space that ends a macro's name or parameters", "[gl][glsl]") {
  CHECK("#define A (x)\nA"_glsl == "#define A (x)\nA");
  CHECK("#define A(x) (x)\n"_glsl == "#define A(x) (x)\n");
  CHECK("#define A( x, y )  x + y\n"_glsl == "#define A(x,y) x+y\n");
  CHECK("#define A -1\n#define B\n#define C .5"_glsl == "#define A -1\n#define B\n#define C .5");
  CHECK("#define A /* none */\nb"_glsl == "#define A\nb");
  CHECK("#define A(x)  \\\n  {           \\\n    x;        \\\n  }\nA(b)"_glsl == "#define A(x) {x;}\nA(b)");
  CHECK("#define LONG a\\\nb"_glsl == "#define LONG ab");
}

TEST_CASE("Minified GLSL ends with a line break after an empty last line", "[gl][glsl]") {
  CHECK("a;\n"_glsl == "a;\n");
  CHECK("a;\n  "_glsl == "a;\n");
  CHECK("a;\n// the end\n"_glsl == "a;\n");
  CHECK("a;"_glsl == "a;");
  CHECK("#endif"_glsl == "#endif");
  CHECK(R"(
    a;
    #endif
  )"_glsl == "a;\n#endif\n");
}

TEST_CASE("Minified GLSL is as long as its text", "[gl][glsl]") {
  CHECK(sizeof(MinifiedShader<"a  ;\n\n\n">::kText) == 3);
  CHECK(std::string("a  ;"_glsl) + "b" == "a;b");
}

TEST_CASE("Placeholders are replaced one after another", "[gl][glsl]") {
  CHECK(substitute("v$ = s$ + s@;"_glsl, {{"$", 1}, {"@", 1 + 8}}) == "v1=s1+s9;");
  CHECK(substitute("BODY", {{"BODY", "return NAME;"}, {"NAME", std::string("x")}}) == "return x;");
  CHECK(substitute("aa", {{"a", "aa"}}) == "aaaa");
  CHECK(substitute("a", {{"b", "c"}}) == "a");
}

}  // namespace tenure::gl
