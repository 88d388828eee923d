// Poolings with pads, strides, dilations and rounded numbers of windows, compared with sums over their
// pixels.

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

using Numbers = std::vector<std::int64_t>;

struct Pooling {
  std::string_view op;
  Numbers image;  ///< the spatial extents; there are 2 channels
  Numbers kernel;
  Numbers strides;
  Numbers dilations;
  Numbers pads;
  bool rounds_up = false;
  bool counts_pads = false;
};

constexpr int kChannels = 2;

Tensor make_images(const Shape& shape) {
  Tensor x({shape, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i) * 1.7F);
  return x;
}

std::string attributes(const Pooling& how) {
  return ints_attribute("kernel_shape", how.kernel) + ints_attribute("strides", how.strides) +
         ints_attribute("dilations", how.dilations) + ints_attribute("pads", how.pads) +
         int_attribute("ceil_mode", how.rounds_up ? 1 : 0) +
         int_attribute("count_include_pad", how.counts_pads ? 1 : 0);
}

Tensor pool(const Pooling& how, const Tensor& x) {
  const std::string file =
      proto::model(node(how.op, {"x"}, {"y"}, attributes(how)) + input(value("x", kFloat, {}, false)) +
                       output(value("y", kFloat, {}, false)),
                   19);
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

std::int64_t count_windows(const Pooling& how, std::size_t axis) {
  const std::size_t axes = how.image.size();
  const std::int64_t reach = (how.kernel[axis] - 1) * how.dilations[axis] + 1;
  const std::int64_t room = how.image[axis] + how.pads[axis] + how.pads[axis + axes] - reach;
  const std::int64_t stride = how.strides[axis];
  std::int64_t count = (room + (how.rounds_up ? stride - 1 : 0)) / stride + 1;
  if (how.rounds_up && (count - 1) * stride >= how.image[axis] + how.pads[axis]) --count;
  return count;
}

/// Returns the result of one window of an image, whose number has a digit for each axis.
float pool_window(const Pooling& how, const float* image, const Numbers& window) {
  const std::size_t axes = how.image.size();
  double sum = 0;
  float largest = -std::numeric_limits<float>::infinity();
  int count = 0;
  Numbers tap(axes, 0);
  while (true) {
    std::int64_t at = 0;
    bool is_pixel = true;
    bool is_pad = true;
    for (std::size_t i = 0; i < axes; ++i) {
      const std::int64_t position = window[i] * how.strides[i] + tap[i] * how.dilations[i] - how.pads[i];
      is_pixel = is_pixel && position >= 0 && position < how.image[i];
      is_pad = is_pad && position < how.image[i] + how.pads[i + axes];
      at = at * how.image[i] + position;
    }
    if (is_pixel) {
      sum += static_cast<double>(image[at]);
      largest = std::max(largest, image[at]);
    }
    if (is_pixel || (how.counts_pads && is_pad)) ++count;
    std::size_t axis = axes;
    while (axis > 0 && ++tap[axis - 1] == how.kernel[axis - 1]) tap[--axis] = 0;
    if (axis == 0) break;
  }
  return how.op == "MaxPool" ? largest : static_cast<float>(sum / count);
}

void check_pooling(const Pooling& how) {
  CAPTURE(how.op, how.image, how.rounds_up, how.counts_pads);
  Shape shape{1, kChannels};
  Shape expected_shape{1, kChannels};
  for (std::size_t i = 0; i < how.image.size(); ++i) {
    shape.push_back(static_cast<std::int32_t>(how.image[i]));
    expected_shape.push_back(static_cast<std::int32_t>(count_windows(how, i)));
  }
  const Tensor x = make_images(shape);
  const Tensor y = pool(how, x);
  REQUIRE(y.shape() == expected_shape);
  const std::size_t pixels = x.elements() / kChannels;
  const std::size_t windows = y.elements() / kChannels;
  for (std::size_t i = 0; i < y.elements(); ++i) {
    Numbers window(how.image.size());
    std::size_t rest = i % windows;
    for (std::size_t axis = window.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(count_windows(how, axis));
      window[axis] = static_cast<std::int64_t>(rest % extent);
      rest /= extent;
    }
    const float expected = pool_window(how, x.data<float>() + i / windows * pixels, window);
    CHECK(std::abs(y.data<float>()[i] - expected) < 1e-5F);
  }
}

/// Returns the maxima of a MaxPool and their positions.
Tensors find_maxima(const Pooling& how, const Tensor& x, bool by_columns) {
  const std::string file =
      proto::model(node("MaxPool", {"x"}, {"y", "at"},
                        attributes(how) + int_attribute("storage_order", by_columns ? 1 : 0)) +
                       input(value("x", kFloat, {}, false)) + output(value("y", kFloat, {}, false)) +
                       output(value("at", kInt64, {}, false)),
                   19);
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y", "at"});
  return model.run(program, std::span(&x, 1));
}

/// Checks that each position is that of the first maximum of its window.
void check_positions(const Pooling& how, bool by_columns) {
  CAPTURE(how.image, by_columns);
  Shape shape{2, kChannels};
  for (const std::int64_t extent : how.image) shape.push_back(static_cast<std::int32_t>(extent));
  Tensor x = make_images(shape);
  // Few values, so that windows have equal maxima.
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::floor(x.data<float>()[i] * 2);
  const Tensors found = find_maxima(how, x, by_columns);
  const std::size_t axes = how.image.size();
  const std::size_t pixels = x.elements() / 2 / kChannels;
  const std::size_t windows = found[0].elements() / 2 / kChannels;
  for (std::size_t i = 0; i < found[0].elements(); ++i) {
    Numbers window(axes);
    std::size_t rest = i % windows;
    for (std::size_t axis = axes; axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(count_windows(how, axis));
      window[axis] = static_cast<std::int64_t>(rest % extent);
      rest /= extent;
    }
    float largest = -std::numeric_limits<float>::infinity();
    std::size_t expected = 0;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      bool is_inside = true;
      std::size_t by_column = 0;
      std::size_t stride = pixels;
      std::size_t left = pixel;
      for (std::size_t axis = axes; axis-- > 0;) {
        const auto extent = static_cast<std::size_t>(how.image[axis]);
        const auto at = static_cast<std::int64_t>(left % extent);
        left /= extent;
        stride /= extent;
        by_column += static_cast<std::size_t>(at) * stride;
        const std::int64_t tap = at + how.pads[axis] - window[axis] * how.strides[axis];
        is_inside = is_inside && tap >= 0 && tap % how.dilations[axis] == 0 &&
                    tap / how.dilations[axis] < how.kernel[axis];
      }
      const float element = x.data<float>()[i / windows * pixels + pixel];
      if (!is_inside || element <= largest) continue;
      largest = element;
      expected = i / windows * pixels + (by_columns ? by_column : pixel);
    }
    CHECK(found[0].data<float>()[i] == largest);
    CHECK(found[1].data<std::int32_t>()[i] == static_cast<std::int32_t>(expected));
  }
}

}  // namespace

