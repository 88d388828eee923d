#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/run/op.h"
#include "gl/shader/glsl.h"
#include "gl/shader/program.h"
#include "gl/shader/shader.h"

namespace tenure::gl {

class Texture;
enum class TexelType : unsigned char;

/// True if the CPU's kernels are faster than the device (Tuning::prefers_cpu) and work is allowed to leave
/// the device.
bool should_prefer_cpu();

/// Runs the CPU's kernel for arguments that this one does not support or should not run; does nothing while
/// the context is prelinking programs.
void fall_back_to_cpu(Op op, const KernelArgs& args);

/// One draw call of a kernel: its inputs, and a GLSL function that computes its output. The source is
/// minified when it is compiled (gl/shader/glsl.h).
///
///   void reverse_flat(const KernelArgs& args) {
///     Pass("reverse_flat")
///         .input("x", args.in[0])
///         .set("last", static_cast<int>(args.out.elements()) - 1)
///         .elements(args.out, R"(
///           uniform int last;
///
///           T element(int e) { return x1(last - e); }
///         )"_glsl);
///   }
///
/// An input x defines x1(e), element e, and x4(i), elements 4i to 4i + 3. T and T4 are the types of an
/// output's element and texel, so that one source serves float and int (bools are ints, 0 or 1). Elements are
/// stored row-major in texels of four, whatever the shape (gl/shader/layout.h). Where the last dimension is
/// divisible by 4, a texel holds four neighbours of it, which is worth a variant. Elements past the end of
/// the last texel are undefined, so nothing may be computed from them through x4. The functions of
/// gl/shader/functions.h are defined if they are called; indices of elements or texels are divided with its
/// idiv(e, d) and imod(e, d).
///
/// There is one program for each name, combination of input types and variants, never one for each shape:
/// sizes are uniforms. A kernel of several passes stores intermediates in Tensor::deferred(spec). Kernels are
/// listed in lists/gl_kernels.def.
class Pass {
 public:
  static constexpr int kMaxInputs = 8;

  explicit Pass(std::string_view name) : key_(name) {}

  /// Adds an input. `name` must be a literal and no GLSL keyword. The tensor is uploaded when the pass is
  /// drawn, and must live until then.
  Pass& input(const char* name, const Tensor& x);
  /// Adds an image's texture (Picture), which the source reads with texelFetch(). Its first row is at the
  /// top.
  Pass& picture(const char* name, GLuint texture);
  /// Adds #define macro value. Each value compiles another program, so only a few values are acceptable.
  Pass& variant(std::string_view macro, std::string_view value);
  Pass& variant(std::string_view macro, int value);
  /// Adds a line of GLSL before the source. Each line compiles another program, as variants do.
  Pass& declare(std::string_view line);

  /// Sets a uniform int that the source declares. `name` must be a literal.
  Pass& set(const char* name, int value) { return set(name, Kind::kInt, {&value, 1}); }
  /// Sets a uniform float.
  Pass& set(const char* name, float value);
  /// Sets a uniform ivec4.
  Pass& set(const char* name, std::array<int, 4> values) { return set(name, Kind::kInt4, values); }
  /// Sets a uniform vec4.
  Pass& set(const char* name, std::array<float, 4> values);
  /// Sets a uniform int name[n], n at most 8.
  Pass& set(const char* name, std::span<const int> values) { return set(name, Kind::kInts, values); }

  /// Allows draws in square tiles (Tuning::draws_squares), for inputs that are not read in the output's row
  /// order: tiles keep them in the cache of a software renderer, which draws by rows.
  Pass& allow_tiled_draw() {
    allows_tiled_draw_ = true;
    return *this;
  }

  /// Draws all of `out` with the function T4 texel(int i). The parts of the source are concatenated; they are
  /// read only when the program is first compiled.
  void texels(Tensor& out, std::initializer_list<std::string_view> source) { draw(out, Per::kTexel, source); }
  void texels(Tensor& out, std::string_view source) { texels(out, {source}); }
  /// Draws all of `out` with the function T element(int e).
  void elements(Tensor& out, std::initializer_list<std::string_view> source) {
    draw(out, Per::kElement, source);
  }
  void elements(Tensor& out, std::string_view source) { elements(out, {source}); }
  /// Draws a float output with vertices instead of fragments: the function void vertex(int v) sets t0, t1,
  /// ... to `texels` consecutive texels of `out`, at most 16. The number of texels of `out` must be a
  /// multiple. A vertex can compute more outputs at once than a fragment. They are stored in float32 even
  /// where other floats are float16, so that sums are not rounded before their activation.
  void vertices(Tensor& out, int texels, std::initializer_list<std::string_view> source);
  /// Maximum number of elements that vertices() should draw: the feedback buffer, the output and what is
  /// computed from it are in memory at the same time.
  static constexpr std::size_t kMaxVertexElements = 1 << 25;
  /// Draws the platform's canvas of this size with the function T4 pixel(int x, int y).
  void canvas(int width, int height, std::string_view source);

 private:
  static constexpr int kMaxUniforms = 28;
  enum class Kind : unsigned char { kInt, kFloat, kInt4, kFloat4, kInts };
  struct Uniform {
    const char* name;
    Kind kind;
    int count;
    int words[kMaxRank];
  };

  Pass& set(const char* name, Kind kind, std::span<const int> words);
  void draw(Tensor& out, Per per, std::initializer_list<std::string_view> source);
  ShaderProgram& program_for(const TensorSpec& out, Per per, int vertex_texels,
                             std::initializer_list<std::string_view> source);
  /// Binds the program, the inputs and the uniforms, and allocates the output's texture. Returns the texture.
  const Texture& prepare(ShaderProgram& program, Tensor& out, TexelType type);
  void find_textures();
  void bind(ShaderProgram& program);

  std::string key_;
  std::string defines_;
  int input_count_ = 0;
  int uniform_count_ = 0;
  bool allows_tiled_draw_ = false;
  const Tensor* tensors_[kMaxInputs];  ///< null for a picture
  GLuint textures_[kMaxInputs];
  ShaderInput inputs_[kMaxInputs];
  Uniform uniforms_[kMaxUniforms];
};

}  // namespace tenure::gl
