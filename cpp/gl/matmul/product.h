#pragma once

#include <string>

#include "core/run/op.h"
#include "gl/shader/kernel.h"
#include "shape_util/broadcast.h"
#include "shape_util/conv.h"

namespace tenure::gl {

struct Ending;

/// What mat_mul and conv2d share: for each pixel of the output and each column n,
///   out[pixel, n] = activation(sum over taps and k of x[the tap's pixel, k] * filter[tap, k, n] + bias[n]).
/// To mat_mul, a matrix is an image one pixel wide, with as many channels as it has columns.
struct Product {
  const Tensor& x;
  const Tensor& filter;
  /// One for each column, or a single one; null for none.
  const Tensor* bias;
  Tensor& out;
  ConvGeometry g;
  Activation activation = Activation::kLinear;
  float alpha = 0;
  /// Of mat_mul alone: how the matrices lie, and which are multiplied where there are several; the plan's
  /// steps are in matrices.
  bool transpose_x = false;
  bool transpose_filter = false;
  const BroadcastPlan* batch = nullptr;
  /// Where a constant filter is kept as tiles read it; null for none.
  Tensor* packed = nullptr;
  /// What follows the activation where the columns are whole texels; null for nothing.
  const Ending* ending = nullptr;

  int columns() const { return g.out_channels; }
  /// Pixels of the output, of one product of the batch.
  int rows() const { return g.batch * g.h.out * g.w.out; }
  int taps() const { return g.h.window * g.w.window; }
  /// Whether each pixel of the output meets the pixel of the same number alone.
  bool pointwise() const;
};

/// Computes the product in the way that suits its sizes and the device.
void run_product(const Product& product);

/// Each fragment sums up its own output.
void run_direct(const Product& product);

/// Whether run_rows() can multiply so few rows, and is faster than the others.
bool suits_rows(const Product& product);
/// Each vertex sums up 4 x 16 outputs of matrices as they lie.
void run_rows(const Product& product);

/// Whether tiles are faster than run_direct().
bool suits_tiles(const Product& product);
/// Each vertex sums up a tile of 8 x 8 outputs.
void run_tiled(const Product& product);

/// The tiles of a product that is not activated yet, as gl/matmul/product_tile.h has them. `packed` holds its
/// filter in the order in which a tile reads it, with the shape of packed_shape()
/// (gl/matmul/product_layout.h); the product's own is not looked at.
Tensor sum_tiles(const Product& product, const Tensor& packed);

/// The kernels of those names, with a place of their own for Product::packed.
void mat_mul(const KernelArgs& args, Tensor* packed);
void conv2d(const KernelArgs& args, Tensor* packed, const Ending* ending);
void conv2d_transpose(const KernelArgs& args, Tensor* packed);

/// A matrix of [rows, depth] times one of [depth, columns], as they lie: an image one pixel wide.
ConvGeometry matrix_geometry(int rows, int depth, int columns);

/// Gives a source the uniforms of kWindowSource.
void add_window(Pass& pass, const WindowAxis& h, const WindowAxis& w);
inline void add_window(Pass& pass, const ConvGeometry& g) { add_window(pass, g.h, g.w); }
/// Where the windows of the output's pixels lie in the input.
extern const std::string_view kWindowSource;

/// The same for kWindowsOverSource, which stands by itself.
void add_windows_over(Pass& pass, const WindowAxis& h, const WindowAxis& w);
/// EACH_WINDOW_OVER(r), which a `}` ends, goes through the windows that pixel r of the input lies in: the
/// window is `window_at`, counted among those of all images, its corner lies at `corner`, and the pixel is
/// its tap `tap_at`.
extern const std::string_view kWindowsOverSource;

/// Gives a source START(i), what the sums of column texel i begin with; START1 for elements.
void add_start(Pass& pass, const Tensor* bias);
/// Gives a source that follows kFinishSource FINISH(sum), which activates it; FINISH1 for elements. Only
/// float sums have an activation. Where it `goes_on` with a chain, FINISH needs `i`, the output's texel.
void add_finish(Pass& pass, Activation activation, float alpha, bool goes_on = false);
extern const std::string_view kFinishSource;
/// The same with the product's ending, whose name the pass has behind its own, and whose source comes first.
void add_finish(Pass& pass, const Product& product);
std::string named(std::string_view name, const Product& product);
std::string_view ending_source(const Product& product);

/// Gives a source of several products ivec2 matrices(int i), the numbers of those that make the i-th.
void add_batch(Pass& pass, const BroadcastPlan& plan);

}  // namespace tenure::gl
