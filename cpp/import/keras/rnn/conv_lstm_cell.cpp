#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/channels.h"
#include "import/keras/rnn/rnn_cell.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr int kGates = 4;

/// LSTM cell whose products are convolutions (Shi et al., 2015). The input's convolution has the layer's
/// strides and padding; the state's has stride 1 and same padding. Gate order in the weights: i, f, c, o.
class ConvLstmCell final : public RnnCell {
 public:
  ConvLstmCell(std::string class_name, const Config& config)
      : RnnCell(std::move(class_name), config),
        filters_(config.positive("filters")),
        kernel_size_(config.repeated("kernel_size", 2)),
        strides_(config.repeated("strides", 2)),
        dilation_(config.repeated("dilation_rate", 2)),
        padding_(read_padding(config)),
        channels_first_(is_channels_first(config)),
        use_bias_(config.flag("use_bias")),
        activation_(parse_activation(config, "activation")),
        recurrent_activation_(parse_activation(config, "recurrent_activation")),
        dropout_(config) {
    if (filters_ > INT32_MAX / kGates) config.fail("field \"filters\" is too large: ", filters_);
  }

  int input_rank() const override { return 4; }
  Specs state_specs(const Shape& input) const override {
    const int first = channels_first_ ? 2 : 1;
    const std::int32_t height = extent(input[first], 0);
    const std::int32_t width = extent(input[first + 1], 1);
    const Shape shape =
        channels_first_ ? Shape{input[0], filters_, height, width} : Shape{input[0], height, width, filters_};
    return Specs(2, {shape, DType::kFloat32});
  }
  void add_weights(const Shape& input) override {
    const std::int32_t channels = channels_first_ ? input[1] : input.back();
    kernel_ = add_weight("kernel", {kernel_size_[0], kernel_size_[1], channels, kGates * filters_});
    recurrent_kernel_ =
        add_weight("recurrent_kernel", {kernel_size_[0], kernel_size_[1], filters_, kGates * filters_});
    if (use_bias_) bias_ = add_weight("bias", {kGates * filters_});
  }

  void prepare(const Shape& input, bool training, std::vector<PreparedCell>& prepared) const override {
    prepared.emplace_back();
    if (!training) return;
    const Tensor state = to_cell_layout(fill({.shape = state_specs(input)[0].shape}));
    dropout_.draw(input, state.shape(), kGates, prepared.back());
  }
  Tensors project(std::span<const PreparedCell> prepared, const Tensor& rows) const override {
    const ConvAttrs attrs{.stride_h = strides_[0],
                          .stride_w = strides_[1],
                          .dilation_h = dilation_[0],
                          .dilation_w = dilation_[1],
                          .padding = padding_};
    const auto convolve = [&](const Tensor& x, const Tensor& kernel) {
      return conv2d(to_channels_last(x, channels_first_), kernel, attrs);
    };
    const Tensor sums = for_gates(rows, weight(kernel_), prepared[0].input_masks, convolve);
    return {use_bias_ ? add(sums, weight(bias_)) : sums};
  }
  Tensors step(std::span<const PreparedCell> prepared, const Tensors& projected,
               std::span<const Tensor> states) const override {
    const auto convolve = [](const Tensor& x, const Tensor& kernel) {
      return conv2d(x, kernel, {.padding = Padding::kSame});
    };
    const Tensor from_state =
        for_gates(states[0], weight(recurrent_kernel_), prepared[0].state_masks, convolve);
    const Tensor sums = add(projected[0], from_state);
    const auto gate = [&](int i, Op activation) { return activate(activation, block(sums, i)); };
    const Tensor remembered = mul(gate(1, recurrent_activation_), states[1]);
    const Tensor c = add(remembered, mul(gate(0, recurrent_activation_), gate(2, activation_)));
    const Tensor h = mul(gate(3, recurrent_activation_), activate(activation_, c));
    return {h, h, c};
  }

  Tensor to_cell_layout(const Tensor& state) const override {
    return to_channels_last(state, channels_first_);
  }
  Tensor from_cell_layout(const Tensor& state) const override {
    return from_channels_last(state, channels_first_);
  }

 private:
  /// Returns the channels of one gate.
  Tensor block(const Tensor& x, int gate) const {
    SliceAttrs attrs{.begin = {0, 0, 0, gate * filters_}, .size = x.shape()};
    attrs.size[3] = filters_;
    return slice(x, attrs);
  }
  /// Convolves all gates at once, unless each gate has a separate dropout mask.
  template <class F>
  Tensor for_gates(const Tensor& x, const Tensor& kernel, const Tensors& masks, F convolve) const {
    if (masks.empty()) return convolve(x, kernel);
    Tensors gates;
    for (int i = 0; i < kGates; ++i)
      gates.push_back(convolve(apply_dropout(x, masks[static_cast<std::size_t>(i)]), block(kernel, i)));
    return concat(gates, {-1});
  }
  std::int32_t extent(std::int32_t input, int axis) const {
    if (input < 0) return -1;
    const std::int64_t window = (std::int64_t{kernel_size_[axis]} - 1) * dilation_[axis] + 1;
    const std::int64_t room = padding_ == Padding::kSame ? input : input - window + 1;
    return to_extent((room + strides_[axis] - 1) / strides_[axis]);
  }

  std::int32_t filters_;
  Dims kernel_size_;
  Dims strides_;
  Dims dilation_;
  Padding padding_;
  bool channels_first_;
  bool use_bias_;
  Op activation_;
  Op recurrent_activation_;
  CellDropout dropout_;
  int kernel_ = kNoWeight;
  int recurrent_kernel_ = kNoWeight;
  int bias_ = kNoWeight;
};

}  // namespace

RnnCellPtr make_conv_lstm_cell(std::string class_name, const Config& config) {
  return std::make_unique<ConvLstmCell>(std::move(class_name), config);
}

}  // namespace tenure::keras
