#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Base of the convolution layers. 1-D convolutions run over images of height 1.
class ConvLayer : public UnaryLayer {
 public:
  ConvLayer(std::string class_name, const Config& config, int dimensions)
      : UnaryLayer(std::move(class_name), config),
        dimensions_(dimensions),
        kernel_size_(config.repeated("kernel_size", dimensions)),
        strides_(config.repeated("strides", dimensions)),
        dilation_(config.repeated("dilation_rate", dimensions)),
        is_causal_(dimensions == 1 && config.word("padding") == "causal"),
        padding_(is_causal_ ? Padding::kExplicit : read_padding(config)),
        channels_first_(is_channels_first(config)),
        use_bias_(config.flag("use_bias")),
        activation_(parse_activation(config, "activation")) {}

 protected:
  int get_channels(const Shape& input) const {
    check_rank(input, dimensions_ + 2);
    return channels_first_ ? input[1] : input.back();
  }
  Shape kernel_shape(std::int32_t in, std::int32_t out) const {
    Shape shape(kernel_size_);
    shape.push_back(in);
    shape.push_back(out);
    return shape;
  }
  void add_bias(int channels) {
    if (use_bias_) bias_ = add_weight("bias", {channels});
  }

  Specs infer(const Specs& inputs, CallBudget& budget) override {
    Dims window;
    for (int i = 0; i < dimensions_ && padding_ == Padding::kValid; ++i)
      window.push_back(to_extent((std::int64_t{kernel_size_[i]} - 1) * dilation_[i] + 1));
    return infer_windows(inputs, window, channels_first_,
                         [&](const Specs& grown) { return UnaryLayer::infer(grown, budget); });
  }

  ConvAttrs attrs() const {
    ConvAttrs attrs{.stride_h = height(strides_),
                    .stride_w = strides_.back(),
                    .dilation_h = height(dilation_),
                    .dilation_w = dilation_.back(),
                    .padding = padding_};
    if (is_causal_) attrs.pad_left = to_extent((std::int64_t{kernel_size_[0]} - 1) * dilation_[0]);
    return attrs;
  }
  Tensor to_image(const Tensor& x) const {
    const Tensor last = to_channels_last(x, channels_first_);
    return dimensions_ == 1 ? expand_dims(last, {1}) : last;
  }
  Tensor to_filter(int kernel) const {
    return dimensions_ == 1 ? expand_dims(weight(kernel), {0}) : weight(kernel);
  }
  Tensor finish(const Tensor& image) const {
    const bool anywhere = !channels_first_ || is_elementwise(activation_);
    const Tensor activated = anywhere ? activate(activation_, image) : image;
    const Tensor result =
        from_channels_last(dimensions_ == 1 ? squeeze(activated, {{1}}) : activated, channels_first_);
    return anywhere ? result : activate(activation_, result);
  }

  int dimensions_;
  Dims kernel_size_;
  Dims strides_;
  Dims dilation_;
  bool is_causal_;
  Padding padding_;
  bool channels_first_;
  bool use_bias_;
  Op activation_;
  int bias_ = kNoWeight;

 private:
  static std::int32_t height(const Dims& dims) { return dims.rank == 2 ? dims[0] : 1; }
};

template <int kDimensions>
class Conv final : public ConvLayer {
 public:
  Conv(std::string class_name, const Config& config)
      : ConvLayer(std::move(class_name), config, kDimensions),
        filters_(config.positive("filters")),
        groups_(config.positive("groups")) {}

 protected:
  void build_for(const Shape& input) override {
    kernel_ = add_weight("kernel", kernel_shape(get_channels(input) / groups_, filters_));
    add_bias(filters_);
  }
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_image(x);
    const Tensor filter = to_filter(kernel_);
    return finish(conv2d(image, filter, weight(bias_), attrs()));
  }

 private:
  int filters_;
  int groups_;
  int kernel_ = kNoWeight;
};

class DepthwiseConv2D final : public ConvLayer {
 public:
  DepthwiseConv2D(std::string class_name, const Config& config)
      : ConvLayer(std::move(class_name), config, 2), multiplier_(config.positive("depth_multiplier")) {}

