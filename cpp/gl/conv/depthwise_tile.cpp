#include "gl/conv/depthwise_tile.h"

#include "core/text.h"
#include "gl/device/context.h"
#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {
namespace {

constexpr int kTileColumns = 8;
constexpr int kMinWidth = 2;
constexpr int kMaxWidth = 5;
constexpr int kMaxStride = 2;
constexpr int kMaxDilation = 4;

// A vertex that computes kTileColumns columns of a row. make_source() replaces SUMS, WEIGHTS, COLUMNS and
// RESULTS.
constexpr std::string_view kSource = R"(
  uniform int channels, row_tiles;

  #if PADDED
  vec4 masked(int p, int m) { return intBitsToFloat(floatBitsToInt(x4(p & m)) & m); }
  #define COLUMN(i) masked(p + i * channels, row & -int(uint(at.x + i) < uint(sizes.x)))
  #else
  #define COLUMN(i) x4(p + i * channels)
  #endif

  void vertex(int v) {
    int q = idiv(v, channels),
        c = v - q * channels,
        y = idiv(q, row_tiles),
        x = (q - y * row_tiles) * 8,
        n = idiv(y, sizes.w),
        f = c;
    ivec2 at = ivec2(x, y - n * sizes.w) * slide.xy - slide.zw;
    vec4 s0 = START(c) SUMS;
    for (int tap = 0; tap < window.y; ++tap) {
      int row = -int(uint(at.y) < uint(sizes.y)), p = pixel(at, n) * channels + c;
      WEIGHTS
      COLUMNS
      at.y += window.w;
    }
    RESULTS
  }
)"_glsl;

/// Generates the GLSL for windows of `width` taps that are `dilation` apart, with stride `stride`. Each input
/// column under a tile is fetched once and added to the sums of all windows that contain it.
std::string make_source(int width, int stride, int dilation) {
  std::string sums;
  std::string weights;
  std::string columns;
  std::string results;
  for (int o = 0; o < kTileColumns; ++o) {
    if (o > 0) sums += text(",s", o, "=s0");
    results += text("t", o, "=s", o, ";");
  }
  for (int j = 0; j < width; ++j) weights += text("vec4 w", j, "=f4(f);f+=channels;");
  for (int i = 0; i <= (kTileColumns - 1) * stride + (width - 1) * dilation; ++i) {
    std::string uses;
    for (int o = 0; o < kTileColumns; ++o) {
      const int reach = i - o * stride;
      if (reach >= 0 && reach % dilation == 0 && reach / dilation < width)
        uses += text("s", o, "+=v*w", reach / dilation, ";");
    }
    if (!uses.empty()) columns += text("{vec4 v=COLUMN(", i, ");", uses, "}\n");
  }
  return substitute(kSource,
                    {{"SUMS", sums}, {"WEIGHTS", weights}, {"COLUMNS", columns}, {"RESULTS", results}});
}

const std::string& get_source(int width, int stride, int dilation) {
  static std::string sources[kMaxStride][kMaxDilation][kMaxWidth];
  std::string& source = sources[stride - 1][dilation - 1][width - 1];
  if (source.empty()) source = make_source(width, stride, dilation);
  return source;
}

// Copies tiles to pixels.
constexpr std::string_view kScatterSource = R"(
  uniform int channels, row_tiles, width;

  T4 texel(int i) {
    int r = idiv(i, channels),
        c = i - r * channels,
        y = idiv(r, width),
        x = r - y * width;
    return FINISH(s4((((y * row_tiles + (x >> 3)) * channels + c) << 3) + (x & 7)));
  }
)"_glsl;

}  // namespace

bool can_use_depthwise_tiles(const ConvGeometry& g) {
  constexpr std::size_t kMinElements = 1 << 13;
  // Tuning::vertex_tiles was measured with matmuls, which behave alike.
  return context().tuning().vertex_tiles && g.in_channels == g.out_channels && g.in_channels % 4 == 0 &&
         g.w.dilation <= kMaxDilation && g.w.window >= kMinWidth && g.w.window <= kMaxWidth &&
         g.w.stride <= kMaxStride && g.output().elements() >= kMinElements &&
         g.output().elements() <= Pass::kMaxVertexElements;
}

void run_depthwise_tiles(const KernelArgs& args, const ConvGeometry& g, const ConvAttrs& attrs) {
  const int channels = g.in_channels / 4;
  const int row_tiles = (g.w.out + kTileColumns - 1) / kTileColumns;
  Tensor tiles =
      Tensor::deferred({Shape({g.batch * g.h.out, row_tiles, channels, kTileColumns * 4}), DType::kFloat32});
  const bool padded = g.h.overhangs() || g.w.overhangs();
  Pass pass("depthwise_strip");
  pass.variant("PADDED", padded)
      .variant("WIDTH", g.w.window)
      .variant("STRIDE", g.w.stride)
      .variant("DILATION", g.w.dilation)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", channels)
      .set("row_tiles", row_tiles);
  add_window(pass, g);
  add_start(pass, args.in.has(2) ? &args.in[2] : nullptr);
  pass.vertices(tiles, kTileColumns, {kWindowSource, get_source(g.w.window, g.w.stride, g.w.dilation)});
  Pass scatter("depthwise_unstrip");
  scatter.input("s", tiles).set("channels", channels).set("row_tiles", row_tiles).set("width", g.w.out);
  add_finish(scatter, attrs.activation, attrs.alpha);
  scatter.texels(args.out, {kFinishSource, kScatterSource});
}

}  // namespace tenure::gl
