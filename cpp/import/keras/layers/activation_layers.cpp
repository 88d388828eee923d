#include <limits>

#include "core/error.h"
#include "import/keras/activation.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Piecewise linear: min(x, max_value) for x >= threshold, negative_slope * (x - threshold) below.
class ReLU final : public UnaryLayer {
 public:
  ReLU(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        max_value_(config.number("max_value", kInfinity)),
        slope_(config.number("negative_slope")),
        threshold_(config.number("threshold")) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override {
    if (threshold_ == 0 && slope_ == 0) {
      if (max_value_ == kInfinity) return relu(x);
      return max_value_ == 6 ? relu6(x) : clip_by_value(x, {.min = 0, .max = max_value_});
    }
    const Tensor linear = threshold_ == 0 ? leaky_relu(x, {.alpha = slope_}) : bend_at_threshold(x);
    return max_value_ == kInfinity ? linear : minimum(linear, Tensor::scalar(max_value_));
  }

 private:
  Tensor bend_at_threshold(const Tensor& x) const {
    const Tensor is_above = greater_equal(x, Tensor::scalar(threshold_));
    const Tensor below = mul(sub(x, Tensor::scalar(threshold_)), Tensor::scalar(slope_));
    return where(is_above, x, below);
  }

  float max_value_;
  float slope_;
  float threshold_;
};

class LeakyReLU final : public UnaryLayer {
 public:
  LeakyReLU(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config),
        alpha_(config.has("alpha") ? config.number("alpha")
                                   : config.number("negative_slope", config.number("alpha"))) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override { return leaky_relu(x, {.alpha = alpha_}); }

 private:
  float alpha_;
};

class ELU final : public UnaryLayer {
 public:
  ELU(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), alpha_(config.number("alpha")) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override { return elu(x, {.alpha = alpha_}); }

 private:
  float alpha_;
};

class PReLU final : public UnaryLayer {
 public:
  PReLU(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), shared_axes_(config.dims("shared_axes", {})) {
    passes_mask_ = true;
  }

 protected:
  void build_for(const Shape& input) override {
    Shape shape = input;
    for (const std::int32_t axis : shared_axes_) {
      check_shape(axis >= 1 && axis < input.rank, "shared axis ", axis,
                  " is out of range for an input of rank ", input.rank);
      shape[axis] = 1;
    }
    shape.erase(0);
    alpha_ = add_weight("alpha", shape);
  }
  Tensor apply(const Tensor& x) override { return prelu(x, weight(alpha_)); }

 private:
  Dims shared_axes_;
  int alpha_ = kNoWeight;
};

class ThresholdedReLU final : public UnaryLayer {
 public:
  ThresholdedReLU(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), theta_(config.number("theta")) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override { return mul(x, greater(x, Tensor::scalar(theta_))); }

 private:
  float theta_;
};

class Softmax final : public UnaryLayer {
 public:
  Softmax(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), axes_(config.dims("axis")) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) override {
    if (axes_.rank == 1) return softmax_along(x, axes_[0]);
    const ReduceAttrs over{.axes = axes_, .keep_dims = true};
    const Tensor powers = exp(sub(x, max(x, over)));
    return div(powers, sum(powers, over));
  }

 private:
  Dims axes_;
};

constexpr LayerRow kRows[] = {
    {"ReLU", make<ReLU>},   {"LeakyReLU", make<LeakyReLU>},
    {"ELU", make<ELU>},     {"ThresholdedReLU", make<ThresholdedReLU>},
    {"PReLU", make<PReLU>}, {"Softmax", make<Softmax>},
};

}  // namespace

std::span<const LayerRow> activation_layers() { return kRows; }

}  // namespace tenure::keras
