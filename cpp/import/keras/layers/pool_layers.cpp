#include "core/error.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

enum class PoolKind : std::uint8_t { kMax, kAverage };

/// Max or average pooling. 1-D pooling runs over images of height 1.
template <PoolKind kKind, int kDimensions>
class Pool final : public UnaryLayer {
 public:
  Pool(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), channels_first_(is_channels_first(config)) {
    const Dims size = config.repeated("pool_size", kDimensions);
    const Dims strides = config.has("strides") ? config.repeated("strides", kDimensions) : size;
    attrs_.window_h = kDimensions == 2 ? size[0] : 1;
    attrs_.window_w = size.back();
    attrs_.stride_h = kDimensions == 2 ? strides[0] : 1;
    attrs_.stride_w = strides.back();
    attrs_.padding = read_padding(config);
  }

 protected:
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    check_rank(inputs[0].shape, kDimensions + 2);
    const bool is_valid = attrs_.padding == Padding::kValid;
    const Dims window = kDimensions == 2 ? Dims{attrs_.window_h, attrs_.window_w} : Dims{attrs_.window_w};
    return infer_windows(inputs, is_valid ? window : Dims(), channels_first_,
                         [&](const Specs& grown) { return UnaryLayer::infer(grown, budget); });
  }
  Tensor apply(const Tensor& x) override {
    check_rank(x.shape(), kDimensions + 2);
    const Tensor last = to_channels_last(x, channels_first_);
    const Tensor image = kDimensions == 1 ? expand_dims(last, {1}) : last;
    const Tensor pooled = kKind == PoolKind::kMax ? max_pool(image, attrs_) : avg_pool(image, attrs_);
    return from_channels_last(kDimensions == 1 ? squeeze(pooled, {{1}}) : pooled, channels_first_);
  }

 private:
  bool channels_first_;
  PoolAttrs attrs_;
};

template <PoolKind kKind, int kDimensions>
class GlobalPool final : public Layer {
 public:
  GlobalPool(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config), channels_first_(is_channels_first(config)) {
    attrs_.keep_dims = config.flag("keepdims");
    for (int i = 0; i < kDimensions; ++i) attrs_.axes.push_back(i + (channels_first_ ? 2 : 1));
  }

 protected:
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() == 1, "expects 1 input, got ", call.inputs.size());
    const Tensor& x = call.inputs[0];
    check_rank(x.shape(), kDimensions + 2);
    if (kKind == PoolKind::kMax) return {max(x, attrs_)};
    const Tensor& mask = call.masks[0];
    return {kDimensions == 1 && mask && mask.rank() == 2 ? mean_of_steps(x, mask) : mean(x, attrs_)};
  }

 private:
  /// Returns the mean over the valid steps of the mask.
  Tensor mean_of_steps(const Tensor& x, const Tensor& mask) const {
    const Tensor expanded = expand_dims(mask, {channels_first_ ? 1 : 2});
    const Tensor counted = cast(expanded, {DType::kFloat32});
    const Tensor kept = mul(x, counted);
    return div(sum(kept, attrs_), sum(counted, attrs_));
  }

  bool channels_first_;
  ReduceAttrs attrs_;
};

constexpr LayerRow kRows[] = {
    {"MaxPooling1D", make<Pool<PoolKind::kMax, 1>>},
    {"MaxPooling2D", make<Pool<PoolKind::kMax, 2>>},
    {"AveragePooling1D", make<Pool<PoolKind::kAverage, 1>>},
    {"AveragePooling2D", make<Pool<PoolKind::kAverage, 2>>},
    {"GlobalMaxPooling1D", make<GlobalPool<PoolKind::kMax, 1>>},
    {"GlobalMaxPooling2D", make<GlobalPool<PoolKind::kMax, 2>>},
    {"GlobalAveragePooling1D", make<GlobalPool<PoolKind::kAverage, 1>>},
    {"GlobalAveragePooling2D", make<GlobalPool<PoolKind::kAverage, 2>>},
};

}  // namespace

std::span<const LayerRow> pool_layers() { return kRows; }

}  // namespace tenure::keras
