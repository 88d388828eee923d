#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr int kRank = 5;

/// Base of the layers over volumes [batch, depth, height, width, channels].
class Layer3D : public UnaryLayer {
 public:
  Layer3D(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        strides_(config.has("strides") ? config.repeated("strides", 3) : Dims{1, 1, 1}),
        channels_first_(is_channels_first(config)),
        padding_(read_padding(config)) {}

 protected:
  /// Infers the output for windows of these extents, which may not fit a partly known input
  /// (infer_windows()).
  Specs infer_within(const Specs& inputs, const Dims& window, CallBudget& budget) {
    check_rank(inputs[0].shape, kRank);
    return infer_windows(inputs, padding_ == Padding::kValid ? window : Dims(), channels_first_,
                         [&](const Specs& grown) { return UnaryLayer::infer(grown, budget); });
  }

  Dims strides_;
  bool channels_first_;
  Padding padding_;
};

/// Base of the 3-D convolution and its transpose.
class ConvLayer3D : public Layer3D {
 public:
  ConvLayer3D(std::string class_name, const Config& config)
      : Layer3D(std::move(class_name), config),
        filters_(config.positive("filters")),
        kernel_size_(config.repeated("kernel_size", 3)),
        use_bias_(config.flag("use_bias")),
        activation_(parse_activation(config, "activation")) {}

 protected:
  virtual Shape kernel_shape(std::int32_t channels) const = 0;
  virtual Tensor convolve(const Tensor& x, const Tensor& kernel) const = 0;

  void build_for(const Shape& input) override {
    check_rank(input, kRank);
    kernel_ = add_weight("kernel", kernel_shape(channels_first_ ? input[1] : input[4]));
    if (use_bias_) bias_ = add_weight("bias", {filters_});
  }
  Tensor apply(const Tensor& x) override {
    const Tensor sums = convolve(to_channels_last(x, channels_first_), weight(kernel_));
    const Tensor result = from_channels_last(use_bias_ ? add(sums, weight(bias_)) : sums, channels_first_);
    return activate(activation_, result);
  }
  Shape make_kernel_shape(std::int32_t in, std::int32_t out) const {
    return {kernel_size_[0], kernel_size_[1], kernel_size_[2], in, out};
  }

  std::int32_t filters_;
  Dims kernel_size_;

 private:
  bool use_bias_;
  Op activation_;
  int kernel_ = kNoWeight;
  int bias_ = kNoWeight;
};

class Conv3D final : public ConvLayer3D {
 public:
  Conv3D(std::string class_name, const Config& config)
      : ConvLayer3D(std::move(class_name), config), dilation_(config.repeated("dilation_rate", 3)) {
    if (config.integer("groups") != 1) config.fail("field \"groups\" must be 1 over volumes");
  }

 protected:
  Shape kernel_shape(std::int32_t channels) const override { return make_kernel_shape(channels, filters_); }
  Tensor convolve(const Tensor& x, const Tensor& kernel) const override {
    return conv3d(x, kernel,
                  {.stride_d = strides_[0],
                   .stride_h = strides_[1],
                   .stride_w = strides_[2],
                   .dilation_d = dilation_[0],
                   .dilation_h = dilation_[1],
                   .dilation_w = dilation_[2],
                   .padding = padding_});
  }
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    Dims window;
    for (int i = 0; i < 3; ++i)
      window.push_back(to_extent((std::int64_t{kernel_size_[i]} - 1) * dilation_[i] + 1));
    return infer_within(inputs, window, budget);
  }

 private:
  Dims dilation_;
};

class Conv3DTranspose final : public ConvLayer3D {
 public:
  using ConvLayer3D::ConvLayer3D;

 protected:
  Shape kernel_shape(std::int32_t channels) const override { return make_kernel_shape(filters_, channels); }
  Tensor convolve(const Tensor& x, const Tensor& kernel) const override {
    Dims shape = {x.dim(0)};
    for (int i = 0; i < 3; ++i) shape.push_back(output_extent(x.dim(i + 1), i));
    shape.push_back(filters_);
    return conv3d_transpose(x, kernel,
                            {.output_shape = shape,
                             .stride_d = strides_[0],
                             .stride_h = strides_[1],
                             .stride_w = strides_[2],
                             .padding = padding_});
  }

 private:
  std::int32_t output_extent(std::int32_t extent, int axis) const {
    const std::int64_t overlap = std::int64_t{kernel_size_[axis]} - strides_[axis];
    const std::int64_t grown = std::int64_t{extent} * strides_[axis];
    return to_extent(padding_ == Padding::kSame ? grown : grown + std::max<std::int64_t>(overlap, 0));
  }
};

class Pool3D final : public Layer3D {
 public:
  Pool3D(std::string class_name, const Config& config)
      : Layer3D(std::move(class_name), config),
        size_(config.repeated("pool_size", 3)),
        is_max_(this->class_name() == "MaxPooling3D") {
    if (!config.has("strides")) strides_ = size_;
  }

 protected:
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    return infer_within(inputs, size_, budget);
  }
  Tensor apply(const Tensor& x) override {
    check_rank(x.shape(), kRank);
    const Pool3DAttrs attrs{.window_d = size_[0],
                            .window_h = size_[1],
                            .window_w = size_[2],
                            .stride_d = strides_[0],
                            .stride_h = strides_[1],
                            .stride_w = strides_[2],
                            .padding = padding_};
    const Tensor volume = to_channels_last(x, channels_first_);
    const Tensor pooled = is_max_ ? max_pool3d(volume, attrs) : avg_pool3d(volume, attrs);
    return from_channels_last(pooled, channels_first_);
  }

 private:
  Dims size_;
  bool is_max_;
};

constexpr LayerRow kRows[] = {
    {"Conv3D", make<Conv3D>},
    {"Conv3DTranspose", make<Conv3DTranspose>},
    {"MaxPooling3D", make<Pool3D>},
    {"AveragePooling3D", make<Pool3D>},
};

}  // namespace

std::span<const LayerRow> conv3d_layers() { return kRows; }

}  // namespace tenure::keras
