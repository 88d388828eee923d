#include <cmath>

#include "core/error.h"
#include "import/keras/families.h"
#include "import/keras/seeds.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

Tensor constant(float value) { return Tensor::scalar(value); }

/// Base of the dropout and noise layers, which are the identity outside training.
class Noise : public UnaryLayer {
 public:
  Noise(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), seeds_(config.integer("seed", 0)) {
    passes_mask_ = true;
  }

 protected:
  Tensor apply(const Tensor& x) final { return x; }
  Tensors call(const LayerCall& call) final {
    if (!call.context.training || !is_on()) return UnaryLayer::call(call);
    return {add_noise(call.inputs[0])};
  }
  virtual bool is_on() const = 0;
  virtual Tensor add_noise(const Tensor& x) = 0;

  Tensor uniform(const Shape& shape) { return random_uniform({.shape = shape, .seed = seeds_.next()}); }
  Tensor normal(const Shape& shape, float mean, float deviation) {
    return random_normal({.shape = shape, .a = mean, .b = deviation, .seed = seeds_.next()});
  }

  /// Returns the fraction to drop, in [0, 1]. A rate of 1 becomes 0, since TensorFlow.js drops nothing then.
  static float read_rate(const Config& config) {
    const float rate = config.number("rate", 0);
    if (!(rate >= 0 && rate <= 1)) config.fail("field \"rate\" must be in [0, 1], got ", rate);
    return rate < 1 ? rate : 0;
  }

 private:
  Seeds seeds_;
};

/// Base of the layers that drop a fraction of the elements. Along axes where noise_shape is 1, elements are
/// dropped together.
class MaskedNoise : public Noise {
 public:
  MaskedNoise(std::string class_name, const Config& config)
      : Noise(std::move(class_name), config),
        rate_(read_rate(config)),
        noise_shape_(config.dims("noise_shape", {})) {}

 protected:
  bool is_on() const override { return rate_ > 0; }
  /// Returns the shape of the mask, which broadcasts to the shape of `x`.
  virtual Shape noise_shape(const Tensor& x) const {
    Shape shape = x.shape();
    if (noise_shape_.rank == 0) return shape;
    check_shape(noise_shape_.rank == shape.rank, "noise_shape ", noise_shape_, " and the input ", x.shape(),
                " must have as many dimensions");
    for (int i = 0; i < shape.rank; ++i) {
      if (noise_shape_[i] < 0) continue;
      check_shape(noise_shape_[i] == 1 || noise_shape_[i] == shape[i], "noise_shape ", noise_shape_,
                  " must broadcast to the input ", x.shape());
      shape[i] = noise_shape_[i];
    }
    return shape;
  }

  const float rate_;

 private:
  const Dims noise_shape_;
};

class Dropout : public MaskedNoise {
 public:
  using MaskedNoise::MaskedNoise;

 protected:
  Tensor add_noise(const Tensor& x) override {
    const float kept = 1 - rate_;
    const Tensor mask = floor(add(uniform(noise_shape(x)), constant(kept)));
    return mul(x, mul(mask, constant(1 / kept)));
  }
};

/// Dropout of whole channels.
class SpatialDropout final : public Dropout {
 public:
  using Dropout::Dropout;

 protected:
  void build_for(const Shape& input) override {
    check_rank(input, class_name() == "SpatialDropout1D" ? 3 : 4);
  }
  Shape noise_shape(const Tensor& x) const override {
    Shape shape = x.shape();
    for (int i = 1; i + 1 < shape.rank; ++i) shape[i] = 1;
    return shape;
  }
};

class GaussianNoise final : public Noise {
 public:
  GaussianNoise(std::string class_name, const Config& config)
      : Noise(std::move(class_name), config), deviation_(config.number("stddev", 0)) {}

 protected:
  bool is_on() const override { return true; }
  Tensor add_noise(const Tensor& x) override { return add(x, normal(x.shape(), 0, deviation_)); }

 private:
  float deviation_;
};

class GaussianDropout final : public Noise {
 public:
  GaussianDropout(std::string class_name, const Config& config)
      : Noise(std::move(class_name), config), rate_(read_rate(config)) {}

 protected:
  bool is_on() const override { return rate_ > 0; }
  Tensor add_noise(const Tensor& x) override {
    return mul(x, normal(x.shape(), 1, std::sqrt(rate_ / (1 - rate_))));
  }

 private:
  float rate_;
};

/// Dropout that preserves the mean and variance of selu's output (Klambauer et al., 2017).
class AlphaDropout final : public MaskedNoise {
 public:
  using MaskedNoise::MaskedNoise;

 protected:
  Tensor add_noise(const Tensor& x) override {
    constexpr float kDropped = -1.6732632423543772F * 1.0507009873554805F;
    const Tensor kept = greater_equal(uniform(noise_shape(x)), constant(rate_));
    const float factor = 1 / std::sqrt((1 - rate_) * (1 + rate_ * kDropped * kDropped));
    const float offset = -factor * kDropped * rate_;
    return add(mul(where(kept, x, constant(kDropped)), constant(factor)), constant(offset));
  }
};

constexpr LayerRow kRows[] = {
    {"Dropout", make<Dropout>},
    {"SpatialDropout1D", make<SpatialDropout>},
    {"SpatialDropout2D", make<SpatialDropout>},
    {"AlphaDropout", make<AlphaDropout>},
    {"GaussianDropout", make<GaussianDropout>},
    {"GaussianNoise", make<GaussianNoise>},
};

}  // namespace

std::span<const LayerRow> noise_layers() { return kRows; }

}  // namespace tenure::keras
