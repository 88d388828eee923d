#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/text.h"
#include "gl/device/context.h"
#include "gl/device/tuning.h"
#include "gl/shader/glsl.h"
#include "gl/shader/program.h"
#include "gl/shader/shader.h"

namespace tenure::gl {
namespace {

/// Milliseconds after which the second program is not compiled. Compiling the first takes most of them.
constexpr double kBudget = 25;
/// Minimum duration of a timed draw in milliseconds. It is also at least that of a draw that does next to
/// nothing, since waits in browsers vary by as much.
constexpr double kMinDrawMs = 1;
/// Minimum duration of a timed draw in clock steps, which are 1 ms in some browsers.
constexpr double kMinClockSteps = 6;

/// Side of the source texture: 64 x 64 texels.
constexpr int kSide = 64;
constexpr int kMaxSide = 512;
constexpr int kMinSteps = 16;
constexpr int kMaxSteps = 4096;
/// Multiply-adds per texel read in the inner loops of gl/matmul/matmul_conv_direct.cpp and
/// gl/matmul/matmul_conv_tile.cpp.
constexpr double kProductsOfFragments = 3.2;
constexpr double kProductsOfTiles = 16;
/// Output texels of a vertex.
constexpr int kVertexTexels = 4;

/// Modes of the fragment program. One program serves all, as compiling takes longer than all measurements.
enum class Mode { kTexelFetch, kByLod, kDivide };

constexpr std::string_view kHead = R"(
  #version 300 es
  precision highp float;
  precision highp int;
  precision highp sampler2D;
  uniform sampler2D x;
  uniform int steps, mode;

  vec2 at(int i) { return vec2(i & 63, i & 4032) * vec2(.015625, .000244140625) + .0078125; }
)"_glsl;

// Without mipmaps, texture(), which the engine's fragment shaders use, differs from textureLod() in speed
// alone. The divisions are the hardest to round: the largest multiple of each divisor below the limit, and
// the number before it, divided as idiv() of gl/shader/functions.h does.
constexpr std::string_view kFragments = R"(
  out vec4 r;

  void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int i = p.y * 64 + p.x;
    r = vec4(0);
    if (mode == 0) {
      for (int k = 0; k < steps; ++k, i += 65) r = r * .5 + texelFetch(x, ivec2(i & 63, i >> 6 & 63), 0);
    } else if (mode == 1) {
      for (int k = 0; k < steps; ++k, i += 65) r = r * .5 + texture(x, at(i));
    } else {
      int d = i < 512 ? i + 1 : 512 + (i - 512) * 127, e = 4194303 / d * d;
      r.xy = vec2(int((float(e) + .5) / float(d)), int((float(e - 1) + .5) / float(d)));
    }
  }
)"_glsl;
static_assert(ShaderFrame::kMaxFloatDividend == 4194304);

/// Returns the divisor of fragment i, as in kFragments: all small ones, and some large ones.
int get_divisor(int i) { return i < 512 ? i + 1 : 512 + (i - 512) * 127; }

/// Each texel read is used in sixteen multiply-adds, as in a tile.
constexpr std::string_view kVertices = R"(
  out vec4 t0, t1, t2, t3;

  void main() {
    int i = gl_VertexID * 7;
    vec4 p = vec4(1), a = vec4(0), b = a, c = a, d = a;
    for (int k = 0; k < steps; ++k, i += 65) {
      vec4 v = textureLod(x, at(i), 0.);
      a += v.x * p;
      b += v.y * p;
      c += v.z * p;
      d += v.w * p;
      p = v;
    }
    t0 = a;
    t1 = b;
    t2 = c;
    t3 = d;
    gl_Position = vec4(0);
  }
)"_glsl;

