#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/rnn/rnn_cell.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Returns columns [first, last) of a weight; an empty tensor stays empty.
Tensor columns(const Tensor& x, std::int32_t first, std::int32_t last) {
  if (!x) return x;
  SliceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    attrs.begin.push_back(i + 1 == x.rank() ? first : 0);
    attrs.size.push_back(i + 1 == x.rank() ? last - first : x.dim(i));
  }
  return slice(x, attrs);
}

/// Base of the cells whose weights hold one block of `units` columns per gate.
class GatedCell : public RnnCell {
 public:
  GatedCell(std::string class_name, const Config& config, int gates)
      : RnnCell(std::move(class_name), config),
        units_(config.positive("units")),
        gates_(gates),
        use_bias_(config.flag("use_bias")),
        activation_(parse_activation(config, "activation")),
        recurrent_activation_(gates == 1 ? Op::identity : parse_activation(config, "recurrent_activation")),
        dropout_(config) {
    if (units_ > INT32_MAX / 4) config.fail("field \"units\" is too large: ", units_);
  }

  Specs state_specs(const Shape& input) const override { return {state_spec(input)}; }
  void add_weights(const Shape& input) override {
    kernel_ = add_weight("kernel", {input.back(), gates_ * units_});
    recurrent_kernel_ = add_weight("recurrent_kernel", {units_, gates_ * units_});
    if (use_bias_) bias_ = add_weight("bias", bias_shape());
  }
  void prepare(const Shape& input, bool training, std::vector<PreparedCell>& prepared) const final {
    prepared.push_back({prepare_weights(), {}, {}});
    if (training) dropout_.draw(input, state_spec(input).shape, 1, prepared.back());
  }
  Tensors project(std::span<const PreparedCell> prepared, const Tensor& rows) const final {
    const PreparedCell& cell = prepared[0];
    return project_from(cell.weights,
                        cell.input_masks.empty() ? rows : apply_dropout(rows, cell.input_masks[0]));
  }
  Tensors step(std::span<const PreparedCell> prepared, const Tensors& projected,
               std::span<const Tensor> states) const final {
    const PreparedCell& cell = prepared[0];
    if (cell.state_masks.empty()) return step_from(cell.weights, projected, states);
    Tensors kept(states.begin(), states.end());
    kept[0] = apply_dropout(kept[0], cell.state_masks[0]);
    return step_from(cell.weights, projected, kept);
  }

 protected:
  TensorSpec state_spec(const Shape& input) const { return {{input[0], units_}, DType::kFloat32}; }
  /// Returns the weights in the layout of step_from().
  virtual Tensors prepare_weights() const { return {}; }
  virtual Tensors project_from(const Tensors& weights, const Tensor& rows) const = 0;
  virtual Tensors step_from(const Tensors& weights, const Tensors& projected,
                            std::span<const Tensor> states) const = 0;
  virtual Shape bias_shape() const { return {gates_ * units_}; }
  /// Returns the gates' blocks [first, last) of a weight.
  Tensor block(const Tensor& x, int first, int last) const {
    return columns(x, first * units_, last * units_);
  }

  std::int32_t units_;
  int gates_;
  bool use_bias_;
  Op activation_;
  Op recurrent_activation_;
  CellDropout dropout_;
  int kernel_ = kNoWeight;
  int recurrent_kernel_ = kNoWeight;
  int bias_ = kNoWeight;
};

/// h' = activation(x K + b + h R)
class SimpleRnnCell final : public GatedCell {
 public:
  SimpleRnnCell(std::string class_name, const Config& config) : GatedCell(std::move(class_name), config, 1) {}

 protected:
  Tensors project_from(const Tensors&, const Tensor& rows) const override {
    return {mat_mul(rows, weight(kernel_), weight(bias_))};
  }
  Tensors step_from(const Tensors&, const Tensors& projected, std::span<const Tensor> states) const override {
    const Tensor h = activate(activation_, mat_mul(states[0], weight(recurrent_kernel_), projected[0]));
    return {h, h};
  }
};

/// GRU cell. Gate order in the weights: z (update), r (reset), h (candidate). With reset_after the reset gate
/// multiplies the product h R + b' instead of h, and b' is a second row of biases.
class GruCell final : public GatedCell {
 public:
  GruCell(std::string class_name, const Config& config)
      : GatedCell(std::move(class_name), config, 3), reset_after_(config.flag("reset_after")) {}

