#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Layer that returns its input: InputLayer and ActivityRegularization.
class Identity final : public UnaryLayer {
 public:
  Identity(std::string class_name, const Config& config) : UnaryLayer(std::move(class_name), config) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override { return x; }
};

class Dense final : public UnaryLayer {
 public:
  Dense(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        units_(config.positive("units")),
        use_bias_(config.flag("use_bias")),
        activation_(parse_activation(config, "activation")) {
    passes_mask_ = true;
  }

 protected:
  void build_for(const Shape& input) override {
    check_shape(input.rank >= 2, "Input 0 is incompatible with layer ", name(),
                ": expected min_ndim=2, found ndim=", input.rank, ".");
    kernel_ = add_weight("kernel", {input.back(), units_});
    if (use_bias_) bias_ = add_weight("bias", {units_});
  }
  Tensor apply(const Tensor& x) override {
    if (x.rank() == 2) return activate(activation_, mat_mul(x, weight(kernel_), weight(bias_)));
    Shape shape = x.shape();
    const Tensor rows =
        reshape(x, {{static_cast<std::int32_t>(shape.elements(0, shape.rank - 1)), shape.back()}});
    const Tensor product = mat_mul(rows, weight(kernel_), weight(bias_));
    shape.back() = units_;
    return reshape(activate(activation_, product), {shape});
  }

 private:
  int units_;
  bool use_bias_;
  Op activation_;
  int kernel_ = kNoWeight;
  int bias_ = kNoWeight;
};

class ActivationLayer final : public UnaryLayer {
 public:
  ActivationLayer(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), activation_(parse_activation(config, "activation")) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override { return activate(activation_, x); }

 private:
  Op activation_;
};

class Embedding final : public Layer {
 public:
  Embedding(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config),
        input_dim_(config.positive("input_dim")),
        output_dim_(config.positive("output_dim")),
        mask_zero_(config.flag("mask_zero", false)) {}

 protected:
  Tensors masks(const LayerCall& call) const override {
    if (!mask_zero_) return {};
    return {not_equal(call.inputs[0], Tensor::scalar(0))};
  }
  void build(const Specs&, CallBudget&) override {
    embeddings_ = add_weight("embeddings", {input_dim_, output_dim_});
  }
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() == 1, "expects 1 input, got ", call.inputs.size());
    const Tensor& x = call.inputs[0];
    const Tensor indices = x.dtype() == DType::kInt32 ? x : cast(x, {DType::kInt32});
    return {gather(weight(embeddings_), indices)};
  }

 private:
  int input_dim_;
  int output_dim_;
  bool mask_zero_;
  int embeddings_ = kNoWeight;
};

/// Masks the steps whose features all equal `mask_value`, and zeroes them.
class Masking final : public Layer {
 public:
  Masking(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config), mask_value_(config.number("mask_value")) {}

 protected:
  Tensors masks(const LayerCall& call) const override { return {differs(call.inputs[0], false)}; }
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() == 1, "expects 1 input, got ", call.inputs.size());
    const Tensor kept = differs(call.inputs[0], true);
    return {mul(call.inputs[0], kept)};
  }

 private:
  Tensor differs(const Tensor& x, bool keep_dims) const {
    const Tensor different = not_equal(x, Tensor::scalar(mask_value_));
    return any(different, {.axes = {-1}, .keep_dims = keep_dims});
  }

  float mask_value_;
};

constexpr LayerRow kRows[] = {
    {"InputLayer", make<Identity>}, {"Dense", make<Dense>},     {"Activation", make<ActivationLayer>},
    {"Embedding", make<Embedding>}, {"Masking", make<Masking>}, {"ActivityRegularization", make<Identity>},
};

}  // namespace

std::span<const LayerRow> core_layers() { return kRows; }

}  // namespace tenure::keras
