#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/run/op.h"
#include "gl/shader/program.h"
#include "gl/shader/shader.h"

namespace tenure::gl {

class Texture;
enum class TexelType : unsigned char;

/// True if the CPU's kernels are faster than the device (Tuning::prefers_cpu), and work need not stay on it.
bool may_prefer_cpu();

/// Leaves to the CPU's kernel what this one cannot do; while programs are collected, nothing.
void leave_to_cpu(Op op, const KernelArgs& args);

/// One draw of a kernel: what it reads, and a GLSL function that gives its output.
///
///   void reverse_flat(const KernelArgs& args) {
///     Pass("reverse_flat")
///         .input("x", args.in[0])
///         .set("last", static_cast<int>(args.out.elements()) - 1)
///         .elements(args.out, "uniform int last;T element(int e){return x1(last-e);}");
///   }
///
/// An input x gives the source x1(e), element e, and x4(i), elements 4i to 4i + 3; T and T4 are the types of
/// an output's element and texel, so that one source serves float and int (bools are ints, 0 or 1). Elements
/// lie row major in texels of four, whatever the shape (gl/shader/layout.h), so that where the last dimension
/// divides by 4, a texel is four neighbours of it: worth a variant of its own. The last texel's elements
/// behind the end hold anything; so do no reading through x4 there. The functions of gl/shader/functions.h
/// are there when they are called; what counts elements or texels is divided with its over(e, d) and rest(e,
/// d).
///
/// There is one program for a name, the inputs' types and the variants, never for a shape: sizes are
/// uniforms. A kernel of several passes keeps what lies between in Tensor::deferred(spec). It stands in
/// lists/gl_kernels.def.
class Pass {
 public:
  static constexpr int kMostInputs = 8;

  explicit Pass(std::string_view name) : key_(name) {}

  /// `name` must be a literal, and no word of GLSL. The tensor is uploaded when the pass is drawn, and must
  /// live until then.
  Pass& input(const char* name, const Tensor& x);
  /// A picture's texture, which the source reads with texelFetch() itself; rows begin at the top.
  Pass& picture(const char* name, GLuint texture);
  /// #define macro value: another program for each value, so only for what has few.
  Pass& variant(std::string_view macro, std::string_view value);
  Pass& variant(std::string_view macro, int value);
  /// A line of GLSL before the source; part of the variant likewise.
  Pass& declare(std::string_view line);

  /// Values of uniforms that the source declares; a name must be a literal.
  Pass& set(const char* name, int value) { return set(name, Kind::kInt, {&value, 1}); }
  Pass& set(const char* name, float value);
  /// uniform ivec4
  Pass& set(const char* name, std::array<int, 4> values) { return set(name, Kind::kInt4, values); }
  /// uniform vec4
  Pass& set(const char* name, std::array<float, 4> values);
  /// uniform int name[n], at most eight of them
  Pass& set(const char* name, std::span<const int> values) { return set(name, Kind::kInts, values); }

  /// Says that the input lies better in a cache where the output is drawn tile by tile: for rasterizers on
  /// the CPU, which walk rows.
  Pass& by_tiles() {
    by_tiles_ = true;
    return *this;
  }

  /// Draws all of `out`. The parts of the source are joined; they matter the first time alone.
  void texels(Tensor& out, std::initializer_list<std::string_view> source) { draw(out, Per::kTexel, source); }
  void texels(Tensor& out, std::string_view source) { texels(out, {source}); }
  void elements(Tensor& out, std::initializer_list<std::string_view> source) {
    draw(out, Per::kElement, source);
  }
  void elements(Tensor& out, std::string_view source) { elements(out, {source}); }
  /// Another way to draw, for float outputs alone: the function void vertex(int v) sets t0, t1 and so on, at
  /// most sixteen, to `texels` texels that lie side by side in `out`, which has a multiple of them. No
  /// fragment can sum up as many outputs at a time. They are kept in float32 where other floats are in
  /// float16, so that sums are not rounded before they are activated.
  void vertices(Tensor& out, int texels, std::initializer_list<std::string_view> source);
  /// More elements are better not written by vertices: they, the buffer that catches them and what is made of
  /// them are in memory at the same time.
  static constexpr std::size_t kMostByVertices = 1 << 25;
  /// Draws the platform's canvas, which has this size.
  void canvas(int width, int height, std::string_view source);

 private:
  static constexpr int kMostUniforms = 28;
  enum class Kind : unsigned char { kInt, kFloat, kInt4, kFloat4, kInts };
  struct Uniform {
    const char* name;
    Kind kind;
    int count;
    int words[kMaxRank];
  };

  Pass& set(const char* name, Kind kind, std::span<const int> words);
  void draw(Tensor& out, Per per, std::initializer_list<std::string_view> source);
  Program& program_for(const TensorSpec& out, Per per, int vertex_texels,
                       std::initializer_list<std::string_view> source);
  /// Binds the program, the inputs and the uniforms, and makes a place for the output.
  const Texture& prepare(Program& program, Tensor& out, TexelType type);
  void find_textures();
  void bind(Program& program);

  std::string key_;
  std::string defines_;
  int input_count_ = 0;
  int uniform_count_ = 0;
  bool by_tiles_ = false;
  const Tensor* tensors_[kMostInputs];  ///< null for a picture
  GLuint textures_[kMostInputs];
  ShaderInput inputs_[kMostInputs];
  Uniform uniforms_[kMostUniforms];
};

}  // namespace tenure::gl
