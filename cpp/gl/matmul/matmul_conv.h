#pragma once

#include <string>

#include "core/run/op.h"
#include "gl/shader/kernel.h"
#include "shape_util/broadcast.h"
#include "shape_util/conv.h"

namespace tenure::gl {

struct Epilogue;

/// A matmul or convolution, which share kernels. For each output pixel and each column n:
///   out[pixel, n] = activation(sum over taps and k of x[pixel at tap, k] * filter[tap, k, n] + bias[n])
/// A matrix is an image one pixel wide, with its columns as channels.
struct MatmulConv {
  const Tensor& x;
  const Tensor& filter;
  /// One value for each column, or a single value for all; null for none.
  const Tensor* bias;
  Tensor& out;
  ConvGeometry g;
  Activation activation = Activation::kLinear;
  float alpha = 0;
  /// Layouts of mat_mul's matrices. Unused by convolutions.
  bool transpose_x = false;
  bool transpose_filter = false;
  /// Which matrices of a batched mat_mul are multiplied, with strides counted in matrices; null for a single
  /// one.
  const BroadcastPlan* batch = nullptr;
  /// Cache for a constant filter, packed as tiles read it; null for none.
  Tensor* packed = nullptr;
  /// Epilogue that runs after the activation, where the columns fill whole texels; null for none.
  const Epilogue* epilogue = nullptr;

  int columns() const { return g.out_channels; }
  /// Returns the number of output pixels, for one matmul of a batch.
  int rows() const { return g.batch * g.h.out * g.w.out; }
  int taps() const { return g.h.window * g.w.window; }
  /// True for 1x1 windows without stride and padding: output pixel i reads input pixel i only.
  bool pointwise() const;
};

/// Computes the matmul or convolution with the fastest kernel for its sizes and the device.
void run_matmul_conv(const MatmulConv& product);

/// Computes one output texel or element per fragment.
void run_direct(const MatmulConv& product);

/// True if run_small_m() supports these sizes and is faster than run_tiled() and run_direct().
bool can_use_small_m(const MatmulConv& product);
/// Computes 4 rows x 16 columns per vertex, from matrices in their original layout.
void run_small_m(const MatmulConv& product);

/// True if run_tiled() is faster than run_direct().
bool can_use_tiles(const MatmulConv& product);
/// Computes a tile of 8 x 8 outputs per vertex.
void run_tiled(const MatmulConv& product);

/// Returns the tiles of sums, before the activation, in the layout of gl/matmul/matmul_conv_tile.h. `packed`
/// is the filter in the order in which tiles read it, with the shape packed_shape()
/// (gl/matmul/matmul_conv_layout.h). MatmulConv::filter and MatmulConv::packed are not read.
Tensor sum_tiles(const MatmulConv& product, const Tensor& packed);

/// Runs the mat_mul kernel; `packed` is MatmulConv::packed.
void mat_mul(const KernelArgs& args, Tensor* packed);
/// Runs the conv2d kernel; `packed` and `epilogue` are MatmulConv::packed and MatmulConv::epilogue.
void conv2d(const KernelArgs& args, Tensor* packed, const Epilogue* epilogue);
/// Runs the conv2d_transpose kernel; `packed` is MatmulConv::packed.
void conv2d_transpose(const KernelArgs& args, Tensor* packed);

/// Returns the geometry of [rows, depth] times [depth, columns], neither transposed: an image one pixel wide.
ConvGeometry matrix_geometry(int rows, int depth, int columns);

/// Sets the uniforms of kWindowSource.
void add_window(Pass& pass, const WindowAxis& h, const WindowAxis& w);
inline void add_window(Pass& pass, const ConvGeometry& g) { add_window(pass, g.h, g.w); }
/// GLSL that maps output pixels to their windows in the input.
extern const std::string_view kWindowSource;

/// Sets the uniforms of kWindowsOverSource, which does not need kWindowSource.
void add_windows_over(Pass& pass, const WindowAxis& h, const WindowAxis& w);
/// GLSL macro EACH_WINDOW_OVER(r), closed by a `}`: loops over the windows that contain input pixel r. In the
/// loop, `window_at` is the window's index among those of all images, `corner` the position of its first tap,
/// and `tap_at` the index of the tap that reads the pixel.
extern const std::string_view kWindowsOverSource;

/// Defines START(i), the initial sum of column texel i, and START1(i), that of column i: the bias, or zero.
void add_start(Pass& pass, const Tensor* bias);
/// Defines FINISH(sum), which applies the activation, and FINISH1 for elements; needs kFinishSource. Only
/// float sums have an activation. If it `has_chain` with a chain, FINISH also calls that, and needs `i`, the
/// index of the output texel.
void add_finish(Pass& pass, Activation activation, float alpha, bool has_chain = false);
extern const std::string_view kFinishSource;
/// Defines FINISH with the product's activation and epilogue. The pass's name must be program_name(name,
/// product), and epilogue_source(product) must precede kFinishSource.
void add_finish(Pass& pass, const MatmulConv& product);
/// Returns `name` with the name of the product's epilogue appended, which identifies the program.
std::string program_name(std::string_view name, const MatmulConv& product);
/// Returns the GLSL of the product's epilogue, or an empty string.
std::string_view epilogue_source(const MatmulConv& product);

/// Defines ivec2 matrices(int i), the indices of the x and filter matrices that make the i-th matrix of a
/// batch.
void add_batch(Pass& pass, const BroadcastPlan& plan);

}  // namespace tenure::gl
