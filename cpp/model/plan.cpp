#include "model/plan.h"

#include <algorithm>

#include "core/dispatch.h"
#include "model/arena.h"
#include "model/views.h"

namespace tenure {
namespace {

/// Whose memory a root is.
enum class Owner : std::uint8_t { kArena, kInput, kOutput, kConstant };

std::vector<Owner> find_owners(const Graph& graph, const std::vector<Place>& places) {
  std::vector<Owner> owners(graph.values.size(), Owner::kArena);
  for (const ValueId output : graph.outputs) owners[places[output].root] = Owner::kOutput;
  for (const ValueId input : graph.inputs) owners[input] = Owner::kInput;
  for (ValueId id = 0; id < owners.size(); ++id) {
    if (graph.is_constant(id)) owners[id] = Owner::kConstant;
  }
  return owners;
}

/// For each root of the arena, the steps between which it must live.
std::vector<Lifetime> find_lifetimes(const Graph& graph, const std::vector<Place>& places,
                                     const std::vector<Owner>& owners, std::vector<ValueId>& roots) {
  std::vector<Lifetime> lifetimes;
  std::vector<int> block(graph.values.size(), -1);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const int step = static_cast<int>(i);
    for (const ValueId input : graph.nodes[i].inputs) {
      const int used = block[places[input].root];
      if (used >= 0) lifetimes[static_cast<std::size_t>(used)].last = step;
    }
    const ValueId output = graph.nodes[i].output;
    if (places[output].root != output || owners[output] != Owner::kArena) continue;
    const TensorSpec& spec = graph.spec(output);
    block[output] = static_cast<int>(lifetimes.size());
    lifetimes.push_back({spec.shape.elements() * size_of(spec.dtype), step, step});
    roots.push_back(output);
  }
  return lifetimes;
}

}  // namespace

Plan::Plan(const Graph& graph)
    : tensors_(graph.values.size()), inputs_(graph.inputs), outputs_(graph.outputs) {
  for (const ValueId input : inputs_) input_specs_.push_back(graph.spec(input));
  const std::vector<Place> places = find_places(graph);
  place_values(graph, places);
  for (const Node& node : graph.nodes) {
    const bool has_memory = places[node.output].root == node.output;
    if (has_memory && graph.spec(node.output).shape.elements() > 0) add_step(node);
  }
}

void Plan::place_values(const Graph& graph, const std::vector<Place>& places) {
  const std::vector<Owner> owners = find_owners(graph, places);
  std::vector<ValueId> roots;
  const std::vector<Lifetime> lifetimes = find_lifetimes(graph, places, owners, roots);
  const ArenaLayout layout = plan_arena(lifetimes);
  arena_ = Storage::allocate(layout.bytes);
  std::vector<std::size_t> offset_of(graph.values.size());
  for (std::size_t i = 0; i < roots.size(); ++i) offset_of[roots[i]] = layout.offsets[i];

  for (ValueId id = 1; id < graph.values.size(); ++id) {
    const TensorSpec& spec = graph.spec(id);
    const ValueId root = places[id].root;
    switch (owners[root]) {
      case Owner::kConstant: tensors_[id] = Tensor(graph.constant(root).storage(), spec); break;
      case Owner::kInput: from_inputs_.push_back({id, root, spec}); break;
      case Owner::kOutput: from_outputs_.push_back({id, root, spec}); break;
      case Owner::kArena: {
        auto* at = static_cast<std::byte*>(arena_->data()) + offset_of[root] + places[id].offset;
        tensors_[id] = Tensor(Storage::view(at, spec.shape.elements() * size_of(spec.dtype), arena_), spec);
        break;
      }
    }
  }
}

void Plan::add_step(const Node& node) {
  Step step{node.op,
            static_cast<std::uint32_t>(pointers_.size()),
            static_cast<std::uint32_t>(node.inputs.size()),
            static_cast<std::uint32_t>(words_.size()),
            static_cast<std::uint32_t>(node.attrs.size()),
            node.output};
  for (const ValueId input : node.inputs) pointers_.push_back(&tensors_[input]);
  words_.insert(words_.end(), node.attrs.begin(), node.attrs.end());
  steps_.push_back(step);
}

/// Lets go of the caller's tensors at the end of a run, however it ends.
class Plan::Unpatch {
 public:
  explicit Unpatch(Plan& plan) : plan_(plan) {}
  ~Unpatch() {
    for (const Patch& patch : plan_.from_inputs_) plan_.tensors_[patch.value] = Tensor();
    for (const Patch& patch : plan_.from_outputs_) plan_.tensors_[patch.value] = Tensor();
  }
  Unpatch(const Unpatch&) = delete;
  Unpatch& operator=(const Unpatch&) = delete;

 private:
  Plan& plan_;
};

Tensors Plan::run(std::span<const Tensor> inputs) {
  const Unpatch unpatch(*this);
  for (std::size_t i = 0; i < inputs_.size(); ++i) tensors_[inputs_[i]] = inputs[i];
  for (const Patch& patch : from_inputs_) {
    if (patch.value != patch.root) tensors_[patch.value] = Tensor(tensors_[patch.root].storage(), patch.spec);
  }
  for (const Patch& patch : from_outputs_) {
    tensors_[patch.value] =
        patch.value == patch.root ? Tensor(patch.spec) : Tensor(tensors_[patch.root].storage(), patch.spec);
  }
  const std::span<const Tensor* const> pointers(pointers_);
  const std::span<const std::int32_t> words(words_);
  for (const Step& step : steps_) {
    run_kernel(step.op, {Inputs(pointers.subspan(step.first_input, step.input_count)),
                         AttrsView(words.subspan(step.first_word, step.word_count)), tensors_[step.output]});
  }
  Tensors outputs;
  outputs.reserve(outputs_.size());
  for (const ValueId output : outputs_) outputs.push_back(tensors_[output]);
  return outputs;
}

}  // namespace tenure
