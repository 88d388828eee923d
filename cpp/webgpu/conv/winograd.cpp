#include "webgpu/conv/winograd.h"

#include <algorithm>
#include <array>

#include "webgpu/conv/winograd_filter.wgsl.h"
#include "webgpu/conv/winograd_input.wgsl.h"
#include "webgpu/conv/winograd_output.wgsl.h"

namespace tenure::webgpu {
namespace {

/// Elements of a transformed tile.
constexpr std::int32_t kPoints = 16;

/// Numbers of tiles of 2x2 outputs.
struct TileCounts {
  explicit TileCounts(const MatmulConv& conv)
      : x((conv.w.out + 1) / 2),
        y((conv.h.out + 1) / 2),
        all(conv.rows / (conv.w.out * conv.h.out) * x * y) {}
  int x;
  int y;
  int all;  ///< of all images
};

Tensor make_points(int rows, int columns) {
  return Tensor::deferred({{kPoints, rows, columns}, DType::kFloat32});
}

void transform_filter(const MatmulConv& conv, Tensor& out) {
  const int size = conv.depth * conv.columns / 4;
  Dispatch("winograd_filter")
      .input4("f", conv.f)
      .output4()
      .set("size", size)
      .threads(out, static_cast<std::size_t>(size), wgsl::kWinogradFilter);
}

/// Sets the parameters shared by the input and output transforms. `channels` is a multiple of 4.
void set_tiles(Dispatch& dispatch, const MatmulConv& conv, const TileCounts& tiles, int channels) {
  dispatch.output4()
      .set("tiles", std::array{tiles.x, tiles.y, tiles.all, 0})
      .set("channels", channels / 4)
      .set("sizes", std::array{conv.w.in, conv.h.in, conv.w.out, conv.h.out})
      .set("padding", std::array{conv.w.pad_before, conv.h.pad_before, 0, 0});
}

void transform_input(const MatmulConv& conv, const TileCounts& tiles, Tensor& out) {
  Dispatch dispatch("winograd_input");
  dispatch.input4("x", conv.x);
  set_tiles(dispatch, conv, tiles, conv.depth);
  dispatch.threads(out, static_cast<std::size_t>(tiles.all) * static_cast<std::size_t>(conv.depth / 4),
                   wgsl::kWinogradInput);
}

void transform_output(const MatmulConv& conv, const TileCounts& tiles, const Tensor& sums) {
  Dispatch dispatch("winograd_output");
  dispatch.input4("sums", sums);
  set_tiles(dispatch, conv, tiles, conv.columns);
  add_product_epilogue(dispatch, conv);
  dispatch.threads(conv.out, static_cast<std::size_t>(tiles.all) * static_cast<std::size_t>(conv.columns / 4),
                   wgsl::kWinogradOutput);
}

}  // namespace

bool can_use_winograd(const MatmulConv& conv) {
  // With fewer channels, the transforms take longer than the multiplications that they save.
  constexpr int kMinChannels = 32;
  // Transformed inputs and outputs have four times the elements.
  constexpr std::size_t kMaxElements = std::size_t{1} << 24;
  const auto slides = [](const WindowAxis& axis) {
    return axis.window == 3 && axis.stride == 1 && axis.dilation == 1;
  };
  if (!is_software() || conv.mode != MatmulConv::Mode::kConv || conv.groups > 1 || !slides(conv.h) ||
      !slides(conv.w) || conv.depth % 4 != 0 || conv.columns % 4 != 0 || conv.rows == 0)
    return false;
  const std::size_t elements = static_cast<std::size_t>(kPoints) *
                               static_cast<std::size_t>(TileCounts(conv).all) *
                               static_cast<std::size_t>(std::max(conv.depth, conv.columns));
  return std::min(conv.depth, conv.columns) >= kMinChannels && elements <= kMaxElements;
}

void run_winograd(const MatmulConv& conv) {
  const TileCounts tiles(conv);
  // Transforming the filter at each run takes about as long as one more tile, and keeps no copy of it.
  Tensor filter = make_points(conv.depth, conv.columns);
  transform_filter(conv, filter);
  Tensor input = make_points(tiles.all, conv.depth);
  transform_input(conv, tiles, input);
  Tensor sums = make_points(tiles.all, conv.columns);
  const BroadcastPlan points({kPoints}, {kPoints}, {kPoints});
  run_matmul_conv({.x = input,
                   .f = filter,
                   .out = sums,
                   .rows = tiles.all,
                   .columns = conv.columns,
                   .depth = conv.depth,
                   .x_channels = conv.depth,
                   .batch = &points});
  transform_output(conv, tiles, sums);
}

}  // namespace tenure::webgpu
