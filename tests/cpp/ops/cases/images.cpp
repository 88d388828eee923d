#include <algorithm>
#include <cmath>

#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {
namespace {

double source(std::int32_t o, std::int32_t in, std::int32_t out, const ResizeAttrs& attrs, bool centre) {
  const bool corners = attrs.align_corners && out > 1;
  const double ratio = static_cast<double>(corners ? in - 1 : in) / (corners ? out - 1 : out);
  return attrs.half_pixel_centers ? ratio * (o + 0.5) - (centre ? 0.5 : 0) : ratio * o;
}

/// Returns a reference that computes one pixel at a time.
Reference resized(Op op, const ResizeAttrs& attrs) {
  return [=](const Tensors& in) {
    const Tensor& x = in[0];
    const bool is_bilinear = op == Op::resize_bilinear;
    std::vector<double> values;
    moves::for_each_index({x.dim(0), attrs.height, attrs.width, x.dim(3)}, [&](const Dims& at, std::size_t) {
      const auto pixel = [&](double row, double column) {
        const int y = std::clamp(static_cast<int>(row), 0, x.dim(1) - 1);
        const int z = std::clamp(static_cast<int>(column), 0, x.dim(2) - 1);
        return moves::number_at(x, moves::position_of(x.shape(), {at[0], y, z, at[3]}));
      };
      const double y = source(at[1], x.dim(1), attrs.height, attrs, is_bilinear);
      const double z = source(at[2], x.dim(2), attrs.width, attrs, is_bilinear);
      if (!is_bilinear) {
        values.push_back(attrs.align_corners ? pixel(std::floor(y + 0.5), std::floor(z + 0.5)) : pixel(y, z));
        return;
      }
      const double top = std::max(0.0, std::floor(y));
      const double left = std::max(0.0, std::floor(z));
      const auto between = [&](double row) {
        return pixel(row, left) + (pixel(row, std::ceil(z)) - pixel(row, left)) * (z - left);
      };
      values.push_back(between(top) + (between(std::ceil(y)) - between(top)) * (y - top));
    });
    return values;
  };
}

void add_resized(Table& table, const Shape& shape, const ResizeAttrs& attrs, bool is_exact) {
  for (const Op op : {Op::resize_bilinear, Op::resize_nearest_neighbor}) {
    Options options{.exact = 1e-5};
    if (is_exact) options.reference = resized(op, attrs);
    table.add(op, {floats(shape).within(-2, 2)}, attrs, options);
    if (shape.elements() < 1000) table.add(op, {ints(shape)}, attrs, options);
  }
}

void add_resize(Table& table) {
  const auto with_modes = [&](const Shape& shape, std::int32_t height, std::int32_t width, bool is_exact) {
    add_resized(table, shape, {height, width, false, false}, is_exact);
    add_resized(table, shape, {height, width, true, false}, is_exact);
    add_resized(table, shape, {height, width, false, true}, is_exact);
  };
  struct Size {
    Shape shape;
    std::int32_t height;
    std::int32_t width;
  };
  for (const Size& c : std::initializer_list<Size>{
           {{1, 1, 1, 1}, 1, 1},
           {{1, 2, 2, 1}, 4, 4},
           {{1, 4, 5, 2}, 7, 3},
           {{2, 3, 5, 3}, 7, 4},
           {{1, 9, 7, 4}, 4, 5},
           {{1, 4, 4, 5}, 1, 1},
           {{1, 6, 4, 11}, 3, 8},
           {{1, 1, 5, 2}, 3, 11},
           {{1, 10, 10, 1}, 3, 3},
           {{2, 9, 23, 3}, 4, 5},
           {{1, 5, 40, 5}, 9, 4},
           {{1, 7, 50, 1}, 3, 5},
           {{0, 2, 2, 1}, 3, 3},
           {{2, 2, 2, 0}, 3, 3},
       }) {
    with_modes(c.shape, c.height, c.width, true);
  }
  for (const std::int32_t height : {1, 5, 7, 14, 20}) {
    for (const std::int32_t width : {1, 4, 9, 16}) {
      for (const std::int32_t channels : {1, 3, 4}) with_modes({2, 7, 5, channels}, height, width, true);
    }
  }
  for (const bool half_pixels : {false, true})
    add_resized(table, {1, 480, 641, 3}, {.height = 224, .width = 224, .half_pixel_centers = half_pixels},
                false);
  // The largest indices that a shader's int holds.
  with_modes({1, 1, 32767, 1}, 1, 32749, false);
  for (const bool aligned : {false, true}) {
    const ResizeAttrs back{4, 5, aligned, !aligned};
    table.add(Op::resize_bilinear_backprop, {floats({1, 7, 3, 2})}, back);
    table.add(Op::resize_nearest_neighbor_backprop, {floats({1, 2, 9, 2})}, back);
    for (const Shape& dy : {Shape{2, 11, 3, 4}, Shape{1, 1, 5, 8}, Shape{1, 4, 17, 3}}) {
      table.add(Op::resize_bilinear_backprop, {floats(dy)}, back);
      table.add(Op::resize_bilinear_backprop, {floats(dy)}, ResizeAttrs{4, 5, aligned, false});
      table.add(Op::resize_nearest_neighbor_backprop, {floats(dy)}, back);
      table.add(Op::resize_nearest_neighbor_backprop, {floats(dy)}, ResizeAttrs{1, 5, aligned, false});
    }
  }
}

void add_colours(Table& table) {
  for (const DType dtype : {DType::kFloat32, DType::kInt32}) {
    table.add(Op::rgb_to_grayscale, {of_type(dtype, {2, 2, 3})});
    table.add(Op::grayscale_to_rgb, {of_type(dtype, {2, 2, 1})});
    table.add(Op::flip_left_right, {of_type(dtype, {1, 3, 4, 2})});
    table.add(Op::crop_and_resize,
              {of_type(dtype, {2, 4, 5, 3}),
               given({3, 4}, {0, 0, 1, 1, 0.2, 0.9, 0.7, 0.1, -0.3, 0.1, 1.4, 0.6}).fixed(),
               indices({3}, {0, 1, 1})},
              CropAttrs{.height = 3, .width = 2, .outside = 7});
  }
  for (const bool otsu : {false, true}) {
    for (const std::int32_t channels : {1, 3}) {
      table.add(Op::threshold, {floats({4, 5, channels}).within(0, 255)},
                ThresholdAttrs{.value = 0.4F, .otsu = otsu}, {.skip_gradients = "black or white"});
    }
  }
  for (const FillMode mode : {FillMode::kConstant, FillMode::kReflect, FillMode::kWrap, FillMode::kNearest}) {
    for (const bool bilinear : {false, true}) {
      table.add(Op::transform,
                {floats({2, 4, 5, 2}), given({1, 8}, {0.9, 0.2, -1.3, -0.1, 1.1, 0.4, 0.01, 0.02}).fixed()},
                TransformAttrs{.height = 5, .width = 4, .bilinear = bilinear, .fill_mode = mode, .fill = 3});
    }
  }
  table.add(Op::rotate_with_offset, {floats({1, 4, 5, 3})},
            RotateAttrs{.radians = 0.6F, .red = 4, .opacity = 7},
            {.skip_gradients = "made of transform, which has no gradient"});
  table.add(Op::non_max_suppression,
            {given({4, 4}, {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 2, 1, 3, 0, 0, 1, 0.9}),
             given({4}, {0.9, 0.75, 0.6, 0.3})},
            SuppressionAttrs{.max_output_size = 3}, {.skip_gradients = "on the host"});
}

}  // namespace

void add_images(Table& table) {
  add_resize(table);
  add_colours(table);
}

}  // namespace tenure::cases
