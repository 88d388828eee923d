// Custom ops of MediaPipe's face mesh with attention.

#include "import/tflite/families.h"
#include "import/tflite/rare/custom_options.h"
#include "import/tflite/rare/flexbuffer.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

Tensor count_up(std::int32_t count, const Shape& shape) { return reshape(range({.count = count}), {shape}); }

Tensor number(double value) { return Tensor::scalar(static_cast<float>(value)); }

/// Returns element `at` of the first two rows of a matrix [1, 4, 4], as a scalar.
Tensor matrix_element(const Tensor& matrix, int row, int column) {
  return reshape(slice(matrix, {{0, row, column}, {1, 1, 1}}), {Shape{}});
}

void check_matrix(const Tensor& matrix) {
  check_shape(matrix.shape() == Shape{1, 4, 4}, "expected a matrix [1, 4, 4], got ", matrix.shape());
}

/// Returns x and y of some landmarks of [1, n, 3], as vectors.
std::pair<Tensor, Tensor> pick_landmarks(const Tensor& landmarks, const std::vector<std::int32_t>& indices) {
  for (const std::int32_t index : indices)
    check_shape(index >= 0 && index < landmarks.dim(1), "it reads landmark ", index, " of ",
                landmarks.shape());
  const auto count = static_cast<std::int32_t>(indices.size());
  const Tensor rows = gather(reshape(landmarks, {Shape{-1, landmarks.dim(2)}}),
                             Tensor::from(std::span<const std::int32_t>(indices), {count}), {.axis = 0});
  const auto column = [&](std::int32_t at) {
    return reshape(slice(rows, {{0, at}, {count, 1}}), {Shape{-1}});
  };
  return {column(0), column(1)};
}

/// Returns the matrix [1, 4, 4] that leads from a region around landmarks to the whole image: it turns two
/// landmarks to a given angle, and scales the box around some of them.
Tensor landmarks_to_matrix(const Call& call) {
  const Tensor& landmarks = call[0];
  check_shape(
      call.node().version == 2 && landmarks.rank() == 3 && landmarks.dim(0) == 1 && landmarks.dim(2) >= 2,
      "version 2 with landmarks [1, n, 3] is supported, got version ", call.node().version, " with ",
      landmarks.shape());
  const Attributes options = read_flexbuffer(read_option_bytes(call));
  const auto positive = [&](std::string_view name) {
    const double value = options.number(name, 0);
    check(value > 0 && value < 1 << 24, "its ", name, " is ", value);
    return value;
  };
  const auto [ends_x, ends_y] = pick_landmarks(
      landmarks, {options.integer("left_rotation_idx", -1), options.integer("right_rotation_idx", -1)});
  const auto difference = [](const Tensor& ends) {
    return reshape(sub(slice(ends, {{1}, {1}}), slice(ends, {{0}, {1}})), {Shape{}});
  };
  const Tensor rotation = sub(number(options.number("target_rotation_radians", 0)),
                              atan2(difference(ends_y), difference(ends_x)));
  const Tensor cosine = run(Op::cos, {&rotation});
  const Tensor sine = run(Op::sin, {&rotation});
  const auto [x, y] = pick_landmarks(landmarks, options.integers("subset_idxs"));
  const Tensor turned_x = sub(mul(x, cosine), mul(y, sine));
  const Tensor turned_y = add(mul(x, sine), mul(y, cosine));
  const auto extent = [](const Tensor& values) { return sub(max(values), min(values)); };
  const auto middle = [](const Tensor& values) { return mul(add(max(values), min(values)), number(0.5)); };
  const Tensor center_x = add(mul(middle(turned_x), cosine), mul(middle(turned_y), sine));
  const Tensor center_y = sub(mul(middle(turned_y), cosine), mul(middle(turned_x), sine));
  const double width = positive("output_width");
  const double height = positive("output_height");
  const Tensor scale_x = mul(extent(turned_x), number(positive("scale_x") / width));
  const Tensor scale_y = mul(extent(turned_y), number(positive("scale_y") / height));
  const Tensor a = mul(cosine, scale_x);
  const Tensor b = mul(sine, scale_y);
  const Tensor c = neg(mul(sine, scale_x));
  const Tensor d = mul(cosine, scale_y);
  const auto shifted = [&](const Tensor& center, const Tensor& along_x, const Tensor& along_y) {
    return sub(center, add(mul(along_x, number(width / 2)), mul(along_y, number(height / 2))));
  };
  const Tensor zero = number(0);
  const Tensor one = number(1);
  const Tensor elements = stack({a, b, zero, shifted(center_x, a, b), c, d, zero, shifted(center_y, c, d),
                                 zero, zero, one, zero, zero, zero, zero, one},
                                {0});
  return reshape(elements, {Shape{1, 4, 4}});
}

