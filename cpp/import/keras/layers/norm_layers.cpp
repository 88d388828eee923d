#include "core/error.h"
#include "core/run/tape.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

class BatchNormalization final : public UnaryLayer {
 public:
  BatchNormalization(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        axis_(config.dims("axis")),
        epsilon_(config.number("epsilon")),
        momentum_(config.number("momentum")),
        center_(config.flag("center")),
        scale_(config.flag("scale")) {
    if (axis_.rank != 1) config.fail("field \"axis\" must be one axis, got ", axis_);
    passes_mask_ = true;
  }

 protected:
  void build_for(const Shape& input) override {
    const Shape shape = {input[normalize_axis(axis_[0], input.rank)]};
    if (scale_) gamma_ = add_weight("gamma", shape);
    if (center_) beta_ = add_weight("beta", shape);
    mean_ = add_weight("moving_mean", shape, false);
    variance_ = add_weight("moving_variance", shape, false);
  }
  Tensor apply(const Tensor& x) override { return along_last_axis(x, false); }
  Tensors call(const LayerCall& call) override {
    if (!call.context.training) return UnaryLayer::call(call);
    return {along_last_axis(call.inputs[0], true)};
  }

 private:
  // The op normalizes along the last axis. The transposes on either side cancel with those of neighbouring
  // layers.
  Tensor along_last_axis(const Tensor& x, bool training) {
    const int axis = normalize_axis(axis_[0], x.rank());
    if (axis == x.rank() - 1) return normalize(x, training);
    PermutationAttrs there;
    PermutationAttrs back;
    for (int i = 0; i < x.rank(); ++i) {
      if (i != axis) there.perm.push_back(i);
      back.perm.push_back(i < axis ? i : i == axis ? x.rank() - 1 : i - 1);
    }
    there.perm.push_back(axis);
    const Tensor turned = transpose(x, there);
    const Tensor result = normalize(turned, training);
    return transpose(result, back);
  }

  Tensor normalize(const Tensor& x, bool training) {
    return training ? normalize_batch(x) : normalize_by(x, weight(mean_), weight(variance_));
  }
  Tensor normalize_by(const Tensor& x, const Tensor& mean, const Tensor& variance) const {
    return batch_norm(x, mean, variance, weight(beta_), weight(gamma_), {epsilon_});
  }
  Tensor normalize_batch(const Tensor& x) {
    ReduceAttrs over;
    for (int i = 0; i + 1 < x.rank(); ++i) over.axes.push_back(i);
    // With rank 1 there are no axes to reduce: x is its own mean.
    const Tensor average = over.axes.empty() ? x : mean(x, over);
    const Tensor squares = square(sub(x, average));
    const Tensor variance = over.axes.empty() ? squares : mean(squares, over);
    update_moving_average(mean_, average);
    update_moving_average(variance_, variance);
    return normalize_by(x, average, variance);
  }
  void update_moving_average(int index, const Tensor& value) {
    const TapePause no_tape;
    const Tensor& before = weight(index);
    set_weight(index, sub(before, mul(sub(before, value), Tensor::scalar(1 - momentum_))));
  }

  Dims axis_;
  float epsilon_;
  float momentum_;
  bool center_;
  bool scale_;
  int gamma_ = kNoWeight;
  int beta_ = kNoWeight;
  int mean_ = kNoWeight;
  int variance_ = kNoWeight;
};

class LayerNormalization final : public UnaryLayer {
 public:
  LayerNormalization(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        axes_(config.dims("axis")),
        epsilon_(config.number("epsilon")),
        center_(config.flag("center")),
        scale_(config.flag("scale")) {
    passes_mask_ = true;
  }

 protected:
  void build_for(const Shape& input) override {
    const Dims axes = normalize_axes(axes_, input.rank);
    check_shape(axes.rank == axes_.rank, "Found duplicate axes in: ", axes_);
    Shape shape;
    for (const std::int32_t axis : axes) shape.push_back(input[axis]);
    if (scale_) gamma_ = add_weight("gamma", shape);
    if (center_) beta_ = add_weight("beta", shape);
  }
  Tensor apply(const Tensor& x) override {
    const ReduceAttrs over{.axes = normalize_axes(axes_, x.rank()), .keep_dims = true};
    const Tensor centered = sub(x, mean(x, over));
    const Tensor squares = square(centered);
    const Tensor variance = mean(squares, over);
    Tensor result = mul(centered, rsqrt(add(variance, Tensor::scalar(epsilon_))));
    Shape parameter_shape;
    for (int i = 0; i < x.rank(); ++i) parameter_shape.push_back(over.axes.contains(i) ? x.dim(i) : 1);
    if (scale_) result = mul(result, reshape(weight(gamma_), {parameter_shape}));
    if (center_) result = add(result, reshape(weight(beta_), {parameter_shape}));
    return result;
  }

 private:
  Dims axes_;
  float epsilon_;
  bool center_;
  bool scale_;
  int gamma_ = kNoWeight;
  int beta_ = kNoWeight;
};

constexpr LayerRow kRows[] = {
    {"BatchNormalization", make<BatchNormalization>},
    {"BatchNormalizationV1", make<BatchNormalization>},
    {"LayerNormalization", make<LayerNormalization>},
};

}  // namespace

std::span<const LayerRow> norm_layers() { return kRows; }

}  // namespace tenure::keras
