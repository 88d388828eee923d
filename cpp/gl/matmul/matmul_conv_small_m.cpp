#include "core/text.h"
#include "gl/device/context.h"
#include "gl/matmul/matmul_conv.h"
#include "gl/matmul/matmul_conv_tile.h"

namespace tenure::gl {
namespace {

constexpr int kRows = 4;
constexpr int kGroups = 4;

/// Generates the GLSL of a vertex that computes four rows of four column texels, from a filter in its
/// original layout.
std::string make_source() {
  std::string begin;
  std::string read;
  std::string add;
  std::string end;
  for (int r = 0; r < kRows; ++r) {
    begin += text("int p", r, "=min(r+", r, ",rows-1)*depth;");
    read += text("vec4 v", r, "=x4(p", r, "+k);vec2 b", r, "=f_at((k*4+", r, ")*columns+g);");
  }
  for (int g = 0; g < kGroups; ++g) {
    begin += text("vec4 start", g, "=START(g+", g, ");");
    add += "m=mat4(";
    for (int j = 0; j < 4; ++j) {
      add += text(j ? "," : "", "textureLod(f,vec2(b", j, ".x+", g, ".*df,b", j, ".y),0.)");
    }
    add += ");";
    for (int r = 0; r < kRows; ++r) {
      const int i = r * kGroups + g;
      begin += text("vec4 s", i, "=start", g, ";");
      add += text("s", i, "+=m*v", r, ";");
      end += text("t", i, "=s", i, ";");
    }
  }
  return text(
      "uniform int rows,columns,depth;\n"
      "void vertex(int v){int quads=columns>>2,q=idiv(v,quads),g=(v-q*quads)*4,r=q*4;"
      "float df=intBitsToFloat(f_.z);mat4 m;\n",
      begin, "\nfor(int k=0;k<depth;++k){", read, "\n", add, "}\n", end, "}\n");
}

constexpr std::string_view kScatterSource =
    "uniform int columns;\n"
    "T4 texel(int i){int r=idiv(i,columns),c=i-r*columns;"
    "return FINISH(x4((((r>>2)*(columns>>2)+(c>>2))<<4)+((r&3)<<2)+(c&3)));}\n";

}  // namespace

bool can_use_small_m(const MatmulConv& p) {
  // With more rows, packing the filter for run_tiled() pays off. If it is packed already, a full tile
  // suffices.
  const int most_rows = p.packed ? kTileRows - 1 : 6 * kTileRows;
  constexpr double kMinMultiplyAdds = 1 << 16;
  const double products = static_cast<double>(p.rows()) * p.g.in_channels * p.columns();
  const bool as_they_lie = p.pointwise() && !p.transpose_x && !p.transpose_filter && !p.batch;
  // Four consecutive column texels are in one row of a texture, whose width is a power of two.
  return context().tuning().vertex_tiles && p.out.dtype() == DType::kFloat32 && p.g.groups == 1 &&
         as_they_lie && p.rows() > 1 && p.rows() <= most_rows && p.g.in_channels % 4 == 0 &&
         p.columns() % 16 == 0 && products >= kMinMultiplyAdds;
}

void run_small_m(const MatmulConv& p) {
  static const std::string kSource = make_source();
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
  pass.vertices(tiles, kRows * kGroups, {kSource});
  Pass scatter_tiles(program_name("product_rows_untile", p));
  scatter_tiles.input("x", tiles).set("columns", columns);
  add_finish(scatter_tiles, p);
  scatter_tiles.texels(p.out, {epilogue_source(p), kFinishSource, kScatterSource});
}

}  // namespace tenure::gl
