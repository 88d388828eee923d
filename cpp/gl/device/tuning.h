#pragma once

#include <cstddef>
#include <optional>

namespace tenure::gl {

class Context;

/// Rates of a device per second, measured when its context starts.
struct DeviceRates {
  /// RGBA texels that fragment shaders read with texelFetch().
  double texel_fetches = 0;
  /// RGBA texels that fragment shaders read with texture(), by coordinates in [0, 1]; 0 if that returns other
  /// texels than texelFetch().
  double lod_fetches = 0;
  /// Multiply-adds of a matmul or convolution that computes one output texel per fragment.
  double fragment_products = 0;
  /// Multiply-adds of a matmul or convolution that computes one output tile per vertex; 0 if not measured.
  double vertex_products = 0;
  /// True if division of indices in float32 is exact.
  bool exact_division = false;
  /// Duration of the measurement.
  double milliseconds = 0;
};

/// Kernel choices that depend on the device's rates.
struct Tuning {
  /// Read texels with texture() and textureLod() at coordinates in [0, 1] instead of texelFetch().
  bool fetches_by_lod = false;
  /// Compute matmuls, convolutions and depthwise convolutions in vertex shaders, one tile per vertex, through
  /// transform feedback.
  bool vertex_tiles = false;
  /// Divide indices below ShaderFrame::kMaxFloatDividend in float32.
  bool divides_in_float = false;
  /// The CPU's kernels are faster than the device. GPU_KERNELs of lists/gl_kernels.def run there, and so do
  /// transpositions of tensors on the CPU.
  bool prefers_cpu = false;
  /// Draw large outputs in square tiles, whose inputs stay in a core's cache (Pass::allow_tiled_draw()).
  bool draws_squares = false;
  /// Number of vertices that occupies the whole device; long sums are split until there are as many.
  std::size_t busy_vertices = std::size_t{1} << 14;

  /// Returns the choices for a GPU.
  static Tuning hardware() { return {}; }
  /// Returns the choices for a software renderer.
  static Tuning software();
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// Measures the device of a context that is current to GL and has no textures in use. Takes some 10 ms, and
/// the driver's time to compile one small program, or two on a device that is faster than the CPU. Leaves no
/// GL errors, but leaves GL bindings that the context's cache does not have. `complete` measures every rate
/// on slow devices too.
DeviceRates measure_rates(Context& context, bool complete = false);

/// True if the CPU's kernels are faster than a device with these rates.
bool is_slower_than_cpu(const DeviceRates& rates);

/// Returns the choices for a device with these rates.
Tuning choose_tuning(const DeviceRates& rates);

/// Makes contexts that start later use this tuning instead of measuring; nullopt restores measuring. For
/// tests and benchmarks.
void override_tuning(const std::optional<Tuning>& tuning);
/// Returns the tuning of override_tuning(), or nullopt.
const std::optional<Tuning>& overridden_tuning();

}  // namespace tenure::gl
