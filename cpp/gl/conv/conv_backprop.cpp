#include "core/text.h"
#include "gl/device/context.h"
#include "gl/kernels.h"
#include "gl/matmul/matmul_conv_layout.h"
#include "gl/matmul/matmul_conv_tile.h"
#include "shape_util/split_k.h"

namespace tenure::gl {
namespace {

// A vertex that accumulates, for a chunk of the output's pixels, the outer products of eight (tap, channel)
// inputs with eight columns of dy. WHOLE: four channels of a tap are one texel. COLUMNS_WHOLE: four columns
// are one texel. make_source() replaces the other names in capitals.
constexpr std::string_view kSource = R"(
  uniform int rows, columns, channels, tiles, pairs, pixels, share;

  ivec2 tap_of(int unit, out int c) {
    int tap = unit / channels, y = tap / window.x;
    c = unit - tap * channels;
    return ivec2(tap - y * window.x, y) * window.zw;
  }

  UNIT seen(ivec2 at, int n, int c) { return inside(at) ? READ_UNIT(pixel(at, n) * channels + c) : NOTHING; }

  vec4 slopes(int p, int g) {
  #if COLUMNS_WHOLE
    return dy4(p * columns + min(g, columns - 1));
  #else
    ivec4 e = p * columns + min(g * 4 + ivec4(0, 1, 2, 3), ivec4(columns - 1));
    return vec4(dy1(e.x), dy1(e.y), dy1(e.z), dy1(e.w));
  #endif
  }

  void vertex(int v) {
    int q = v / pairs,
        g = (v - q * pairs) * 2,
        chunk = q / tiles,
        tile = q - chunk * tiles,
        end = min((chunk + 1) * share, pixels);
    BEGIN
    for (int p = chunk * share; p < end; ++p) {
      ivec3 corner = window_origin(p);
      vec4 d0 = slopes(p, g), d1 = slopes(p, g + 1);
      READ
      ADD
    }
    END
  }
)"_glsl;

std::string make_source(bool whole) {
  const int units = whole ? kTileM / 4 : kTileM;
  std::string begin;
  std::string read;
  std::string add;
  std::string end;
  for (int u = 0; u < units; ++u) {
    begin += substitute("int c$; ivec2 tap$ = tap_of(min(tile * UNITS + $, rows - 1), c$);"_glsl,
                        {{"UNITS", units}, {"$", u}});
    read += substitute("UNIT v$ = seen(corner.xy + tap$, corner.z, c$);"_glsl, {{"$", u}});
  }
  for (int r = 0; r < kTileM; ++r) {
    constexpr std::string_view kLanes = "xyzw";
    const std::string value = whole ? text("v", r / 4, ".", kLanes.substr(r % 4, 1)) : text("v", r);
    const auto in_row = [&](std::string_view source) {
      return substitute(source, {{"$", r}, {"@", r + kTileM}, {"VALUE", value}});
    };
    begin += in_row("vec4 s$ = vec4(0), s@ = vec4(0);"_glsl);
    add += in_row("s$ += VALUE * d0; s@ += VALUE * d1;"_glsl);
    end += in_row("t$ = s$; t@ = s@;"_glsl);
  }
  return substitute(kSource, {{"READ_UNIT", whole ? "x4" : "x1"},
                              {"NOTHING", whole ? "vec4(0)" : "0."},
                              {"BEGIN", begin},
                              {"READ", read},
                              {"ADD", add},
                              {"END", end},
                              {"UNIT", whole ? "vec4" : "float"}});
}

}  // namespace

void conv2d_backprop_filter(const KernelArgs& args) {
  static const std::string kSources[] = {make_source(false), make_source(true)};
  const Tensor& dy = args.in[1];
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const int pixels = g.batch * g.h.out * g.w.out;
  const int rows = g.h.window * g.w.window * g.in_channels;
  const MatmulConv product = {.x = args.in[0],
                              .filter = dy,
                              .bias = nullptr,
                              .out = args.out,
                              .g = matrix_geometry(rows, pixels, g.out_channels)};
  const Tiling t(product);
  const int pairs = t.groups / 2;
  constexpr std::size_t kElements = std::size_t{kTileTexels} * 4;
  const auto elements = static_cast<std::size_t>(t.tiles) * static_cast<std::size_t>(pairs) * kElements;
  if (pixels == 0 || elements > Pass::kMaxVertexElements)
    return fall_back_to_cpu(Op::conv2d_backprop_filter, args);
  const SplitK chunks(pixels, elements / kElements, context().tuning().busy_vertices);
  const bool whole = g.in_channels % 4 == 0;
  const bool columns_whole = g.out_channels % 4 == 0;

  Tensor tiles = Tensor::deferred({{chunks.count, t.tiles, pairs, kTileTexels * 4}, DType::kFloat32});
  Pass pass("conv2d_backprop_filter");
  pass.variant("WHOLE", whole)
      .variant("COLUMNS_WHOLE", columns_whole)
      .input("x", args.in[0])
      .input("dy", dy)
      .set("rows", rows / (whole ? 4 : 1))
      .set("columns", g.out_channels / (columns_whole ? 4 : 1))
      .set("channels", g.in_channels / (whole ? 4 : 1))
      .set("tiles", t.tiles)
      .set("pairs", pairs)
      .set("pixels", pixels)
      .set("share", chunks.share);
  add_window(pass, g);
  pass.vertices(tiles, kTileTexels, {kWindowSource, kSources[whole]});
  if (chunks.count > 1) {
    Tensor total = Tensor::deferred({{t.tiles, pairs, kTileTexels * 4}, DType::kFloat32});
    sum({{&tiles}, AttrsView(ReduceAttrs{.axes = {0}}), total});
    tiles = total;
  }
  scatter_tiles(product, t, tiles);
}

}  // namespace tenure::gl
