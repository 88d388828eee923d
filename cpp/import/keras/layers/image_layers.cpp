#include "core/error.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Margins at the four sides of an image.
struct Margins {
  std::int32_t top = 0;
  std::int32_t bottom = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
};

/// Returns margins given as a number for all sides, [vertical, horizontal], or [[top, bottom], [left,
/// right]]; `fallback` on all sides if the field is missing.
Margins parse_margins(const Config& config, std::string_view key, std::int32_t fallback) {
  const Json* value = config.find(key);
  if (!value) return {fallback, fallback, fallback, fallback};
  std::vector<Json> sides = {*value, *value};
  if (value->is_array()) sides = value->items();
  std::vector<std::int32_t> margins;
  for (const Json& side : sides) {
    if (side.is_int()) {
      margins.insert(margins.end(), 2, side.to_int());
    } else {
      for (const Json& margin : side.items()) margins.push_back(margin.is_int() ? margin.to_int() : -1);
    }
  }
  if (margins.size() != 4 || *std::min_element(margins.begin(), margins.end()) < 0) {
    config.fail("field \"", key, "\" must be a number, [height, width] or [[top, bottom], [left, right]]");
  }
  return {margins[0], margins[1], margins[2], margins[3]};
}

/// Base of the layers over images. All compute channels last, so that transposes between neighbouring layers
/// cancel.
class ImageLayer : public UnaryLayer {
 public:
  ImageLayer(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), channels_first_(is_channels_first(config)) {}

 protected:
  void build_for(const Shape& input) override { check_rank(input, 4); }

  bool channels_first_;
};

class ZeroPadding2D final : public ImageLayer {
 public:
  ZeroPadding2D(std::string class_name, const Config& config)
      : ImageLayer(std::move(class_name), config), margins_(parse_margins(config, "padding", 1)) {}

 protected:
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_channels_last(x, channels_first_);
    const PadAttrs attrs{.before = {0, margins_.top, margins_.left, 0},
                         .after = {0, margins_.bottom, margins_.right, 0}};
    return from_channels_last(pad(image, attrs), channels_first_);
  }

 private:
  Margins margins_;
};

class Cropping2D final : public ImageLayer {
 public:
  Cropping2D(std::string class_name, const Config& config)
      : ImageLayer(std::move(class_name), config), margins_(parse_margins(config, "cropping", 0)) {}

 protected:
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_channels_last(x, channels_first_);
    SliceAttrs attrs{.begin = {0, margins_.top, margins_.left, 0}, .size = image.shape()};
    attrs.size[1] = to_extent(std::int64_t{image.dim(1)} - margins_.top - margins_.bottom);
    attrs.size[2] = to_extent(std::int64_t{image.dim(2)} - margins_.left - margins_.right);
    return from_channels_last(slice(image, attrs), channels_first_);
  }

 private:
  Margins margins_;
};

class UpSampling2D final : public ImageLayer {
 public:
  UpSampling2D(std::string class_name, const Config& config)
      : ImageLayer(std::move(class_name), config),
        size_(config.repeated("size", 2)),
        interpolation_(config.word("interpolation")) {
    if (interpolation_ != "nearest" && interpolation_ != "bilinear") {
      config.fail("field \"interpolation\" must be nearest or bilinear, got \"", interpolation_, "\"");
    }
  }

 protected:
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_channels_last(x, channels_first_);
    const ResizeAttrs attrs{.height = to_extent(std::int64_t{image.dim(1)} * size_[0]),
                            .width = to_extent(std::int64_t{image.dim(2)} * size_[1])};
    return from_channels_last(
        interpolation_ == "nearest" ? resize_nearest_neighbor(image, attrs) : resize_bilinear(image, attrs),
        channels_first_);
  }

 private:
  Dims size_;
  std::string interpolation_;
};

constexpr LayerRow kRows[] = {
    {"ZeroPadding2D", make<ZeroPadding2D>},
    {"Cropping2D", make<Cropping2D>},
    {"UpSampling2D", make<UpSampling2D>},
};

}  // namespace

std::span<const LayerRow> image_layers() { return kRows; }

}  // namespace tenure::keras
