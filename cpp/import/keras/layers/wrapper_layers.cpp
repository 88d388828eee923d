#include "core/error.h"
#include "import/keras/families.h"
#include "import/keras/rnn/rnn.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Applies a layer to every step of [batch, steps, ...], with batch and steps merged into one batch
/// dimension.
class TimeDistributed final : public Layer {
 public:
  TimeDistributed(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config), layer_(make_layer(config.value("layer"))) {}

  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override {
    layer_->collect_weights(prefix, trainable && trainable_, out);
  }
  bool must_run_eagerly() const override { return layer_->must_run_eagerly(); }

 protected:
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    check(inputs.size() == 1, "expects 1 input, got ", inputs.size());
    const auto& [shape, dtype] = inputs[0];
    check_shape(shape.rank >= 3,
                "TimeDistributed Layer expects an input shape >= 3D, but received an input of rank ",
                shape.rank);
    Shape collapsed = shape;
    collapsed.erase(0);
    collapsed[0] = -1;
    TensorSpec result = layer_->declare({{collapsed, dtype}}, budget).at(0);
    check_shape(result.shape.rank > 0, "the wrapped layer gives a scalar");
    result.shape[0] = shape[1];
    result.shape.insert(0, shape[0]);
    return {result};
  }
  // The mask is the wrapped layer's if it returns one, else the input's mask reduced to [batch, steps].
  LayerResult run(const LayerCall& call) override {
    const Tensor& x = call.inputs[0];
    const Tensor& mask = call.masks[0];
    const auto merge_steps = [](const Tensor& tensor) {
      Shape collapsed = tensor.shape();
      collapsed.erase(0);
      collapsed[0] = tensor.dim(0) * tensor.dim(1);
      return reshape(tensor, {collapsed});
    };
    const auto split_steps = [&](const Tensor& tensor) {
      Shape split = tensor.shape();
      split[0] = x.dim(1);
      split.insert(0, x.dim(0));
      return reshape(tensor, {split});
    };
    const bool has_steps = mask && mask.rank() >= 2;
    const auto [outputs, masks] =
        (*layer_)({{merge_steps(x)}, {has_steps ? merge_steps(mask) : Tensor()}, call.context});
    LayerResult result{{split_steps(outputs[0])}, {mask}};
    if (masks[0]) {
      result.masks[0] = split_steps(masks[0]);
    } else if (has_steps && mask.rank() > 2) {
      ReduceAttrs over;
      for (int i = 2; i < mask.rank(); ++i) over.axes.push_back(i);
      result.masks[0] = any(mask, over);
    }
    return result;
  }
  Tensors call(const LayerCall& call) override { return run(call).outputs; }

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

  bool must_run_eagerly() const override {
    return forward_->must_run_eagerly() || backward_->must_run_eagerly();
  }
  /// Returns the states of the forward copy, and then those of the backward copy.
  Tensors states() const override {
    Tensors states = forward_->states();
    for (Tensor& state : backward_->states()) states.push_back(std::move(state));
    return states;
  }
  void set_states(std::span<const Tensor> states) override {
    const std::span ahead = states.first(states.size() / 2);
    const std::span back = states.subspan(ahead.size());
    // Checks the backward half first, so that an error changes neither half.
    if (!states.empty()) backward_->check_states(back);
    forward_->set_states(ahead);
    backward_->set_states(back);
  }
  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override {
    for (const auto& layer : {forward_.get(), backward_.get()}) {
      layer->collect_weights(prefix + "/" + layer->name(), trainable && trainable_, out);
    }
  }

 protected:
  void build(const Specs& inputs, CallBudget& budget) override {
    for (const auto& layer : {forward_.get(), backward_.get()}) layer->declare({inputs[0]}, budget);
  }
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    const std::size_t sequences = !forward_->return_sequences() ? 0 : merge_mode_ == MergeMode::kNone ? 2 : 1;
    return infer_by_one_step(inputs, sequences, [&](const Specs& one) { return Layer::infer(one, budget); });
  }
  Tensors masks(const LayerCall& call) const override {
    if (!forward_->return_sequences()) return {};
    Tensors masks = {call.masks[0]};
    if (merge_mode_ == MergeMode::kNone) masks.push_back(call.masks[0]);
    return masks;
  }
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() % 2 == 1,
          "When passing `initialState` to a Bidirectional RNN, the state should be an Array containing the "
          "states of the underlying RNNs.");
    Tensors forward = (*forward_)(get_half(call, 0)).outputs;
    Tensors backward = (*backward_)(get_half(call, 1)).outputs;
    if (forward_->return_sequences()) backward[0] = reverse(backward[0], {{1}});
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
    return std::make_unique<Rnn>(class_name, row.object("config").with_class_defaults(class_name));
  }

  static LayerCall get_half(const LayerCall& call, std::size_t half) {
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
      case MergeMode::kConcat: return {concat({forward, backward}, {-1})};
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
