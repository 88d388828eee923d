#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

Tensor cast_to(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : cast(x, {dtype}); }
Tensor to_floats(const Tensor& x) { return cast_to(x, DType::kFloat32); }

void check_images(const Layer& layer, const Shape& input) {
  check_shape(input.rank == 3 || input.rank == 4, "Input 0 is incompatible with layer ", layer.name(),
              ": expected ndim=4, found ndim=", input.rank);
}

enum class Interpolation : std::uint8_t { kNearest, kBilinear };

Interpolation read_interpolation(const Config& config) {
  const std::string word = config.word("interpolation");
  if (word == "nearest") return Interpolation::kNearest;
  if (word != "bilinear") config.fail("Invalid interpolation parameter: ", word, " is not implemented");
  return Interpolation::kBilinear;
}

Tensor resized(const Tensor& images, const ResizeAttrs& attrs, Interpolation interpolation) {
  return interpolation == Interpolation::kNearest ? resize_nearest_neighbor(images, attrs)
                                                  : resize_bilinear(images, attrs);
}

/// Returns f(x) for images [batch, height, width, channels]; an image without a batch runs as a batch of one.
template <class F>
Tensor as_batch(const Tensor& x, F f) {
  return x.rank() == 4 ? f(x) : squeeze(f(expand_dims(x, {0})), {{0}});
}

class Rescaling final : public UnaryLayer {
 public:
  Rescaling(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        scale_(config.number("scale")),
        offset_(config.number("offset")) {}

 protected:
  Tensor apply(const Tensor& x) override {
    return add(mul(to_floats(x), Tensor::scalar(scale_)), Tensor::scalar(offset_));
  }

 private:
  float scale_;
  float offset_;
};

/// Base of the layers that return images [..., height, width, channels] of a fixed size.
class SizedImages : public UnaryLayer {
 public:
  SizedImages(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        height_(config.positive("height")),
        width_(config.positive("width")) {}

 protected:
  void build_for(const Shape& input) override { check_images(*this, input); }
  /// Resizes or crops images [batch, height, width, channels].
  virtual Tensor resize(const Tensor& images) = 0;
  Tensor apply(const Tensor& x) final {
    return as_batch(x, [this](const Tensor& images) { return resize(images); });
  }

  std::int32_t height_;
  std::int32_t width_;
};

class Resizing final : public SizedImages {
 public:
  Resizing(std::string class_name, const Config& config)
      : SizedImages(std::move(class_name), config),
        interpolation_(read_interpolation(config)),
        crop_to_aspect_ratio_(config.flag("crop_to_aspect_ratio")) {}

 protected:
  // TensorFlow.js passes !crop_to_aspect_ratio as align_corners, and so does this layer.
  Tensor resize(const Tensor& images) override {
    return resized(images, {.height = height_, .width = width_, .align_corners = !crop_to_aspect_ratio_},
                   interpolation_);
  }

 private:
  Interpolation interpolation_;
  bool crop_to_aspect_ratio_;
};

/// Resizes images to a width drawn at random in each call.
class RandomWidth final : public UnaryLayer {
 public:
  RandomWidth(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        interpolation_(read_interpolation(config)),
        seed_(static_cast<std::uint32_t>(config.integer("seed", 0))),
        is_seeded_(config.has("seed")) {
    const Json& factor = config.value("factor");
    const auto& bounds = factor.is_array() ? factor.items() : std::vector<Json>();
    if (factor.is_number() && factor.number() > 0) {
      upper_ = static_cast<float>(factor.number());
      lower_ = -upper_;
    } else if (bounds.size() == 2 && bounds[0].is_number() && bounds[1].is_number()) {
      lower_ = static_cast<float>(bounds[0].number());
      upper_ = static_cast<float>(bounds[1].number());
    } else {
      config.fail("Invalid factor: ", factor, ". Must be positive number or tuple of 2 numbers");
    }
    if (lower_ < -1 || upper_ < -1) config.fail("factor must have values larger than -1. Got: ", factor);
    if (upper_ < lower_)
      config.fail("factor cannot have upper bound less than lower bound. Got upper bound: ", upper_,
                  ". Got lower bound: ", lower_);
  }

  bool must_run_eagerly() const override { return true; }

 protected:
  void build_for(const Shape& input) override { check_images(*this, input); }
  Specs infer(const Specs& inputs, CallBudget&) override {
    TensorSpec result{inputs[0].shape, DType::kFloat32};
    check_images(*this, result.shape);
    result.shape.back(1) = -1;
    return {result};
  }
  Tensor apply(const Tensor& x) override {
    const Tensor drawn =
        random_uniform({.shape = {1}, .a = 1 + lower_, .b = 1 + upper_, .seed = next_seed()});
    const double wanted = std::round(double{drawn.data<float>()[0]} * x.shape().back(1));
    const ResizeAttrs attrs{.height = x.shape().back(2),
                            .width = to_extent(static_cast<std::int64_t>(std::max(wanted, 1.0)))};
    return as_batch(x, [&](const Tensor& images) { return resized(images, attrs, interpolation_); });
  }

 private:
  /// Returns a seed that grows by one per call, as in TensorFlow.js; 0 if the layer has no seed. For the
  /// engine 0 means unseeded, so INT32_MIN replaces a seed of 0.
  std::int32_t next_seed() {
    if (!is_seeded_) return 0;
    const auto seed = static_cast<std::int32_t>(seed_++);
    return seed == 0 ? INT32_MIN : seed;
  }

  Interpolation interpolation_;
  std::uint32_t seed_;
  bool is_seeded_;
  float lower_ = 0;
  float upper_ = 0;
};

/// Crops larger images to their center; resizes smaller ones.
class CenterCrop final : public SizedImages {
 public:
  using SizedImages::SizedImages;