/// Measures the device of one context.
class Probe {
 public:
  explicit Probe(Context& gl) : gl_(gl), source_(gl.textures().take({gl.float_type(), kSide, kSide})) {
    std::vector<float> values(std::size_t{kSide} * kSide * 4);
    // Multiples of 1/64, which float16 represents exactly.
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 64) / 64 - 0.5F;
    gl_.bind_for_upload(source_.id());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_FLOAT, values.data());
    constexpr std::array kNames{"x"};
    fragments_ = std::make_unique<ShaderProgram>(gl.programs().vertex_shader(), GL_FRAGMENT_SHADER,
                                                 text(kHead, kFragments), kNames, 0);
  }

  /// Fills in one rate after another, so that a throw keeps those measured before it.
  void measure(DeviceRates& rates, bool complete) {
    // With a stopped clock, as page tests may mock it, draws would grow without end.
    if (clock_step_ == 0) return;
    double texel_time = grow();
    const double fetches = static_cast<double>(side_) * side_ * steps_;
    const Row expected = row_;
    double lod_time = measure_time(1, [&] { draw(Mode::kByLod); });
    const bool same_texels = is_near(row_, expected);
    // Alternating, so that other load on the machine affects both.
    for (int i = 0; i < 2; ++i) {
      texel_time = std::min(texel_time, measure_time(1, [&] { draw(Mode::kTexelFetch); }));
      lod_time = std::min(lod_time, measure_time(1, [&] { draw(Mode::kByLod); }));
    }
    rates.texel_fetches = fetches / texel_time;
    if (same_texels) rates.lod_fetches = fetches / lod_time;
    rates.fragment_products = std::max(rates.texel_fetches, rates.lod_fetches) * kProductsOfFragments;
    rates.exact_division = divides_exactly();
    rates.milliseconds = elapsed();
    // At such a cost per fetch, tiles are faster in any case: they fetch a fifth of the texels.
    if (!complete && (is_slower_than_cpu(rates) || elapsed() > kBudget)) return;
    start_vertices();
    draw_vertices();
    rates.vertex_products = fetches * kProductsOfTiles / measure_time(2, [&] { draw_vertices(); });
    rates.milliseconds = elapsed();
  }

 private:
  using Row = std::array<float, std::size_t{kSide} * 4>;

  /// True if rows differ by no more than fused multiply-adds explain. Another texel differs by more.
  static bool is_near(const Row& a, const Row& b) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [](float x, float y) { return std::abs(x - y) < 1e-3F; });
  }

  /// Returns the resolution of the clock in milliseconds, or 0 if it stands still.
  static double measure_clock_step() {
    constexpr int kMaxReads = 100'000;
    double edges[3] = {clock()};
    for (int edge = 1; edge < 3; ++edge) {
      edges[edge] = edges[edge - 1];
      for (int i = 0; i < kMaxReads && edges[edge] == edges[edge - 1]; ++i) edges[edge] = clock();
    }
    return edges[2] - edges[1];
  }

  static double clock() { return microseconds() / 1e3; }
  double elapsed() const { return clock() - start_; }

  void use(ShaderProgram& program) {
    gl_.use(program);
    gl_.bind_texture(0, source_.id());
    glUniform1i(program.location("steps"), steps_);
  }

  /// Waits for what was drawn to the target by reading its first row.
  void wait() { glReadPixels(0, 0, kSide, 1, GL_RGBA, GL_FLOAT, row_.data()); }

  void draw(Mode mode) {
    const Texture target = gl_.textures().take({gl_.float_type(), side_, side_});
    use(*fragments_);
    glUniform1i(fragments_->location("mode"), static_cast<GLint>(mode));
    gl_.set_target(target.id(), side_, side_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    wait();
  }

  void start_vertices() {
    constexpr std::array kNames{"x"};
    vertices_ = std::make_unique<ShaderProgram>(gl_.programs().empty_fragment_shader(), GL_VERTEX_SHADER,
                                                text(kHead, kVertices), kNames, kVertexTexels);
  }

  /// Makes as many fetches as draw(), in fewer vertices than draw() has fragments.
  void draw_vertices() {
    const Texture target = gl_.textures().take({gl_.float_type(), kSide, kSide});
    const int steps = steps_;
    const GLsizei count = side_ * side_ / kVertexTexels;
    steps_ *= kVertexTexels;
    use(*vertices_);
    steps_ = steps;
    gl_.feedback_buffer().draw(count, static_cast<std::size_t>(count) * kVertexTexels * 4 * sizeof(float));
    gl_.bind_for_upload(target.id());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_FLOAT, nullptr);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl_.set_target(target.id(), kSide, kSide);
    wait();
  }

  /// Returns the shortest of `count` calls in milliseconds.
  template <class Call>
  static double measure_best(int count, const Call& call) {
    double best = 0;
    for (int i = 0; i < count; ++i) {
      const double start = clock();
      call();
      const double time = clock() - start;
      best = i == 0 ? time : std::min(best, time);
    }
    return best;
  }

  /// Returns the shortest of `count` calls in seconds, less that of a draw that does next to nothing.
  template <class Call>
  double measure_time(int count, const Call& call) const {
    // No browser's clock has a finer resolution.
    constexpr double kResolution = 0.005;
    return std::max(measure_best(count, call) - idle_, kResolution) / 1e3;
  }

  /// Lengthens draws until they can be timed, with more fragments first and more steps each then. Returns the
  /// seconds of the longest draw.
  double grow() {
    const auto draw_texels = [&] { draw(Mode::kTexelFetch); };
    steps_ = 1;
    draw_texels();
    idle_ = measure_best(3, draw_texels);
    steps_ = kMinSteps;
    const double enough = std::max({kMinDrawMs, idle_, kMinClockSteps * clock_step_});
    double time = measure_time(1, draw_texels) * 1e3;
    while (time < enough && steps_ < kMaxSteps) {
      double factor = std::clamp(1.3 * enough / time, 2.0, 16.0);
      for (; factor >= 4 && side_ < kMaxSide; factor /= 4) side_ *= 2;
      steps_ = static_cast<int>(std::ceil(steps_ * factor));
      time = measure_time(1, draw_texels) * 1e3;
    }
    return time / 1e3;
  }

  bool divides_exactly() {
    // float16 cannot represent the quotients.
    if (gl_.float_type() != TexelType::kFloat) return false;
    constexpr int kRows = 16;
    const Texture target = gl_.textures().take({gl_.float_type(), kSide, kSide});
    use(*fragments_);
    glUniform1i(fragments_->location("mode"), static_cast<GLint>(Mode::kDivide));
    gl_.set_target(target.id(), kSide, kSide);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    std::vector<float> quotients(std::size_t{kSide} * kRows * 4);
    glReadPixels(0, 0, kSide, kRows, GL_RGBA, GL_FLOAT, quotients.data());
    for (int i = 0; i < kSide * kRows; ++i) {
      const int expected = static_cast<int>(ShaderFrame::kMaxFloatDividend - 1) / get_divisor(i);
      const float* got = &quotients[static_cast<std::size_t>(i) * 4];
      // The number before a multiple of d has a quotient one less; so it is for d = 1, too.
      if (got[0] != static_cast<float>(expected) || got[1] != static_cast<float>(expected - 1)) return false;
    }
    return true;
  }

  double start_ = clock();
  double clock_step_ = measure_clock_step();
  Context& gl_;
  Texture source_;
  std::unique_ptr<ShaderProgram> fragments_;
  std::unique_ptr<ShaderProgram> vertices_;
  double idle_ = 0;
  int side_ = kSide;
  int steps_ = kMinSteps;
  Row row_{};
};

}  // namespace

DeviceRates measure_rates(Context& context, bool complete) {
  DeviceRates rates;
  try {
    Probe(context).measure(rates, complete);
  } catch (const Error&) {
    // A driver that rejects one of the probe's programs may still accept the engine's. Rates not measured
    // stay zero.
    rates.exact_division = false;
  }
  context.textures().trim();
  context.feedback_buffer().trim();
  while (glGetError() != GL_NO_ERROR) {
  }
  return rates;
}

}  // namespace tenure::gl
