#include "webgpu/matmul/matmul_conv.h"

#include <algorithm>
#include <vector>

#include "shape_util/split_k.h"
#include "webgpu/device/context.h"
#include "webgpu/elementwise/activation.h"
#include "webgpu/elementwise/chain.h"
#include "webgpu/matmul/block_weights.h"
#include "webgpu/matmul/block_weights.wgsl.h"
#include "webgpu/matmul/matmul_conv.wgsl.h"
#include "webgpu/matmul/matmul_conv_lanes.wgsl.h"
#include "webgpu/matmul/matmul_conv_registers.wgsl.h"
#include "webgpu/matmul/matmul_conv_store1.wgsl.h"
#include "webgpu/matmul/matmul_conv_store4.wgsl.h"
#include "webgpu/matmul/matmul_conv_workgroup.wgsl.h"
#include "webgpu/matmul/matvec.wgsl.h"
#include "webgpu/matmul/sum_chunks.wgsl.h"
#include "webgpu/shader/packed_input.h"

namespace tenure::webgpu {
namespace {

/// Kernel that computes a tile: matmul_conv_workgroup.wgsl, matmul_conv_registers.wgsl or
/// matmul_conv_lanes.wgsl.
enum class TileKernel : std::uint8_t {
  kWorkgroup,  ///< a workgroup computes a tile
  kRegisters,  ///< a thread computes a tile
  kLanes,      ///< four threads compute a tile
};

/// Size of a tile of outputs, and the kernel that computes it.
struct Tile {
  TileKernel kernel;
  /// Rows of a thread.
  int thread_rows;
  /// Vectors of four columns of a thread or, for kLanes, of its four threads together.
  int thread_columns;
  /// Threads of a workgroup, in the direction of the columns and of the rows. Only for kWorkgroup.
  int threads_x = 0;
  int threads_y = 0;
  /// Addends that a workgroup keeps at a time. Only for kWorkgroup.
  int depth = 0;

