#include <algorithm>
#include <functional>

#include "gl/context.h"
#include "gl/layout.h"
#include "gl/product.h"
#include "gl/product_tile.h"

namespace tenure::gl {
namespace {

constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

/// How many matrices of `elements` elements a tensor holds.
int matrices_in(const Tensor& tensor, int elements) {
  return static_cast<int>(tensor.elements() / static_cast<std::size_t>(elements));
}

/// The product's sizes as the tiles see them: channels and columns in texels, both rounded up.
struct Tiling {
  explicit Tiling(const Product& p)
      : depth(rounded_up(p.g.in_channels, 4) / 4),
        groups(rounded_up(p.columns(), 8) / 4),
        tiles(rounded_up(p.rows(), kTileRows) / kTileRows),
        products(p.batch ? matrices_in(p.out, p.rows() * p.columns()) : 1) {}
  int depth;
  int groups;
  int tiles;
  int products;
};

Tensor deferred(std::initializer_list<int> shape) {
  return Tensor::deferred({Shape(shape), DType::kFloat32});
}

// A pixel's channels as whole texels.
constexpr std::string_view kStageSource =
    "uniform int rows,texels,depth,x_pixel,x_step,x_matrix;\n"
    "T4 texel(int i){int r=i/texels,k=(i-r*texels)*4,b=r/rows;"
    "int at=b*x_matrix+(r-b*rows)*x_pixel+k*x_step;"
    "vec4 v=vec4(x1(at),x1(at+x_step),x1(at+2*x_step),x1(at+3*x_step));"
    "return mix(vec4(0),v,lessThan(ivec4(k,k+1,k+2,k+3),ivec4(depth)));}\n";

Tensor stage(const Product& p, const Tiling& t) {
  const int depth = p.g.in_channels;
  const int pixels = matrices_in(p.x, depth);
  Tensor staged = deferred({pixels, t.depth * 4});
  const int rows = p.transpose_x ? p.rows() : pixels;
  Pass("product_stage")
      .input("x", p.x)
      .set("rows", rows)
      .set("texels", t.depth)
      .set("depth", depth)
      .set("x_pixel", p.transpose_x ? 1 : depth)
      .set("x_step", p.transpose_x ? rows : 1)
      .set("x_matrix", rows * depth)
      .texels(staged, kStageSource);
  return staged;
}

// For four columns at a time, the filter's texels in the order in which a tile needs them. F4: they are
// texels of the filter. Zeros stand where the depth is rounded up.
constexpr std::string_view kPackSource =
    "uniform int groups,taps,texels,depth,f_row,f_column,f_tap,f_matrix;\n"
    "T4 texel(int i){int g=i/texels,k=i-g*texels,at=k*f_row;\n"
    "#if TAPS\nint q=g;g=q/taps;at+=(q-g*taps)*f_tap;\n#endif\n"
    "#if BATCHED\nint b=g/groups;g-=b*groups;at+=b*f_matrix;\n#endif\n"
    "at+=g*f_column;\n"
    "#if F4\nvec4 v=f4(at);\n"
    "#else\nat+=3*g*f_column;"
    "vec4 v=vec4(f1(at),f1(at+f_column),f1(at+2*f_column),f1(at+3*f_column));\n#endif\n"
    "return k<depth?v:vec4(0);}\n";

Tensor pack(const Product& p, const Tiling& t) {
  const int depth = p.g.in_channels;
  const int columns = p.columns();
  const int matrices = matrices_in(p.filter, p.taps() * depth * columns);
  const bool whole = columns % 4 == 0 && !p.transpose_filter;
  const int unit = whole ? 4 : 1;
  Tensor packed = deferred({matrices, t.groups, p.taps(), t.depth * 4, 4});
  Pass("product_pack")
      .variant("F4", whole)
      .variant("TAPS", p.taps() > 1)
      .variant("BATCHED", matrices > 1)
      .input("f", p.filter)
      .set("groups", t.groups)
      .set("taps", p.taps())
      .set("texels", t.depth * 4)
      .set("depth", depth)
      .set("f_row", p.transpose_filter ? 1 : columns / unit)
      .set("f_column", p.transpose_filter ? depth : 1)
      .set("f_tap", depth * columns / unit)
      .set("f_matrix", p.taps() * depth * columns / unit)
      .texels(packed, kPackSource);
  return packed;
}

// From tiles to rows. WHOLE: a row's columns are whole texels.
constexpr std::string_view kUntileSource =
    "uniform int columns;\n"
    "#if BATCHED\nuniform int rows,tiles;\n#endif\n"
    "int place(int r,int g){\n"
    "#if BATCHED\nint b=r/rows;r-=b*rows;return place(b*tiles+(r>>3),r,g);\n"
    "#else\nreturn place(r>>3,r,g);\n#endif\n}\n"
    "#if WHOLE\n"
    "T4 texel(int i){int r=i/columns;return FINISH(x4(place(r,i-r*columns)));}\n"
    "#else\n"
    "T element(int e){int r=e/columns,c=e-r*columns;return FINISH1(x1((place(r,c>>2)<<2)+(c&3)));}\n"
    "#endif\n";

void untile(const Product& p, const Tiling& t, const Tensor& tiles) {
  const bool whole = p.columns() % 4 == 0;
  Pass pass("product_untile");
  pass.variant("WHOLE", whole)
      .variant("BATCHED", p.batch != nullptr)
      .input("x", tiles)
      .set("columns", whole ? p.columns() / 4 : p.columns())
      .set("pairs", t.groups / 2);
  if (p.batch) pass.set("rows", p.rows()).set("tiles", t.tiles);
  add_finish(pass, p.activation, p.alpha);
  const auto source = {kFinishSource, kTilePlaceSource, kUntileSource};
  whole ? pass.texels(p.out, source) : pass.elements(p.out, source);
}

// Texels in a row that a tile may step through without looking where they lie: a power of two that divides
// all rows' lengths, so that no run crosses the end of a texture's row.
int run_length(const Tensor& x, const Tensor& filter, int depth) {
  return std::min({depth & -depth, Layout(x.elements()).width, Layout(filter.elements()).width / 4});
}

bool is_lost(const Tensor& tensor) {
  const DeviceMemory* memory = tensor.storage()->device();
  return !memory || memory->lost();
}

}  // namespace

bool suits_tiles(const Product& p) {
  // A rasterizer on the CPU pays for each fetch, of which tiles need few. GPUs hide what a fetch costs, and
  // have not been measured.
  if (!context().abilities().software) return false;
  if (p.out.dtype() != DType::kFloat32 || p.g.groups > 1 || p.rows() < kTileRows) return false;
  // Tiles, the buffer that catches them and the output are in memory at the same time.
  constexpr std::size_t kMostElements = 1 << 25;
  if (p.out.elements() > kMostElements) return false;
  const int depth = p.g.in_channels;
  const double products = static_cast<double>(p.out.elements()) * p.taps() * depth;
  const bool in_texels = depth % 4 == 0 && p.columns() % 4 == 0 && !p.transpose_x;
  constexpr double kLeastProducts = 1 << 16;
  return p.taps() * depth >= 8 && products * (in_texels ? 1 : 8) >= kLeastProducts;
}

Tensor sum_tiles(const Product& p, const Tensor& filter) {
  const Tiling t(p);
  const bool by_texels = p.g.in_channels % 4 == 0 && !p.transpose_x;
  const Tensor x = by_texels ? p.x : stage(p, t);
  const int run = run_length(x, filter, t.depth);
  const int steps = p.taps() * t.depth / run;
  const auto hangs_over = [](const WindowAxis& axis) { return axis.pad_before > 0 || axis.pad_after > 0; };
  const bool padded = hangs_over(p.g.h) || hangs_over(p.g.w);
  Tensor tiles = deferred({t.products * t.tiles, t.groups / 2, kTileTexels * 4});
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

const Tensor& keep_packed(Tensor& packed, const Tensor& filter, const std::function<Tensor()>& pack) {
  if (packed && !is_lost(packed)) return packed;
  const bool was_there = filter.storage()->device() != nullptr;
  packed = pack();
  // The filter itself need not stay there too.
  if (!was_there && filter.storage()->on_cpu()) filter.storage()->set_copy(nullptr);
  return packed;
}

void run_tiled(const Product& p) {
  const Tiling t(p);
  Tensor fresh;
  Tensor& packed = p.packed ? *p.packed : fresh;
  untile(p, t, sum_tiles(p, keep_packed(packed, p.filter, [&] { return pack(p, t); })));
}

}  // namespace tenure::gl
