#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {
namespace {

// X4: the input is read in texels of four channels. F4: the filter and the output are read and written in
// texels of four columns. TRANSPOSED: the filter is read in texels of four channels. Sizes and strides count
// what is read: texels or elements.
constexpr std::string_view kSource = R"(
  uniform int rows, columns, depth, x_pixel, x_step, x_matrix, f_row, f_column, f_tap, f_matrix;
  #if F4 || TRANSPOSED
  #define S T4
  #define BEGIN START
  #else
  #define S T
  #define BEGIN START1
  #endif
  #if GROUPED
  uniform int group_columns;
  #endif

  S product(int r, int c) {
    S s = BEGIN(c);
    int x_at = 0, f_at = c * f_column;
  #if BATCHED
    int b = idiv(r, rows);
    r -= b * rows;
    ivec2 m = matrices(b);
    x_at += m.x * x_matrix;
    f_at += m.y * f_matrix;
  #endif
  #if GROUPED
    x_at += idiv(c, group_columns) * depth;
  #endif
  #if WINDOW
    ivec3 corner = window_origin(r);
    ivec2 tap;
    for (tap.y = 0; tap.y < window.y; ++tap.y)
    for (tap.x = 0; tap.x < window.x; ++tap.x) {
      ivec2 at = corner.xy + tap * window.zw;
      if (!inside(at)) continue;
      int p = x_at + pixel(at, corner.z) * x_pixel, f = f_at + (tap.y * window.x + tap.x) * f_tap;
  #else
    {
      int p = x_at + r * x_pixel, f = f_at;
  #endif
      for (int k = 0; k < depth; ++k) {
  #if TRANSPOSED
        T4 v = x4(p + k);
        s += T4(dot(v, f4(f + k)), dot(v, f4(f + f_row + k)), dot(v, f4(f + 2 * f_row + k)),
                dot(v, f4(f + 3 * f_row + k)));
  #elif X4
        T4 v = x4(p + k);
        int j = f + k * 4 * f_row;
        s += v.x * f4(j) + v.y * f4(j + f_row) + v.z * f4(j + 2 * f_row) + v.w * f4(j + 3 * f_row);
  #elif F4
        s += x1(p + k * x_step) * f4(f + k * f_row);
  #else
        s += x1(p + k * x_step) * f1(f + k * f_row);
  #endif
      }
    }
    return s;
  }

  #if F4 || TRANSPOSED
  T4 texel(int i) {
    int r = idiv(i, columns), c = i - r * columns;
    return FINISH(product(r, c));
  }
  #else
  T element(int e) {
    int r = idiv(e, columns), c = e - r * columns;
    return FINISH1(product(r, c));
  }
  #endif
)"_glsl;

}  // namespace

void run_direct(const MatmulConv& p) {
  const int depth = p.g.group_in();
  const int columns = p.columns();
  const bool is_float = p.out.dtype() == DType::kFloat32;
  const bool grouped = p.g.groups > 1;
  const bool x_whole = depth % 4 == 0 && !p.transpose_x && !grouped && is_float;
  const bool columns_whole = columns % 4 == 0 && !grouped;
  const bool by_dots = p.transpose_filter && x_whole && columns_whole;
  const bool f_whole = columns_whole && !p.transpose_filter;
  const bool x_texels = x_whole && (f_whole || by_dots);
  const int x_unit = x_texels ? 4 : 1;
  const int f_unit = f_whole || by_dots ? 4 : 1;
  const bool texels = f_unit == 4;

  const int pixels = p.rows();
  Pass pass(program_name("product", p));
  pass.variant("X4", x_texels)
      .variant("F4", f_whole)
      .variant("TRANSPOSED", by_dots)
      .variant("GROUPED", grouped)
      .variant("BATCHED", p.batch != nullptr)
      .variant("WINDOW", !p.pointwise())
      .input("x", p.x)
      .input("f", p.filter)
      .set("rows", pixels)
      .set("columns", texels ? columns / 4 : columns)
      .set("depth", depth / x_unit)
      .set("x_pixel", p.transpose_x ? 1 : p.g.in_channels / x_unit)
      .set("x_step", p.transpose_x ? pixels : 1)
      .set("x_matrix", pixels * depth / x_unit)
      .set("f_row", by_dots              ? depth / 4
                    : p.transpose_filter ? 1
                                         : columns / f_unit)
      .set("f_column", by_dots              ? depth
                       : p.transpose_filter ? depth
                                            : 1)
      .set("f_tap", depth * columns / f_unit)
      .set("f_matrix", depth * columns / f_unit);
  if (grouped) pass.set("group_columns", p.g.group_out());
  if (!p.pointwise()) add_window(pass, p.g);
  if (p.batch) add_batch(pass, *p.batch);
  add_start(pass, p.bias);
  add_finish(pass, p);
  const std::string_view window = p.pointwise() ? "" : kWindowSource;
  const auto source = {epilogue_source(p), kFinishSource, window, kSource};
  texels ? pass.texels(p.out, source) : pass.elements(p.out, source);
}

}  // namespace tenure::gl
