#include <algorithm>

#include "gl/device/context.h"
#include "gl/matmul/matmul_conv_layout.h"
#include "gl/matmul/matmul_conv_tile.h"
#include "gl/shader/layout.h"

namespace tenure::gl {
namespace {

// Copies tiles to rows. WHOLE: a row's columns fill whole texels.
constexpr std::string_view kScatterSource = R"(
  uniform int columns;
  #if BATCHED
  uniform int rows, tiles;
  #endif

  int place(int r, int g) {
  #if BATCHED
    int b = idiv(r, rows);
    r -= b * rows;
    return place(b * tiles + (r >> 3), r, g);
  #else
    return place(r >> 3, r, g);
  #endif
  }

  #if WHOLE
  T4 texel(int i) {
    int r = idiv(i, columns);
    return FINISH(x4(place(r, i - r * columns)));
  }
  #else
  T element(int e) {
    int r = idiv(e, columns), c = e - r * columns;
    return FINISH1(x1((place(r, c >> 2) << 2) + (c & 3)));
  }
  #endif
)"_glsl;

// Number of consecutive texels that a tile can read by incrementing coordinates: a power of two that divides
// the length of all rows, so that no run crosses the end of a texture row.
int run_length(const Tensor& x, const Tensor& filter, int depth) {
  return std::min({depth & -depth, Layout(x.elements()).width, Layout(filter.elements()).width / 4});
}

/// Computes the tiles; `x` is the input in whole texels.
Tensor sum_tiles(const MatmulConv& p, const Tiling& t, const Tensor& x, const Tensor& filter) {
  const int run = run_length(x, filter, t.depth);
  const int steps = p.taps() * t.depth / run;
  const bool padded = p.g.h.overhangs() || p.g.w.overhangs();
  Tensor tiles = Tensor::deferred({{t.products * t.tiles, t.groups / 2, kTileTexels * 4}, DType::kFloat32});
  Pass pass("product_tile");
  pass.variant("WINDOW", !p.pointwise())
      .variant("PADDED", padded)
      .variant("BATCHED", p.batch != nullptr)
      .variant("UNROLLED", run > 1)
      .input("x", x)
      .input("f", filter)
      .set("rows", p.rows())
      .set("pairs", t.groups / 2)
      .set("depth", t.depth)
      .set("run", run)
      .set("steps", steps);
  if (!p.pointwise()) {
    pass.set("blocks", t.depth / run);
    add_window(pass, p.g);
  }
  if (p.batch) {
    pass.set("tiles", t.tiles)
        .set("x_matrix", p.rows() * t.depth)
        .set("f_matrix", t.groups * p.taps() * t.depth * 4);
    add_batch(pass, *p.batch);
  }
  add_start(pass, p.bias);
  const std::string_view window = p.pointwise() ? "" : kWindowSource;
  pass.vertices(tiles, kTileTexels, {window, tile_source()});
  return tiles;
}

}  // namespace

void scatter_tiles(const MatmulConv& p, const Tiling& t, const Tensor& tiles) {
  const bool whole = p.columns() % 4 == 0;
  Pass pass(program_name("product_untile", p));
  pass.variant("WHOLE", whole)
      .variant("BATCHED", p.batch != nullptr)
      .input("x", tiles)
      .set("columns", whole ? p.columns() / 4 : p.columns())
      .set("pairs", t.groups / 2);
  if (p.batch) pass.set("rows", p.rows()).set("tiles", t.tiles);
  add_finish(pass, p);
  const auto source = {epilogue_source(p), kFinishSource, kTilePlaceSource, kScatterSource};
  whole ? pass.texels(p.out, source) : pass.elements(p.out, source);
}

bool can_use_tiles(const MatmulConv& p) {
  // Tiles fetch fewer texels, but use fewer vertices than there would be fragments.
  if (!context().tuning().vertex_tiles) return false;
  if (p.out.dtype() != DType::kFloat32 || p.g.groups > 1 || p.rows() < kTileM) return false;
  if (p.out.elements() > Pass::kMaxVertexElements) return false;
  const int depth = p.g.in_channels;
  const double products = static_cast<double>(p.out.elements()) * p.taps() * depth;
  const bool in_texels = depth % 4 == 0 && p.columns() % 4 == 0 && !p.transpose_x;
  constexpr double kMinMultiplyAdds = 1 << 16;
  return p.taps() * depth >= 8 && products * (in_texels ? 1 : 8) >= kMinMultiplyAdds;
}

Tensor sum_tiles(const MatmulConv& p, const Tensor& filter) {
  const Tiling t(p);
  return sum_tiles(p, t, in_texels(p, t), filter);
}

void run_tiled(const MatmulConv& p) {
  const bool unfolds = can_unfold(p);
  const MatmulConv product = unfolds ? unfolded(p) : p;
  const Tiling t(product);
  const Tensor x = unfolds ? unfold(p, t) : in_texels(p, t);
  scatter_tiles(product, t, sum_tiles(product, t, x, packed_filter(product, t)));
}

}  // namespace tenure::gl
