#include "gl/device/context.h"
#include "gl/matmul/matmul_conv.h"
#include "gl/matmul/matmul_conv_tile.h"

namespace tenure::gl {
namespace {

constexpr int kRows = 4;
constexpr int kGroups = 4;

// A vertex that computes kRows rows of kGroups column texels, from a filter in its original layout.
// make_source() replaces BEGIN, READ, ADD and END.
constexpr std::string_view kSource = R"(
  uniform int rows, columns, depth;

  void vertex(int v) {
    int quads = columns >> 2,
        q = idiv(v, quads),
        g = (v - q * quads) * 4,
        r = q * 4;
    float df = intBitsToFloat(f_.z);
    mat4 m;
    BEGIN
    for (int k = 0; k < depth; ++k) {
      READ
      ADD
    }
    END
  }
)"_glsl;

// Four channels of the columns of group $
constexpr std::string_view kFilter = R"(
  m = mat4(textureLod(f, vec2(b0.x + $. * df, b0.y), 0.), textureLod(f, vec2(b1.x + $. * df, b1.y), 0.),
           textureLod(f, vec2(b2.x + $. * df, b2.y), 0.), textureLod(f, vec2(b3.x + $. * df, b3.y), 0.));
)"_glsl;

std::string make_source() {
  std::string begin;
  std::string read;
  std::string add;
  std::string end;
  for (int r = 0; r < kRows; ++r) {
    begin += substitute("int p$ = min(r + $, rows - 1) * depth;"_glsl, {{"$", r}});
    read += substitute("vec4 v$ = x4(p$ + k); vec2 b$ = f_at((k * 4 + $) * columns + g);"_glsl, {{"$", r}});
  }
  for (int g = 0; g < kGroups; ++g) {
    begin += substitute("vec4 start$ = START(g + $);"_glsl, {{"$", g}});
    add += substitute(kFilter, {{"$", g}});
    for (int r = 0; r < kRows; ++r) {
      const auto in_row = [&](std::string_view source) {
        return substitute(source, {{"$", r * kGroups + g}, {"GROUP", g}, {"ROW", r}});
      };
      begin += in_row("vec4 s$ = startGROUP;"_glsl);
      add += in_row("s$ += m * vROW;"_glsl);
      end += in_row("t$ = s$;"_glsl);
    }
  }
  return substitute(kSource, {{"BEGIN", begin}, {"READ", read}, {"ADD", add}, {"END", end}});
}

constexpr std::string_view kScatterSource = R"(
  uniform int columns;

  T4 texel(int i) {
    int r = idiv(i, columns), c = i - r * columns;
    return FINISH(x4((((r >> 2) * (columns >> 2) + (c >> 2)) << 4) + ((r & 3) << 2) + (c & 3)));
  }
)"_glsl;

}  // namespace

bool can_use_small_m(const MatmulConv& p) {
  // With more rows, packing the filter for run_tiled() pays off. If it is packed already, a full tile
  // suffices.
  const int max_rows = p.packed ? kTileM - 1 : 6 * kTileM;
  constexpr double kMinMultiplyAdds = 1 << 16;
  const double products = static_cast<double>(p.rows()) * p.g.in_channels * p.columns();
  const bool as_they_lie = p.pointwise() && !p.transpose_x && !p.transpose_filter && !p.batch;
  // Four consecutive column texels are in one row of a texture, whose width is a power of two.
  return context().tuning().vertex_tiles && p.out.dtype() == DType::kFloat32 && p.g.groups == 1 &&
         as_they_lie && p.rows() > 1 && p.rows() <= max_rows && p.g.in_channels % 4 == 0 &&
         p.columns() % 16 == 0 && products >= kMinMultiplyAdds;
}

void run_small_m(const MatmulConv& p) {
  static const std::string kVertexSource = make_source();
  const int columns = p.columns() / 4;
  const int rows = (p.rows() + kRows - 1) / kRows * kRows;
  Tensor tiles = Tensor::deferred({Shape({rows, p.columns()}), DType::kFloat32});
  Pass pass("product_rows");
  pass.input("x", p.x)
      .input("f", p.filter)
      .set("rows", p.rows())
      .set("columns", columns)
      .set("depth", p.g.in_channels / 4);
  add_start(pass, p.bias);
  pass.vertices(tiles, kRows * kGroups, {kVertexSource});
  Pass scatter_tiles(program_name("product_rows_untile", p));
  scatter_tiles.input("x", tiles).set("columns", columns);
  add_finish(scatter_tiles, p);
  scatter_tiles.texels(p.out, {epilogue_source(p), kFinishSource, kScatterSource});
}

}  // namespace tenure::gl
