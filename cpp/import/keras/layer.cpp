#include "import/keras/layer.h"

#include "core/error.h"
#include "core/interruption.h"
#include "import/keras/shapes.h"

namespace tenure::keras {
namespace {

// Any value number but 0 makes a tensor symbolic. This one is never looked up, since graphs are traced with
// real weights.
constexpr std::uint32_t kDeclared = 1;

}  // namespace

Layer::Layer(std::string class_name, const Config& config)
    : trainable_(config.flag("trainable", true)),
      class_name_(std::move(class_name)),
      name_(config.string("name", class_name_)),
      rules_(config) {}

Layer::Layer(std::string class_name, std::string name, bool trainable)
    : trainable_(trainable), class_name_(std::move(class_name)), name_(std::move(name)) {}

void CallBudget::consume(int calls) {
  remaining_ -= calls;
  check(remaining_ >= 0, "the model calls its layers more than ", kMaxCalls, " times");
}

template <class F>
auto Layer::with_layer_name(F f) const {
  try {
    return f();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (message.find("(layer \"") != std::string_view::npos) throw;
    fail_with(error.code(), text(message, " (layer \"", name_, "\")"));
  }
}

Specs Layer::declare(const Specs& inputs, CallBudget& budget) {
  return with_layer_name([&] {
    budget.consume();
    check(!inputs.empty(), "is called without an input");
    if (!built_) build_once(inputs, budget);
    return infer(inputs, budget);
  });
}

void Layer::build_once(const Specs& inputs, CallBudget& budget) {
  check(!is_building_, "was left half-built by an interrupted call: create it again");
  struct Building {
    bool& flag;
    ~Building() { flag = false; }
  };
  is_building_ = true;
  const Building until_end{is_building_};
  build(inputs, budget);
  built_ = true;
}

LayerResult Layer::operator()(const LayerCall& call) {
  return with_layer_name([&] {
    call.context.budget.consume();
    return run(call);
  });
}

Specs Layer::infer(const Specs& inputs, CallBudget& budget) {
  return probe_specs(inputs, [&](const Tensors& given) {
    budget.consume();
    return call({given, Tensors(given.size()), {budget}});
  });
}

LayerResult Layer::run(const LayerCall& call) {
  LayerResult result{this->call(call), masks(call)};
  result.masks.resize(result.outputs.size());
  return result;
}

Tensors Layer::masks(const LayerCall& call) const {
  if (passes_mask_ && !call.masks.empty()) return {call.masks[0]};
  return {};
}

void Layer::collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) {
  for (const bool wanted : {true, false}) {
    for (Weight& weight : weights_) {
      if (weight.trainable == wanted)
        out.push_back({prefix + "/" + weight.name, &weight, trainable && trainable_ && wanted});
    }
  }
}

void Layer::check_rank(const Shape& input, int rank) const {
  check_shape(input.rank == rank, "Input 0 is incompatible with layer ", name_, ": expected ndim=", rank,
              ", found ndim=", input.rank);
}

int Layer::add_weight(std::string name, const Shape& shape, bool trainable) {
  check_shape(std::find(shape.begin(), shape.end(), -1) == shape.end(), "the shape of the weight \"", name,
              "\" depends on an extent of the input that is not known");
  const Regularizer regularizer = rules_.regularizer(name);
  const Constraint constraint = rules_.constraint(name);
  interruption::append(
      weights_, Weight{std::move(name), Tensor::symbolic({shape, DType::kFloat32}, kDeclared), trainable, 0,
                       regularizer, constraint});
  return static_cast<int>(weights_.size()) - 1;
}

void Layer::set_weight(int index, Tensor value) {
  weights_[static_cast<std::size_t>(index)].value = std::move(value);
}

const Tensor& Layer::weight(int index) const {
  static const Tensor kNone;
  return index == kNoWeight ? kNone : weights_[static_cast<std::size_t>(index)].value;
}

void UnaryLayer::check_count(std::size_t inputs) { check(inputs == 1, "expects 1 input, got ", inputs); }

void UnaryLayer::build(const Specs& inputs, CallBudget&) {
  check_count(inputs.size());
  build_for(inputs[0].shape);
}

Specs UnaryLayer::infer(const Specs& inputs, CallBudget& budget) {
  check_count(inputs.size());
  return Layer::infer(inputs, budget);
}

Tensors UnaryLayer::call(const LayerCall& call) { return {apply(call.inputs[0])}; }

}  // namespace tenure::keras