TEST_CASE("A MaxPool finds the positions of the first maxima", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  const Pooling cases[] = {
      {"", {11}, {3}, {2}, {2}, {1, 2}},
      {"", {9, 8}, {3, 2}, {2, 3}, {2, 1}, {1, 0, 1, 1}},
      {"", {5, 6, 7}, {2, 3, 2}, {1, 2, 1}, {1, 1, 1}, {1, 0, 1, 0, 1, 0}},
      {"", {6, 5, 7}, {2, 2, 3}, {2, 1, 2}, {3, 1, 2}, {0, 0, 0, 0, 0, 0}},
  };
  for (const Pooling& how : cases) {
    for (const bool by_columns : {false, true}) check_positions(how, by_columns);
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Poolings take pads, strides, dilations and rounding of all axes", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  const Pooling cases[] = {
      {"", {11}, {3}, {2}, {2}, {1, 2}},
      {"", {9, 8}, {3, 2}, {2, 3}, {2, 1}, {1, 0, 1, 1}},
      {"", {7, 8, 9}, {2, 3, 2}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0, 0, 0, 0}},
      {"", {9, 8, 10}, {3, 2, 3}, {2, 3, 1}, {2, 1, 3}, {1, 0, 2, 1, 1, 2}},
  };
  for (Pooling how : cases) {
    for (const bool rounds_up : {false, true}) {
      how.rounds_up = rounds_up;
      how.op = "MaxPool";
      how.counts_pads = false;
      check_pooling(how);
      how.op = "AveragePool";
      check_pooling(how);
      how.counts_pads = true;
      check_pooling(how);
    }
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("No window of a pooling that is rounded up begins behind the image", "[onnx]") {
  for (const std::string_view op : {"MaxPool", "AveragePool"})
    check_pooling({op, {2, 2}, {3, 3}, {3, 3}, {1, 1}, {1, 1, 1, 1}, true, op == "AveragePool"});
}

TEST_CASE("A pooling whose windows do not fit is an error", "[onnx][hostile]") {
  const Tensor x = make_images({1, 1, 3, 3, 3});
  const Numbers ones = {1, 1, 1};
  const Numbers none = {0, 0, 0, 0, 0, 0};
  CHECK_THROWS_WITH(pool({"MaxPool", {}, {9, 1, 1}, ones, ones, none}, x), ContainsSubstring("does not fit"));
  CHECK_THROWS_AS(pool({"AveragePool", {}, {2, 2, 2}, ones, {INT32_MAX, 1, 1}, none, true}, x), Error);
  CHECK_THROWS_AS(pool({"AveragePool", {}, {INT32_MAX, 2, 2}, {INT32_MAX, 1, 1}, ones, none, true}, x),
                  Error);
  const Numbers twos = {2, 2, 2};
  CHECK_THROWS_AS(pool({"MaxPool", {}, {1, 1, 1}, twos, ones, none}, make_images({0, 2, 1, 65536, 65536})),
                  Error);
  CHECK_THROWS_AS(pool({"MaxPool", {}, {1, 1, 1}, twos, ones, none}, make_images({65536, 2, 65536, 0, 2})),
                  Error);
  CHECK(pool({"MaxPool", {}, {1, 1, 1}, twos, ones, none}, make_images({0, 2, 4, 6, 8})).shape() ==
        Shape{0, 2, 2, 3, 4});
  CHECK(find_maxima({"", {}, {1, 1, 1}, twos, ones, none}, make_images({0, 2, 4, 6, 8}), true)[1].shape() ==
        Shape{0, 2, 2, 3, 4});
  CHECK_THROWS_AS(
      find_maxima({"", {}, {1, 1, 1}, twos, ones, none}, make_images({0, 2, 1, 65536, 65536}), false), Error);
}