  bool is_workgroup() const { return kernel == TileKernel::kWorkgroup; }
  bool is_lanes() const { return kernel == TileKernel::kLanes; }
  int rows() const { return is_workgroup() ? threads_y * thread_rows : thread_rows; }
  int columns() const { return (is_workgroup() ? threads_x * thread_columns : thread_columns) * 4; }
};

/// 64 x 64 outputs; the most arithmetic for each load.
constexpr Tile kLargeTile = {TileKernel::kWorkgroup, 8, 2, 8, 8, 16};
/// 32 x 32 outputs, for products with too few large tiles to occupy a GPU.
constexpr Tile kSmallTile = {TileKernel::kWorkgroup, 4, 1, 8, 8, 32};
/// Number of workgroups from which a GPU is taken to be occupied.
constexpr std::size_t kBusyWorkgroups = 64;
/// Number of tiles in registers that occupies a GPU, or the cores of a software renderer.
constexpr std::size_t kBusyThreads = 4096;
constexpr std::size_t kBusySoftwareThreads = 64;

std::optional<DeviceClass> overridden_class;

std::size_t count_tiles(const MatmulConv& p, const Tile& tile) {
  const auto divide = [](int extent, int by) { return static_cast<std::size_t>((extent + by - 1) / by); };
  return divide(p.rows, tile.rows()) * divide(p.columns, tile.columns()) * p.planes();
}

/// How WGSL reads an operand: X_READ and F_READ of matmul_conv.wgsl.
enum ReadForm : std::uint8_t { kVectors, kTransposedVectors, kElements };

ReadForm read_x(const MatmulConv& p) {
  const auto whole = [](int extent) { return extent % 4 == 0; };
  if (p.mode == MatmulConv::Mode::kFilterGradient)
    return whole(p.x_channels) ? kTransposedVectors : kElements;
  if (p.transpose_x) return whole(p.rows) ? kTransposedVectors : kElements;
  return whole(p.depth) && whole(p.x_channels) ? kVectors : kElements;
}

ReadForm read_f(const MatmulConv& p) {
  if (p.blocks) return kTransposedVectors;
  if (p.transpose_f) return p.depth % 4 == 0 ? kTransposedVectors : kElements;
  return p.columns % 4 == 0 ? kVectors : kElements;
}

/// True if neighbouring columns of f are neighbours in memory, and windows are read as they are.
bool can_use_lanes(const MatmulConv& p) {
  return !p.transpose_f && (p.mode == MatmulConv::Mode::kMatrix || p.mode == MatmulConv::Mode::kConv);
}

Tile choose_tile(const MatmulConv& p) {
  constexpr int kMinExtent = 16;
  // SwiftShader takes seconds to compile a kernel with barriers, and runs it slowly.
  const bool in_registers = is_software() || p.rows < kMinExtent || p.columns < kMinExtent;
  if (!in_registers) return count_tiles(p, kLargeTile) >= kBusyWorkgroups ? kLargeTile : kSmallTile;
  // It also takes four times as long for 8 x 8 outputs as for 4 x 4: half a second, and two for operands that
  // are read as elements.
  constexpr double kMinMultiplyAdds = 1 << 22;
  const double work = static_cast<double>(p.planes()) * p.rows * p.columns * p.taps * p.depth;
  if (!is_software() || work < kMinMultiplyAdds || p.columns <= 4) return {TileKernel::kRegisters, 4, 1};
  const bool in_vectors = read_x(p) != kElements && read_f(p) != kElements;
  if (!in_vectors && can_use_lanes(p)) return {TileKernel::kLanes, 8, p.columns > 16 ? 8 : 4};
  return {TileKernel::kRegisters, in_vectors && p.rows > 4 ? 8 : 4, 2};
}

bool has_padding(const MatmulConv& p) {
  if (p.mode == MatmulConv::Mode::kTransposedConv) return true;
  return p.mode == MatmulConv::Mode::kConv && (p.h.overhangs() || p.w.overhangs());
}

/// Returns the planes' extents and strides in elements of x and f, as params.planes has them.
std::vector<int> plane_strides(const MatmulConv& p) {
  if (p.groups > 1) return {p.groups, p.depth, p.columns, 0};
  if (!p.batch || p.batch->rank == 0) return {1, 0, 0, 0};
  std::vector<int> result;
  const auto add = [&](std::size_t value, int size) { result.push_back(static_cast<int>(value) * size); };
  for (int d = 0; d < p.batch->rank; ++d) {
    add(p.batch->extent[d], 1);
    add(p.batch->stride_a[d], p.rows * p.depth);
    add(p.batch->stride_b[d], p.depth * p.columns);
    result.push_back(0);
  }
  return result;
}

void add_product_window(Dispatch& dispatch, const MatmulConv& p) {
  WindowAxis h = p.h;
  WindowAxis w = p.w;
  std::array<int, 4> phases{};
  if (p.mode == MatmulConv::Mode::kTransposedConv) {
    // x is what the forward convolution put out.
    std::swap(h.in, h.out);
    std::swap(w.in, w.out);
  }
  if (p.phases > 1) {
    const Phases rows(p.h);
    const Phases columns(p.w);
    phases = {w.out, h.out, columns.taps, rows.taps};
    h.out = rows.pixels;
    w.out = columns.pixels;
  }
  add_window(dispatch, h, w);
  dispatch.set("phases", phases);
}

/// Declares start() of add_epilogue().
void add_start(Dispatch& dispatch, const Tensor* bias) {
  if (bias) dispatch.input("bias", *bias);
  dispatch.declare(!bias                   ? "fn start(c:i32)->vec4f{return vec4f();}"
                   : bias->elements() == 1 ? "fn start(c:i32)->vec4f{return vec4f(bias[0]);}"
                                           : "fn start(c:i32)->vec4f{"
                                             "return vec4f(bias[c],bias[c+1],bias[c+2],bias[c+3]);}");
}

/// Adds f as it is stored.
void add_f(Dispatch& dispatch, const MatmulConv& p) {
  if (p.blocks) return p.blocks->add_to(dispatch);
  if (p.packed) return p.packed->add_to(dispatch, "f");
  dispatch.input4("f", p.f);
}

/// Returns the source of f_vector() if add_f() does not declare it.
std::string_view f_source(const MatmulConv& p) {
  if (p.blocks) return wgsl::kBlockWeights;
  return p.packed ? "" : "fn f_vector(v:i32)->vec4f{return f[v];}";
}

/// Dispatches the kernel of `tiles` tiles, which writes whole vectors of columns if `whole`.
void launch(Dispatch& dispatch, const MatmulConv& p, const Tile& tile, std::size_t tiles, bool whole,
            Tensor& out) {
  const std::string_view f = f_source(p);
  const std::string_view store = whole ? wgsl::kMatmulConvStore4 : wgsl::kMatmulConvStore1;
  if (tile.is_lanes()) {
    dispatch.constant("COLUMNS", tile.thread_columns);
    return dispatch.threads(out, tiles * 4, {wgsl::kMatmulConv, f, wgsl::kMatmulConvLanes});
  }
  if (!tile.is_workgroup()) {
    dispatch.constant("ROWS", tile.rows()).constant("COLUMNS", tile.columns());
    return dispatch.threads(out, tiles, {wgsl::kMatmulConv, f, store, wgsl::kMatmulConvRegisters});
  }
  dispatch.constant("WG_X", tile.threads_x)
      .constant("WG_Y", tile.threads_y)
      .constant("THREAD_ROWS", tile.thread_rows)
      .constant("THREAD_COLUMNS", tile.thread_columns)
      .constant("TILE_DEPTH", tile.depth);
  dispatch.set("tiles", static_cast<int>(tiles));
  dispatch.workgroups(out, fold_workgroups(tiles), {wgsl::kMatmulConv, f, store, wgsl::kMatmulConvWorkgroup});
}

/// Launches the tiles. `chunks` is 1 and `share` all addends, or `out` gets [planes, chunks, rows, columns].
void run_tiles(const MatmulConv& p, const Tile& tile, int addends, int share, int chunks, Tensor& out) {
  const bool whole = p.columns % 4 == 0;
  const bool splits = chunks > 1;
  const auto planes = plane_strides(p);
  const std::size_t rank = planes.size() / 4;
  Dispatch dispatch(tile.is_workgroup() ? "matmul_conv_workgroup"
                    : tile.is_lanes()   ? "matmul_conv_lanes"
                                        : "matmul_conv_registers");
  dispatch.constant("MODE", static_cast<int>(p.mode))
      .constant("X_READ", tile.is_lanes() ? kElements : read_x(p))
      .constant("F_READ", tile.is_lanes() ? kElements : read_f(p))
      .constant("PADDED", has_padding(p))
      .constant("DEPTH_WHOLE", p.depth % 4 == 0)
      .constant("PLANES", p.planes() > 1 && p.phases == 1 ? static_cast<int>(rank) : 0)
      .constant("PHASES", p.phases > 1)
      .constant("SPLIT", splits)
      .input4("x", p.x);
  add_f(dispatch, p);
  if (whole && !tile.is_lanes()) dispatch.output4();
  const int out_columns = splits ? p.columns : p.columns * p.groups;
  const int column_tiles = (p.columns + tile.columns() - 1) / tile.columns();
  const int row_tiles = (p.rows + tile.rows() - 1) / tile.rows();
  // Vectors come first, so that no words are lost to their alignment.
  add_product_window(dispatch, p);
  dispatch.set("planes", std::span<const int>(planes));
  splits ? add_epilogue(dispatch, nullptr, Activation::kLinear, 0) : add_product_epilogue(dispatch, p);
  dispatch.set("rows", p.rows)
      .set("columns", p.columns)
      .set("depth", p.depth)
      .set("tap_depth", (p.depth + 3) / 4 * 4)
      .set("addends", addends)
      .set("share", share)
      .set("chunks", chunks)
      .set("x_row", p.transpose_x ? 1 : p.x_channels)
      .set("x_step", p.transpose_x ? p.rows : 1)
      .set("f_row", p.transpose_f ? 1 : p.columns * p.groups)
      .set("f_column", p.blocks        ? p.blocks->padded_depth()
                       : p.transpose_f ? p.depth
                                       : 1)
      .set("f_tap", p.depth * p.columns * p.groups)
      .set("out_row", out_columns)
      .set("out_plane", p.phases > 1   ? 0
                        : p.groups > 1 ? p.columns
                                       : p.rows * p.columns)
      .set("column_plane", p.groups > 1 ? p.columns : 0)
      .set("column_tiles", column_tiles)
      .set("row_tiles", row_tiles);
  launch(dispatch, p, tile, count_tiles(p, tile) * static_cast<std::size_t>(chunks), whole, out);
}

/// Sums the chunks of each output, and applies the bias and the activation.
void sum_chunks(const MatmulConv& p, const Tensor& partial, int chunks) {
  const bool whole = p.columns % 4 == 0;
  const int unit = whole ? 4 : 1;
  Dispatch dispatch("sum_chunks");
  if (whole) {
    dispatch.input4("partial", partial).output4();
  } else {
    dispatch.input("partial", partial);
  }
  dispatch.set("size", p.rows * p.columns / unit)
      .set("columns", p.columns / unit)
      .set("chunks", chunks)
      .constant("UNIT", unit);
  add_product_epilogue(dispatch, p);
  dispatch.elements(
      p.out, {wgsl::kSumChunks, whole ? "fn run(i:i32){out[i]=sum(i);}" : "fn run(i:i32){out[i]=sum(i).x;}"});
}

/// True for a vector times the transpose of a matrix with long rows, which subgroups read in one piece. Few
/// rows that are very long are split among more threads elsewhere.
bool can_use_matvec(const MatmulConv& p) {
  constexpr int kMinDepth = 128;
  constexpr int kMaxDepth = 4096;
  constexpr int kManyColumns = 512;
  if (p.packed || (p.depth > kMaxDepth && p.columns < kManyColumns)) return false;
  return p.mode == MatmulConv::Mode::kMatrix && p.rows == 1 && p.planes() == 1 && p.transpose_f &&
         p.depth >= kMinDepth && p.depth % 4 == 0 && p.columns % 4 == 0 && can_use_subgroups();
}

void run_matvec(const MatmulConv& p) {
  Dispatch dispatch("matvec");
  dispatch.input4("x", p.x).input4("f", p.f).output4().set("units", p.depth / 4);
  add_product_epilogue(dispatch, p);
  dispatch.subgroups(p.out, static_cast<std::size_t>(p.columns / 4), wgsl::kMatvec);
}

}  // namespace

std::size_t MatmulConv::planes() const {
  if (groups > 1 || phases > 1) return static_cast<std::size_t>(std::max(groups, phases));
  std::size_t result = 1;
  for (int d = 0; batch && d < batch->rank; ++d) result *= batch->extent[d];
  return result;
}

void run_matmul_conv(const MatmulConv& p) {
  if (can_use_matvec(p)) return run_matvec(p);
  const Tile tile = choose_tile(p);
  const int addends = p.taps * ((p.depth + 3) / 4 * 4);
  if (addends == 0) return run_tiles(p, tile, 0, 0, 1, p.out);
  const std::size_t busy = tile.is_workgroup() ? kBusyWorkgroups
                           : is_software()     ? kBusySoftwareThreads
                                               : kBusyThreads;
  // Groups and phases interleave in the output, and few convolutions have them.
  const bool interleaves = p.groups > 1 || p.phases > 1;
  const SplitK split(addends, count_tiles(p, tile), interleaves ? 1 : busy);
  const int share = (split.share + 3) / 4 * 4;
  const int chunks = (addends + share - 1) / share;
  if (chunks == 1) return run_tiles(p, tile, addends, addends, 1, p.out);
  Tensor partial =
      Tensor::deferred({{static_cast<std::int32_t>(p.planes()), chunks, p.rows, p.columns}, DType::kFloat32});
  run_tiles(p, tile, addends, share, chunks, partial);
  sum_chunks(p, partial, chunks);
}

bool is_software() {
  return overridden_class ? *overridden_class == DeviceClass::kSoftware : context().limits().is_software;
}

bool can_use_subgroups() { return context().limits().has_subgroups && !is_software(); }

void override_device_class(const std::optional<DeviceClass>& device_class) {
  overridden_class = device_class;
}

void add_product_epilogue(Dispatch& dispatch, const MatmulConv& p) {
  if (!p.epilogue) return add_epilogue(dispatch, p.bias, p.activation, p.alpha);
  add_start(dispatch, p.bias);
  add_activation(dispatch, p.activation, p.alpha);
  p.epilogue->chain.add_to(dispatch, p.epilogue->in, p.out);
  dispatch.declare(p.epilogue->chain.source())
      .declare("fn finish(sum:vec4f,i:i32)->vec4f{return chain(i,activate(sum));}");
}

void add_epilogue(Dispatch& dispatch, const Tensor* bias, Activation activation, float alpha) {
  add_start(dispatch, bias);
  add_activation(dispatch, activation, alpha);
  dispatch.declare("fn finish(sum:vec4f,i:i32)->vec4f{return activate(sum);}");
}

void add_window(Dispatch& dispatch, const WindowAxis& h, const WindowAxis& w) {
  dispatch.set("sizes", std::array{w.in, h.in, w.out, h.out})
      .set("window", std::array{w.window, h.window, w.dilation, h.dilation})
      .set("slide", std::array{w.stride, h.stride, w.pad_before, h.pad_before});
}

}  // namespace tenure::webgpu