/// Multiplies x and y of landmarks [1, n, 2 or 3] by a matrix [1, 4, 4].
Tensor transformed_landmarks(const Call& call) {
  const Tensor& landmarks = call[0];
  const Tensor& matrix = call[1];
  check_matrix(matrix);
  check_shape(call.node().version == 2 && landmarks.rank() == 3 && landmarks.dim(0) == 1 &&
                  (landmarks.dim(2) == 2 || landmarks.dim(2) == 3),
              "version 2 with landmarks [1, n, 3] is supported, got version ", call.node().version, " with ",
              landmarks.shape());
  const std::int32_t count = landmarks.dim(1);
  const auto column = [&](std::int32_t at) { return slice(landmarks, {{0, 0, at}, {1, count, 1}}); };
  const auto coordinate = [&](int row) {
    return add(
        add(mul(column(0), matrix_element(matrix, row, 0)), mul(column(1), matrix_element(matrix, row, 1))),
        matrix_element(matrix, row, 3));
  };
  std::vector<Tensor> columns{coordinate(0), coordinate(1)};
  if (landmarks.dim(2) == 3) columns.push_back(column(2));
  return concat(Tensors(columns.begin(), columns.end()), {2});
}

/// Samples images [1, h, w, c] where a matrix [1, 4, 4] places the pixels of the output, between pixels
/// bilinearly, and 0 outside.
Tensor transformed_images(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& matrix = call[1];
  check_matrix(matrix);
  check_shape(call.node().version == 2 && x.rank() == 4 && x.dim(0) == 1,
              "version 2 with images [1, h, w, c] is supported, got version ", call.node().version, " with ",
              x.shape());
  const Attributes options = read_flexbuffer(read_option_bytes(call));
  const std::int32_t height = options.integer("output_height", 0);
  const std::int32_t width = options.integer("output_width", 0);
  check(height > 0 && width > 0, "its output has the extents ", height, " and ", width);
  const Tensor half = number(0.5);
  const Tensor columns = count_up(width, {1, width});
  const Tensor rows = count_up(height, {height, 1});
  std::vector<Tensor> transforms;
  Tensor is_inside;
  for (int row = 0; row < 2; ++row) {
    const Tensor a = matrix_element(matrix, row, 0);
    const Tensor b = matrix_element(matrix, row, 1);
    // Positions are those of the pixels' centers.
    const Tensor shift = sub(add(matrix_element(matrix, row, 3), mul(add(a, b), half)), half);
    const Tensor position = add(add(mul(columns, a), mul(rows, b)), shift);
    const Tensor is_between = logical_and(greater_equal(position, number(0)),
                                          less_equal(position, number(x.dim(row == 0 ? 2 : 1) - 1)));
    is_inside = is_inside ? logical_and(is_inside, is_between) : is_between;
    transforms.insert(transforms.end(), {a, b, shift});
  }
  transforms.insert(transforms.end(), {number(0), number(0)});
  const Tensor matrices = reshape(stack(Tensors(transforms.begin(), transforms.end()), {0}), {Shape{1, 8}});
  const Tensor sampled = run(Op::transform, {&x, &matrices},
                             AttrsView(TransformAttrs{.height = height, .width = width, .bilinear = true}));
  return where(reshape(is_inside, {Shape{1, height, width, 1}}), sampled, number(0));
}

constexpr OpRow kRows[] = {
    {kCustom, {"Landmarks2TransformMatrix", landmarks_to_matrix}},
    {kCustom, {"TransformLandmarks", transformed_landmarks}},
    {kCustom, {"TransformTensorBilinear", transformed_images}},
};

}  // namespace

std::span<const OpRow> landmark_rows() { return kRows; }

}  // namespace tenure::tflite
