#include "gl/matmul/matmul_conv_tile.h"

#include <string_view>

#include "gl/shader/glsl.h"

namespace tenure::gl {
namespace {

// MULTIPLY and other names in capitals that are no macros are replaced by what make_source() generates.
constexpr std::string_view kSource = R"(
  uniform int rows, pairs, depth, run, steps;
  #if BATCHED
  uniform int tiles, x_matrix, f_matrix;
  #endif
  #if WINDOW
  uniform int blocks;
  #endif

  // Four channels of four columns
  #define FILTER(b)                                                                                 \
    mat4(textureLod(f, vec2(b.x + w, b.y), 0.), textureLod(f, vec2(b.x + w + df, b.y), 0.),         \
         textureLod(f, vec2(b.x + w + 2. * df, b.y), 0.), textureLod(f, vec2(b.x + w + 3. * df, b.y), 0.))

  void vertex(int v) {
    int q = idiv(v, pairs),
        g = (v - q * pairs) * 2,
        x0 = 0,
        f0 = g * steps * run * 4;
  #if BATCHED
    int b = idiv(q, tiles);
    ivec2 matrix = matrices(b);
    q -= b * tiles;
    x0 += matrix.x * x_matrix;
    f0 += matrix.y * f_matrix;
  #endif
    // Rows past the end repeat the last row.
    int r = q * 8, last = rows - 1;
  #if WINDOW
    // One division for eight rows: each row's coordinates are incremented from those of the row before.
    int y = idiv(r, sizes.z), column = r - y * sizes.z, n = idiv(y, sizes.w);
    y -= n * sizes.w;
    bool end;
    WINDOW_ORIGINS
    int block = 0;
    ivec2 tap = ivec2(0);
  #else
    ROW_ORIGINS
  #endif
    float dx = intBitsToFloat(x_.z), df = intBitsToFloat(f_.z);
    vec4 start = START(g);
    START_FIRST
    start = START(g + 1);
    START_SECOND
    for (int j = 0; j < steps; ++j) {
  #if WINDOW
      ivec2 d = tap * window.zw;
      int o = (d.y * sizes.x + d.x) * depth + block * run;
  #else
      int o = j * run;
  #endif
  #if PADDED
      MASKED_COORDINATES
  #else
      COORDINATES
  #endif
      int fj = f0 + j * run * 4;
      vec2 b0 = f_at(fj), b1 = f_at(fj + steps * run * 4);
      float u = 0., w = 0.;
  #if UNROLLED
      for (int k = 0; k < run; k += 2) {
        MULTIPLY
        MULTIPLY
      }
  #else
      MULTIPLY
  #endif
  #if WINDOW
      bool end = ++block == blocks;
      block = end ? 0 : block;
      tap.x += int(end);
      end = tap.x == window.x;
      tap.x = end ? 0 : tap.x;
      tap.y += int(end);
  #endif
    }
    RESULTS
  }
)"_glsl;

// Multiplies four channels of each row by four channels of eight columns. On SwiftShader, mat4 * vec4 is
// faster than the sum of scaled columns, and incrementing coordinates is faster than computing them from
// indices.
constexpr std::string_view kMultiply = R"(
  {
  #if PADDED
    MASKED_READS
  #else
    READS
  #endif
    mat4 m = FILTER(b0);
    ADD_FIRST
    m = FILTER(b1);
    ADD_SECOND
    u += dx;
    w += 4. * df;
  }
)"_glsl;

// c: position of the first tap. p: index of its first texel.
constexpr std::string_view kWindowOrigin = R"(
  ivec2 c$ = ivec2(column, y) * slide.xy - slide.zw;
  int p$ = pixel(c$, n) * depth;
  column += int(r + $ < last);
  end = column == sizes.z;
  column = end ? 0 : column;
  y += int(end);
  end = y == sizes.w;
  y = end ? 0 : y;
  n += int(end);
)"_glsl;

// A bit mask instead of a factor: the pixel that is read for padding may be infinite.
constexpr std::string_view kMaskedCoordinate = R"(
  int m$ = -int(inside(c$ + d));
  vec2 a$ = x_at((p$ + o) & m$);
)"_glsl;

/// Repeats the pattern for each row of a tile, with $ replaced by the row and @ by the index of its texel in
/// the second group. GLSL arrays would be shorter, but SwiftShader keeps them in memory.
std::string each(std::string_view pattern) {
  std::string result;
  for (int row = 0; row < kTileM; ++row) result += substitute(pattern, {{"$", row}, {"@", row + kTileM}});
  return result;
}

std::string make_source() {
  const std::string multiply = substitute(
      kMultiply,
      {{"MASKED_READS",
        each("vec4 v$ = intBitsToFloat(floatBitsToInt(textureLod(x, vec2(a$.x + u, a$.y), 0.)) & m$);"_glsl)},
       {"READS", each("vec4 v$ = textureLod(x, vec2(a$.x + u, a$.y), 0.);"_glsl)},
       {"ADD_FIRST", each("s$ += m * v$;"_glsl)},
       {"ADD_SECOND", each("s@ += m * v$;"_glsl)}});
  return substitute(kSource, {{"WINDOW_ORIGINS", each(kWindowOrigin)},
                              {"ROW_ORIGINS", each("int p$ = x0 + min(r + $, last) * depth;"_glsl)},
                              {"START_FIRST", each("vec4 s$ = start;"_glsl)},
                              {"START_SECOND", each("vec4 s@ = start;"_glsl)},
                              {"MASKED_COORDINATES", each(kMaskedCoordinate)},
                              {"COORDINATES", each("vec2 a$ = x_at(p$ + o);"_glsl)},
                              {"MULTIPLY", multiply},
                              {"RESULTS", each("t$ = s$; t@ = s@;"_glsl)}});
}

}  // namespace

const std::string& tile_source() {
  static const std::string kVertexSource = make_source();
  return kVertexSource;
}

}  // namespace tenure::gl
