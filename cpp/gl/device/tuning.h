#pragma once

#include <cstddef>
#include <optional>

namespace tenure::gl {

class Context;

/// What a device was measured to do when its context started; rates are per second.
struct DeviceRates {
  /// RGBA texels that fragments read with texelFetch().
  double texel_fetches = 0;
  /// The same texels, by coordinates in [0, 1]; 0 where they differ.
  double lod_fetches = 0;
  /// Multiply-adds of a product whose fragments sum one texel each.
  double fragment_products = 0;
  /// Multiply-adds of a product whose vertices sum a tile each; 0 where nobody measured.
  double vertex_products = 0;
  /// True if indices divide in float32 without an error.
  bool exact_division = false;
  /// What measuring took.
  double milliseconds = 0;
};

/// Choices between kernels that depend on what the device is fast at.
struct Tuning {
  /// Read texels with texture() and textureLod() by coordinates in [0, 1] instead of with texelFetch().
  bool fetches_by_lod = false;
  /// Sum products and depthwise windows in vertices, a tile each, through transform feedback.
  bool vertex_tiles = false;
  /// Divide indices below ShaderFrame::kMostByFloat in float32.
  bool divides_in_float = false;
  /// The CPU's kernels are faster: GPU_KERNELs of lists/gl_kernels.def, and transpositions of values that lie
  /// on the CPU, run there.
  bool prefers_cpu = false;
  /// Draw large outputs in squares whose inputs stay in a core's cache (Pass::by_tiles()).
  bool draws_squares = false;
  /// Vertices that keep all of the device busy: long sums are split to have as many.
  std::size_t busy_vertices = std::size_t{1} << 14;

  /// What suits a GPU, and what suits a renderer on the CPU.
  static Tuning hardware() { return {}; }
  static Tuning software();
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// Measures the device of a context that is current to GL and has no textures in use: some 10 ms, and the
/// time that the driver takes to compile a small program, or two on a device that is faster than the CPU.
/// Leaves no GL errors, but bindings that the context does not know of. `complete` asks a slow device for
/// all.
DeviceRates measure_rates(Context& context, bool complete = false);

/// True if kernels of the CPU take less time than those of a device of such rates.
bool is_slower_than_cpu(const DeviceRates& rates);

/// The choices for a device of such rates.
Tuning choose_tuning(const DeviceRates& rates);

/// Contexts that start from now on take these choices, and measure nothing; none to measure again. For tests
/// and benchmarks.
void override_tuning(const std::optional<Tuning>& tuning);
const std::optional<Tuning>& overridden_tuning();

}  // namespace tenure::gl
