#include "core/error.h"
#include "model/keras/families.h"
#include "model/keras/rnn.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Applies a layer to every step of [batch, steps, ...], as to one large batch.
class TimeDistributed final : public Layer {
 public:
  TimeDistributed(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config), layer_(make_layer(config.value("layer"))) {
    passes_mask_ = true;
  }

  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override {
    layer_->collect_weights(prefix, trainable && trainable_, out);
  }

 protected:
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() == 1, "expects 1 input, got ", call.inputs.size());
    const Tensor& x = call.inputs[0];
    check_shape(x.rank() >= 3,
                "TimeDistributed Layer expects an input shape >= 3D, but received an input of rank ",
                x.rank());
    Shape merged = x.shape();
    merged.erase(0);
    merged[0] = x.dim(0) * x.dim(1);
    const Tensors results = (*layer_)({{reshape(x, {merged})}, {Tensor()}, call.context});
    Shape split = results[0].shape();
    split[0] = x.dim(1);
    split.insert(0, x.dim(0));
    return {reshape(results[0], {split})};
  }

 private:
  LayerPtr layer_;
};

/// Two copies of a recurrent layer, one of which runs from the last step to the first.
class Bidirectional final : public Layer {
 public:
  Bidirectional(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config),
        forward_(make_copy(config, "layer")),
        backward_(make_copy(config, config.has("backward_layer") ? "backward_layer" : "layer")),
        merge_mode_(parse_merge_mode(config)) {
    if (!config.has("backward_layer")) backward_->set_go_backwards(!forward_->go_backwards());
    if (!config.has("backward_layer") || backward_->name() == forward_->name()) {
      backward_->set_name("backward_" + backward_->name());
    }
    forward_->set_name("forward_" + forward_->name());
  }

  Tensor mask(const LayerCall& call) const override { return forward_->mask(call); }
  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override {
    for (const auto& layer : {forward_.get(), backward_.get()}) {
      layer->collect_weights(prefix + "/" + layer->name(), trainable && trainable_, out);
    }
  }

 protected:
  Tensors call(const LayerCall& call) override {
    check(!call.inputs.empty() && call.inputs.size() % 2 == 1,
          "When passing `initialState` to a Bidirectional RNN, the state should be an Array containing the "
          "states of the "
          "underlying RNNs.");
    Tensors forward = (*forward_)(half_of(call, 0));
    Tensors backward = (*backward_)(half_of(call, 1));
    if (forward_->return_sequences()) backward[0] = reverse({&backward[0]}, {{1}});
    Tensors results = merge(forward[0], backward[0]);
    results.insert(results.end(), forward.begin() + 1, forward.end());
    results.insert(results.end(), backward.begin() + 1, backward.end());
    return results;
  }

 private:
  enum class MergeMode { kSum, kMul, kAve, kConcat, kNone };

  static MergeMode parse_merge_mode(const Config& config) {
    const auto& keys = config.json().keys();
    const bool is_given = std::find(keys.begin(), keys.end(), "merge_mode") != keys.end() ||
                          std::find(keys.begin(), keys.end(), "mergeMode") != keys.end();
    const std::string mode = config.word("merge_mode", is_given ? "none" : "concat");
    if (mode == "none") return MergeMode::kNone;
    if (mode == "sum") return MergeMode::kSum;
    if (mode == "mul") return MergeMode::kMul;
    if (mode == "ave") return MergeMode::kAve;
    if (mode != "concat")
      config.fail("field \"merge_mode\" must be sum, mul, concat, ave or null, got \"", mode, "\"");
    return MergeMode::kConcat;
  }

  static std::unique_ptr<Rnn> make_copy(const Config& config, std::string_view key) {
    const Config row = config.object(key);
    const std::string& class_name = row.string("class_name");
    bool is_recurrent = false;
    for (const LayerRow& known : recurrent_layers()) is_recurrent |= known.class_name == class_name;
    if (!is_recurrent) config.fail("field \"", key, "\" must be a recurrent layer, got ", class_name);
    return std::make_unique<Rnn>(class_name, row.object("config"));
  }

  static LayerCall half_of(const LayerCall& call, std::size_t half) {
    LayerCall part{{call.inputs[0]}, {call.masks[0]}, call.context};
    const std::size_t count = (call.inputs.size() - 1) / 2;
    for (std::size_t i = 0; i < count; ++i) {
      part.inputs.push_back(call.inputs[1 + half * count + i]);
      part.masks.emplace_back();
    }
    return part;
  }

  Tensors merge(const Tensor& forward, const Tensor& backward) const {
    switch (merge_mode_) {
      case MergeMode::kSum: return {add(forward, backward)};
      case MergeMode::kMul: return {mul(forward, backward)};
      case MergeMode::kAve: return {mul(add(forward, backward), Tensor::scalar(0.5F))};
      case MergeMode::kConcat: return {concat({&forward, &backward}, {-1})};
      case MergeMode::kNone: break;
    }
    return {forward, backward};
  }

  std::unique_ptr<Rnn> forward_;
  std::unique_ptr<Rnn> backward_;
  MergeMode merge_mode_;
};

constexpr LayerRow kRows[] = {
    {"TimeDistributed", make<TimeDistributed>},
    {"Bidirectional", make<Bidirectional>},
};

}  // namespace

std::span<const LayerRow> wrapper_layers() { return kRows; }

}  // namespace tenure::keras