 protected:
  void build_for(const Shape& input) override {
    const int channels = get_channels(input);
    kernel_ = add_weight("depthwise_kernel", kernel_shape(channels, multiplier_));
    add_bias(to_extent(std::int64_t{channels} * multiplier_));
  }
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_image(x);
    return finish(depthwise_conv2d(image, weight(kernel_), weight(bias_), attrs()));
  }

 private:
  int multiplier_;
  int kernel_ = kNoWeight;
};

/// Depthwise convolution followed by a 1x1 convolution over the channels.
template <int kDimensions>
class SeparableConv final : public ConvLayer {
 public:
  SeparableConv(std::string class_name, const Config& config)
      : ConvLayer(std::move(class_name), config, kDimensions),
        filters_(config.positive("filters")),
        multiplier_(config.positive("depth_multiplier")) {}

 protected:
  void build_for(const Shape& input) override {
    const int channels = get_channels(input);
    depthwise_ = add_weight("depthwise_kernel", kernel_shape(channels, multiplier_));
    Shape pointwise = kernel_shape(to_extent(std::int64_t{channels} * multiplier_), filters_);
    for (int i = 0; i < kDimensions; ++i) pointwise[i] = 1;
    pointwise_ = add_weight("pointwise_kernel", pointwise);
    add_bias(filters_);
  }
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_image(x);
    const Tensor depthwise = to_filter(depthwise_);
    const Tensor pointwise = to_filter(pointwise_);
    const Tensor filtered = depthwise_conv2d(image, depthwise, attrs());
    return finish(conv2d(filtered, pointwise, weight(bias_)));
  }

 private:
  int filters_;
  int multiplier_;
  int depthwise_ = kNoWeight;
  int pointwise_ = kNoWeight;
};

class Conv2DTranspose final : public ConvLayer {
 public:
  Conv2DTranspose(std::string class_name, const Config& config)
      : ConvLayer(std::move(class_name), config, 2), filters_(config.positive("filters")) {}

 protected:
  // The output is larger than the input, so windows always fit and ConvLayer::infer() does not apply.
  // NOLINTNEXTLINE(bugprone-parent-virtual-call)
  Specs infer(const Specs& inputs, CallBudget& budget) override { return UnaryLayer::infer(inputs, budget); }
  void build_for(const Shape& input) override {
    kernel_ = add_weight("kernel", kernel_shape(filters_, get_channels(input)));
    add_bias(filters_);
  }
  Tensor apply(const Tensor& x) override {
    const Tensor image = to_image(x);
    ConvTransposeAttrs attrs{.stride_h = strides_[0],
                             .stride_w = strides_[1],
                             .dilation_h = dilation_[0],
                             .dilation_w = dilation_[1],
                             .padding = padding_};
    attrs.output_shape = {image.dim(0), output_extent(image.dim(1), 0), output_extent(image.dim(2), 1),
                          filters_};
    const Tensor result = conv2d_transpose(image, weight(kernel_), attrs);
    return finish(use_bias_ ? add(result, weight(bias_)) : result);
  }

 private:
  std::int32_t output_extent(std::int32_t extent, int axis) const {
    const std::int64_t overlap =
        (std::int64_t{kernel_size_[axis]} - 1) * dilation_[axis] + 1 - strides_[axis];
    const std::int64_t grown = std::int64_t{extent} * strides_[axis];
    return to_extent(padding_ == Padding::kSame ? grown : grown + std::max<std::int64_t>(overlap, 0));
  }

  int filters_;
  int kernel_ = kNoWeight;
};

constexpr LayerRow kRows[] = {
    {"Conv1D", make<Conv<1>>},
    {"Conv2D", make<Conv<2>>},
    {"DepthwiseConv2D", make<DepthwiseConv2D>},
    {"SeparableConv1D", make<SeparableConv<1>>},
    {"SeparableConv2D", make<SeparableConv<2>>},
    {"Conv2DTranspose", make<Conv2DTranspose>},
};

}  // namespace

std::span<const LayerRow> conv_layers() { return kRows; }

}  // namespace tenure::keras
