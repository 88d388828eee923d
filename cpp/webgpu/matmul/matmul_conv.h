#pragma once

#include <cstdint>
#include <optional>

#include "core/run/op.h"
#include "shape_util/broadcast.h"
#include "shape_util/conv.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

class BlockWeights;
class PackedInput;
struct Epilogue;

/// A matmul, a convolution, or a gradient of one, which share kernels. For each row and column of the output:
///   out[row, column] = activation(sum over taps and k of x[pixel at tap, k] * f[tap, k, column] +
///   bias[column])
/// A matrix is an image one pixel wide, with its columns as channels.
struct MatmulConv {
  enum class Mode : std::uint8_t {
    kMatrix,          ///< a row reads the row of x with its number
    kConv,            ///< rows are the output's pixels, and read the window of x around each
    kTransposedConv,  ///< rows are the input's pixels, and read those of x whose windows contain them
    kFilterGradient,  ///< rows are the filter's taps and channels, and addends the pixels of f
  };

  const Tensor& x;
  const Tensor& f;
  /// One value for each column, or a single value for all; null for none.
  const Tensor* bias = nullptr;
  Tensor& out;
  Mode mode = Mode::kMatrix;
  /// Rows, columns and depth of one matrix, or of one group of channels.
  int rows;
  int columns;
  int depth;
  /// Taps of a window.
  int taps = 1;
  /// Channels of a pixel of x, or columns of a matrix that is not transposed.
  int x_channels;
  int groups = 1;
  /// Planes of kTransposedConv, each of the output's pixels that are a stride apart; `rows` and `taps` are
  /// those of one plane, see Phases. 1 if windows are read pixel by pixel.
  int phases = 1;
  /// The convolution's axes, for all modes but kMatrix.
  WindowAxis h = {};
  WindowAxis w = {};
  /// Layouts of mat_mul's matrices; the filter of kTransposedConv is transposed, too.
  bool transpose_x = false;
  bool transpose_f = false;
  /// The weights in blocks, if f is the transpose of such weights; otherwise null.
  const BlockWeights* blocks = nullptr;
  /// The stored form of f if it is in half precision; otherwise null.
  const PackedInput* packed = nullptr;
  /// Which matrices of a batched mat_mul are multiplied, with strides counted in matrices; null for a single
  /// one.
  const BroadcastPlan* batch = nullptr;
  Activation activation = Activation::kLinear;
  float alpha = 0;
  /// Epilogue that runs after the activation, where columns are whole vectors; null for none.
  const Epilogue* epilogue = nullptr;

  /// Returns the number of matrices or groups.
  std::size_t planes() const;
};

/// Computes float32 products with the fastest kernel for their sizes and the device. Sums are in the same
/// order at each run.
void run_matmul_conv(const MatmulConv& product);

/// Kind of a device, which decides how products are computed.
enum class DeviceClass : std::uint8_t {
  kHardware,  ///< a GPU: tiles of workgroups
  kSoftware,  ///< a renderer on the CPU: tiles of registers, without barriers
};
/// True if products run as on a renderer on the CPU.
bool is_software();
/// True if kernels may use subgroups: the device has them, and is no renderer on the CPU.
bool can_use_subgroups();
/// Makes products run as on this class of devices; nullopt restores the device's own. For tests and
/// benchmarks.
void override_device_class(const std::optional<DeviceClass>& device_class);

/// How an axis of a transposed convolution splits into phases, for an axis of its forward convolution.
struct Phases {
  explicit Phases(const WindowAxis& axis)
      : count(axis.stride),
        pixels((axis.in + axis.stride - 1) / axis.stride),
        taps((axis.window + axis.stride - 1) / axis.stride) {}
  int count;
  int pixels;  ///< of a phase, at most
  int taps;    ///< of a phase, at most
};

/// Runs the conv2d kernel; `epilogue` is MatmulConv::epilogue.
void conv2d(const KernelArgs& args, const Epilogue* epilogue);

/// Declares `fn start(c: i32) -> vec4f`, the bias of columns c to c + 3 or zeros, and
/// `fn finish(sum: vec4f, i: i32) -> vec4f`, which applies the activation to vec4 i of the output.
void add_epilogue(Dispatch& dispatch, const Tensor* bias, Activation activation, float alpha);
/// Declares start() and finish() (add_epilogue()) for a product, with its fused chain.
void add_product_epilogue(Dispatch& dispatch, const MatmulConv& product);

/// Sets params.sizes, params.window and params.slide: the input's extents and the output's, the window's and
/// its dilation, strides and pads, each width first.
void add_window(Dispatch& dispatch, const WindowAxis& h, const WindowAxis& w);

}  // namespace tenure::webgpu