 protected:
  Tensors prepare_weights() const override {
    const Tensor& kernel = weight(kernel_);
    const Tensor& recurrent = weight(recurrent_kernel_);
    const Tensor input_bias = bias_row(0);
    const Tensor recurrent_bias = reset_after_ ? bias_row(1) : Tensor();
    Tensors tensors(kCount);
    tensors[kGateKernel] = block(kernel, 0, 2);
    tensors[kGateRecurrent] = block(recurrent, 0, 2);
    tensors[kGateBias] = block(input_bias, 0, 2);
    if (recurrent_bias) tensors[kGateBias] = add(tensors[kGateBias], block(recurrent_bias, 0, 2));
    tensors[kKernel] = block(kernel, 2, 3);
    tensors[kRecurrent] = block(recurrent, 2, 3);
    tensors[kBias] = block(input_bias, 2, 3);
    tensors[kRecurrentBias] = block(recurrent_bias, 2, 3);
    return tensors;
  }
  Tensors project_from(const Tensors& p, const Tensor& rows) const override {
    return {mat_mul(rows, p[kGateKernel], p[kGateBias]), mat_mul(rows, p[kKernel], p[kBias])};
  }
  Tensors step_from(const Tensors& p, const Tensors& projected,
                    std::span<const Tensor> states) const override {
    const Tensor& h = states[0];
    const Tensor gates = mat_mul(h, p[kGateRecurrent], projected[0]);
    const Tensor z = activate(recurrent_activation_, block(gates, 0, 1));
    const Tensor r = activate(recurrent_activation_, block(gates, 1, 2));
    const Tensor candidate = activate(activation_, candidate_sum(p, projected[1], h, r));
    const Tensor next = add(candidate, mul(z, sub(h, candidate)));
    return {next, next};
  }
  Shape bias_shape() const override { return reset_after_ ? Shape{2, 3 * units_} : GatedCell::bias_shape(); }

 private:
  enum : std::size_t {
    kGateKernel,
    kGateRecurrent,
    kGateBias,
    kKernel,
    kRecurrent,
    kBias,
    kRecurrentBias,
    kCount
  };

  Tensor candidate_sum(const Tensors& p, const Tensor& projected, const Tensor& h, const Tensor& r) const {
    if (reset_after_) {
      const Tensor product = mat_mul(h, p[kRecurrent], p[kRecurrentBias]);
      return add(projected, mul(r, product));
    }
    const Tensor kept = mul(r, h);
    return mat_mul(kept, p[kRecurrent], projected);
  }
  Tensor bias_row(std::int32_t row) const {
    const Tensor& bias = weight(bias_);
    if (!bias || !reset_after_) return bias;
    return reshape(slice(bias, {.begin = {row, 0}, .size = {1, bias.dim(1)}}), {{bias.dim(1)}});
  }

  bool reset_after_;
};

/// LSTM cell. Gate order in the weights: i (input), f (forget), c (candidate), o (output).
class LstmCell final : public GatedCell {
 public:
  LstmCell(std::string class_name, const Config& config) : GatedCell(std::move(class_name), config, 4) {}

  Specs state_specs(const Shape& input) const override { return {state_spec(input), state_spec(input)}; }

 protected:
  // i, f and o share an activation, so their columns are joined to be one product.
  Tensors prepare_weights() const override {
    Tensors tensors;
    for (const int index : {kernel_, recurrent_kernel_, bias_}) {
      const Tensor& whole = weight(index);
      const Tensor input_forget = block(whole, 0, 2);
      const Tensor output = block(whole, 3, 4);
      tensors.push_back(whole ? concat({input_forget, output}, {-1}) : whole);
      tensors.push_back(block(whole, 2, 3));
    }
    return tensors;
  }
  Tensors project_from(const Tensors& p, const Tensor& rows) const override {
    return {mat_mul(rows, p[kGateKernel], p[kGateBias]), mat_mul(rows, p[kKernel], p[kBias])};
  }
  Tensors step_from(const Tensors& p, const Tensors& projected,
                    std::span<const Tensor> states) const override {
    const Tensor sums = mat_mul(states[0], p[kGateRecurrent], projected[0]);
    const Tensor candidate = activate(activation_, mat_mul(states[0], p[kRecurrent], projected[1]));
    const Tensors gates = activated_gates(sums);
    const Tensor c = add(mul(gates[1], states[1]), mul(gates[0], candidate));
    const Tensor h = mul(gates[2], activate(activation_, c));
    return {h, h, c};
  }

 private:
  enum : std::size_t { kGateKernel, kKernel, kGateRecurrent, kRecurrent, kGateBias, kBias };

  // A softmax runs along the last axis, so it is applied to each gate by itself.
  Tensors activated_gates(const Tensor& sums) const {
    const bool together = is_elementwise(recurrent_activation_);
    const Tensor whole = together ? activate(recurrent_activation_, sums) : sums;
    Tensors gates;
    for (int i = 0; i < 3; ++i) {
      const Tensor gate = block(whole, i, i + 1);
      gates.push_back(together ? gate : activate(recurrent_activation_, gate));
    }
    return gates;
  }
};

}  // namespace

RnnCellPtr make_simple_cell(std::string class_name, const Config& config) {
  const std::string_view name = class_name;
  if (name.starts_with("SimpleRNN")) return std::make_unique<SimpleRnnCell>(std::move(class_name), config);
  if (name.starts_with("GRU")) return std::make_unique<GruCell>(std::move(class_name), config);
  if (name.starts_with("LSTM")) return std::make_unique<LstmCell>(std::move(class_name), config);
  if (name.starts_with("ConvLSTM2D")) return make_conv_lstm_cell(std::move(class_name), config);
  config.fail("Unknown layer: ", class_name, " is not a cell of a recurrent layer");
}

}  // namespace tenure::keras
