#include "shape_util/resize.h"

#include "core/run/dispatch.h"
#include "gl/kernels.h"
#include "gl/shader/vec4_pass.h"

namespace tenure::gl {
namespace {

// An axis is (scale, shift, divisor, extent): output o is at (o * scale + shift) / divisor in the input. In
// integers, since the neighbours depend on how a quotient is rounded.
constexpr std::string_view kAt = R"(
  uniform ivec4 rows, columns;
  uniform int height, width, depth;

  V at(int e) {
    int p = idiv(e, depth),
        c = e - p * depth,
        r = idiv(p, width),
        n = idiv(r, height);
    int y = (r - n * height) * rows.x + rows.y,
        x = (p - r * width) * columns.x + columns.y;
)"_glsl;

constexpr std::string_view kNearest = R"(
    y = clamp(y / rows.z, 0, rows.w - 1);
    x = clamp(x / columns.z, 0, columns.w - 1);
    return X(((n * rows.w + y) * columns.w + x) * depth + c);
  }
)"_glsl;

// Positions before the first have the first as both neighbours. A neighbour with weight 0 is not read, as it
// may be NaN.
constexpr std::string_view kBilinear = R"(
    y = y < 0 ? 0 : y;
    x = x < 0 ? 0 : x;
    int top = y / rows.z, left = x / columns.z;
    float down = float(y - top * rows.z) / float(rows.z),
        across = float(x - left * columns.z) / float(columns.z);
    int bottom = down > 0. && top + 1 < rows.w ? top + 1 : top,
        right = across > 0. && left + 1 < columns.w ? left + 1 : left;
    top = (n * rows.w + top) * columns.w;
    bottom = (n * rows.w + bottom) * columns.w;
  #define AT(row, column) V(X((row + column) * depth + c))
    V a = AT(top, left), b = AT(top, right);
    a += (AT(bottom, left) - a) * down;
    b += (AT(bottom, right) - b) * down;
    return a + (b - a) * across;
  }
)"_glsl;

// share(): weight of input i in output o along an axis. REACH bounds the outputs that may have a weight; a
// few too many are visited.
constexpr std::string_view kNearestShare = R"(
  #define REACH 0

  float share(int i, int o, ivec4 axis) {
    return clamp((o * axis.x + axis.y) / axis.z, 0, axis.w - 1) == i ? 1. : 0.;
  }
)"_glsl;

constexpr std::string_view kBilinearShare = R"(
  #define REACH 1

  float share(int i, int o, ivec4 axis) {
    int y = o * axis.x + axis.y;
    y = y < 0 ? 0 : y;
    int low = y / axis.z;
    float part = float(y - low * axis.z) / float(axis.z);
    int high = part > 0. && low + 1 < axis.w ? low + 1 : low;
    return (low == i ? 1. - part : 0.) + (high == i ? part : 0.);
  }
)"_glsl;

constexpr std::string_view kBackward = R"(
  uniform ivec4 rows, columns;
  uniform int height, width, depth;

  ivec2 outputs_of(int i, ivec4 axis, int count) {
    if (axis.x == 0) return ivec2(0, count);
    int from = ((i - REACH) * axis.z - axis.y) / axis.x - 1,
        end = ((i + 1) * axis.z - axis.y) / axis.x + 2;
    return ivec2(i == 0 || from < 0 ? 0 : from, i == axis.w - 1 || end > count ? count : end);
  }

  V at(int e) {
    int p = e / depth,
        c = e - p * depth,
        r = p / columns.w,
        n = r / rows.w,
        i = r - n * rows.w,
        j = p - r * columns.w;
    V s = V(0);
    ivec2 down = outputs_of(i, rows, height),
        across = outputs_of(j, columns, width);
    for (int y = down.x; y < down.y; ++y) {
      float a = share(i, y, rows);
      if (a == 0.) continue;
      for (int x = across.x; x < across.y; ++x) {
        float b = share(j, x, columns);
        // A gradient with weight 0 may be NaN.
        if (b != 0.) s += X(((n * height + y) * width + x) * depth + c) * (a * b);
      }
    }
    return s;
  }
)"_glsl;

/// Runs a resize op or its gradient; `from` and `to` are the shapes that the forward op resizes.
void resize(const KernelArgs& args, Op op, const Shape& from, const Shape& to,
            decltype(bilinear_axis)& make_axis, std::string_view source) {
  if (!resize_positions_fit(from, to) || args.in[0].elements() == 0) return fall_back_to_cpu(op, args);
  const auto attrs = args.attrs.as<ResizeAttrs>();
  Vec4Pass pass(op_def(op).name, to[3] % 4 == 0);
  pass.input("x", args.in[0])
      .set("rows", make_axis(from[1], to[1], attrs))
      .set("columns", make_axis(from[2], to[2], attrs))
      .set("height", to[1])
      .set("width", to[2])
      .set("depth", pass.units(to[3]));
  pass.draw(args.out, source);
}

void forward(const KernelArgs& args, Op op, decltype(bilinear_axis)& make_axis, std::string_view source) {
  resize(args, op, args.in[0].shape(), args.out.shape(), make_axis, text(kAt, source));
}

void backward(const KernelArgs& args, Op op, decltype(bilinear_axis)& make_axis, std::string_view share) {
  resize(args, op, args.out.shape(), args.in[0].shape(), make_axis, text(share, kBackward));
}

}  // namespace

void resize_nearest_neighbor(const KernelArgs& args) {
  forward(args, Op::resize_nearest_neighbor, nearest_axis, kNearest);
}

void resize_bilinear(const KernelArgs& args) { forward(args, Op::resize_bilinear, bilinear_axis, kBilinear); }

void resize_nearest_neighbor_backprop(const KernelArgs& args) {
  backward(args, Op::resize_nearest_neighbor_backprop, nearest_axis, kNearestShare);
}

void resize_bilinear_backprop(const KernelArgs& args) {
  backward(args, Op::resize_bilinear_backprop, bilinear_axis, kBilinearShare);
}

}  // namespace tenure::gl