 protected:
  Tensor resize(const Tensor& images) override {
    const std::int32_t top = margin(images.dim(1), height_);
    std::int32_t left = margin(images.dim(2), width_);
    // If the image is one column too wide, TensorFlow.js drops the first column, not the last.
    if (left == 0 && images.dim(2) != width_) left = 1;
    if (top < 0 || left < 0)
      return cast_to(resize_bilinear(images, {.height = height_, .width = width_}), images.dtype());
    return slice(images,
                 {.begin = {0, top, left, 0}, .size = {images.dim(0), height_, width_, images.dim(3)}});
  }

 private:
  static std::int32_t margin(std::int32_t extent, std::int32_t wanted) {
    const std::int32_t difference = extent - wanted;
    return difference < 0 ? (difference - 1) / 2 : difference / 2;
  }
};

/// Encodes each row of tokens as a vector of num_tokens elements: one-hot, multi-hot, or counts, weighted by
/// the optional second input.
class CategoryEncoding final : public Layer {
 public:
  CategoryEncoding(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config),
        tokens_(config.positive("num_tokens")),
        mode_(config.word("output_mode")) {
    const std::string_view modes[] = {"multi_hot", "one_hot", "count", "tf_idf", "int"};
    if (std::find(std::begin(modes), std::end(modes), mode_) == std::end(modes))
      config.fail("field \"output_mode\" must be int, oneHot, multiHot, count or tfIdf, got \"", mode_, "\"");
  }

 protected:
  Tensors call(const LayerCall& call) override {
    const Tensor& x = call.inputs[0];
    const Tensor tokens = cast_to(x, DType::kInt32);
    if (mode_ == "int") return {tokens};
    const bool has_weights = call.inputs.size() == 2;
    check(call.inputs.size() <= 2, "expects 1 input, got ", call.inputs.size());
    check(!has_weights || mode_ == "count", "countWeights is not used when outputMode !== count");
    check(mode_ != "tf_idf", "When outputMode is 'tfIdf', weights must be provided.");
    const bool is_column = x.rank() > 0 && x.dim(x.rank() - 1) == 1;
    const bool is_spread = x.rank() == 0 || (mode_ == "one_hot" && !is_column);
    const Tensor rows = is_spread ? expand_dims(tokens, {-1}) : tokens;
    check_shape(rows.rank() <= 2, "When outputMode is not int, maximum output rank is 2 Received outputMode ",
                mode_, " and input shape ", x.shape(), " which would result in output rank ", rows.rank(),
                ".");
    const ReduceAttrs over{.axes = {rows.rank() - 1}};
    Tensor hot = one_hot(known(rows), {.depth = tokens_, .dtype = DType::kFloat32});
    if (mode_ == "multi_hot" || mode_ == "one_hot") return {max(hot, over)};
    if (has_weights) hot = mul(hot, expand_dims(to_floats(call.inputs[1]), {-1}));
    return {sum(hot, over)};
  }

 private:
  /// Returns the tokens unchanged. When it runs, gather() throws for tokens outside [0, num_tokens).
  Tensor known(const Tensor& tokens) const {
    return gather(range({.count = tokens_, .dtype = DType::kInt32}), tokens);
  }

  std::int32_t tokens_;
  std::string mode_;
};

constexpr LayerRow kRows[] = {
    {"Rescaling", make<Rescaling>},     {"Resizing", make<Resizing>},
    {"CenterCrop", make<CenterCrop>},   {"CategoryEncoding", make<CategoryEncoding>},
    {"RandomWidth", make<RandomWidth>},
};

}  // namespace

std::span<const LayerRow> preprocessing_layers() { return kRows; }

}  // namespace tenure::keras
