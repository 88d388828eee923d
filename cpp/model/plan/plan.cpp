#include "model/plan/plan.h"

#include <algorithm>

#include "core/memory/allocator.h"
#include "core/memory/memory_user.h"
#include "core/run/dispatch.h"
#include "core/run/faults.h"
#include "model/graph/lifetimes.h"
#include "model/graph/views.h"
#include "model/passes/chains.h"
#include "model/plan/loop_kernel.h"

namespace tenure {
namespace {

// Code that runs for every node is out of line, apart from the loops over the nodes: JavaScript engines
// re-optimise a function after its loops and calls have executed a budget of its code, which would happen at
// the same time as the first kernels run.

/// Returns a tensor at a byte offset in its root's memory. On a device all offsets are 0.
[[gnu::noinline]] Tensor within_root(const Tensor& root, std::size_t offset, const TensorSpec& spec) {
  if (offset == 0) return Tensor(root.storage(), spec);
  auto* at = static_cast<std::byte*>(root.storage()->data()) + offset;
  return Tensor(Storage::view(at, checked_bytes(spec), root.storage()), spec);
}

/// True if a kernel prepared for `a` can run `b`, a node of the same op, such as another step of a recurrent
/// layer.
[[gnu::noinline]] bool prepare_alike(const Graph& graph, const Node& a, const Node& b) {
  const auto is_alike = [&](ValueId x, ValueId y) {
    return x == y || (!graph.is_constant(x) && !graph.is_constant(y) && graph.spec(x) == graph.spec(y));
  };
  return a.attrs == b.attrs &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), is_alike);
}

/// Returns a chain in the form that backends fuse: operands are indices of inputs or offsets to earlier ops.
std::vector<ChainOp> links_of(const Graph& graph, const Chain& chain) {
  std::vector<ChainOp> links;
  const auto operand = [&](ValueId id) {
    const auto input = std::find(chain.inputs.begin(), chain.inputs.end(), id);
    if (input != chain.inputs.end()) return static_cast<int>(input - chain.inputs.begin());
    const auto made = std::find_if(chain.nodes.begin(), chain.nodes.end(),
                                   [&](std::size_t node) { return graph.nodes[node].output == id; });
    // The head is at -1, before the first op.
    const auto place = made == chain.nodes.end() ? -1 : static_cast<int>(made - chain.nodes.begin());
    return place - static_cast<int>(links.size());
  };
  for (const std::size_t i : chain.nodes) {
    const Node& node = graph.nodes[i];
    links.push_back({node.op, node.attrs_view(), {operand(node.inputs[0]), operand(node.inputs.back())}});
  }
  return links;
}

}  // namespace

Plan::Plan(const Graph& graph, const Backend& backend, FirstRun first_run)
    : backend_(backend),
      layers_(graph.layers),
      layer_word_(graph.layer_word),
      tensors_(graph.values.size()),
      inputs_(graph.inputs),
      outputs_(graph.outputs) {
  for (const ValueId input : inputs_) input_specs_.push_back(graph.spec(input));
  if (first_run == FirstRun::kLater) warm_up(graph);
  // A device copies whole storages, so slices cannot alias parts of one there.
  const std::vector<Place> places = find_places(graph, !on_device());
  const FusedChains fused = backend_.fuse ? fuse_chains(graph) : FusedChains(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool has_memory = places[node.output].root == node.output;
    if (fused[i].is_within || !has_memory || graph.spec(node.output).shape.elements() == 0) continue;
    if (fused[i].kernel) {
      add_step(node, fused[i].op, fused[i].inputs, nullptr, fused[i].kernel);
      continue;
    }
    if (node.loop) {
      add_loop(graph, node);
      continue;
    }
    const KernelFn kernel = find_kernel(graph, node);
    add_step(node, node.op, node.inputs, kernel, kernel ? prepare(graph, node) : nullptr);
  }
  // After the kernels are prepared, so that the arena can reuse the memory that they have released.
  trim_allocator();
  place_values(graph, places, fused);
  settle_constants(graph, places);
  if (on_device()) release_early(graph, places);
}

void Plan::warm_up(const Graph& graph) const {
  if (!backend_.warm_up) return;
  for (const Node& node : graph.nodes) {
    if (node.inputs.empty()) continue;
    const ValueId second = node.inputs[std::min<std::size_t>(1, node.inputs.size() - 1)];
    backend_.warm_up(node.op, graph.spec(node.inputs[0]).shape, graph.spec(second).shape, node.attrs_view());
  }
}

/// Keeps the constants that steps read. Only the spec is kept of the others, of which kernels have copies.
void Plan::settle_constants(const Graph& graph, const std::vector<Place>& places) {
  std::vector<bool> is_read(tensors_.size(), on_device());
  for (const ValueId output : outputs_) is_read[output] = true;
  for (const Step& step : steps_) {
    for (std::uint32_t i = 0; i < step.input_count; ++i) {
      const auto id = static_cast<std::size_t>(pointers_[step.first_input + i] - tensors_.data());
      is_read[id] = is_read[id] || !step.prepared || step.prepared->reads(i);
    }
  }
  for (ValueId id = 1; id < tensors_.size(); ++id) {
    if (!graph.is_constant(places[id].root)) continue;
    if (!is_read[id]) {
      tensors_[id] = Tensor::symbolic(graph.spec(id), id);
      continue;
    }
    Storage* storage = tensors_[id].storage().get();
    if (!on_device()) storage->read_in_place();
    constants_.push_back(storage);
  }
}

/// Returns the inputs and the output of each step. A chain is one step, at the position of its last node.
std::vector<StepValues> Plan::steps_of(const Graph& graph, const FusedChains& fused) {
  std::vector<StepValues> steps;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (fused[i].is_within) continue;
    const Node& node = graph.nodes[i];
    const PreparedKernel* kernel = fused[i].kernel;
    StepValues step = {kernel ? fused[i].inputs : node.inputs, node.output};
    const OpKind kind = op_def(node.op).kind;
    const bool is_elementwise = !kernel && (kind == OpKind::kUnary || kind == OpKind::kBinary);
    for (std::size_t k = 0; k < std::min<std::size_t>(step.inputs.size(), 64); ++k) {
      if (kernel ? kernel->may_overwrite(k) : is_elementwise) step.overwrites |= std::uint64_t{1} << k;
    }
    steps.push_back(step);
  }
  return steps;
}

std::vector<Plan::Owner> Plan::find_owners(const Graph& graph, const std::vector<Place>& places,
                                           Owner of_others) {
  std::vector<Owner> owners(graph.values.size(), of_others);
  for (const ValueId output : graph.outputs) owners[places[output].root] = Owner::kRun;
  for (const ValueId input : graph.inputs) owners[input] = Owner::kInput;
  for (ValueId id = 0; id < owners.size(); ++id) {
    if (graph.is_constant(id)) owners[id] = Owner::kConstant;
  }
  return owners;
}

[[gnu::noinline]] void Plan::place_value(const Graph& graph, ValueId id, Place place, Owner owner) {
  const auto [root, offset] = place;
  const TensorSpec& spec = graph.spec(id);
  switch (owner) {
    case Owner::kConstant: tensors_[id] = Tensor(graph.constant(root).storage(), spec); break;
    case Owner::kInput: given_.push_back({id, root, spec}); break;
    case Owner::kRun: made_.push_back({id, root, spec}); break;
    case Owner::kArena: tensors_[id] = within_root(tensors_[root], offset, spec); break;
  }
}

void Plan::place_values(const Graph& graph, const std::vector<Place>& places, const FusedChains& fused) {
  const std::vector<Owner> owners = find_owners(graph, places, on_device() ? Owner::kRun : Owner::kArena);
  std::vector<bool> in_arena(owners.size());
  std::transform(owners.begin(), owners.end(), in_arena.begin(),
                 [](Owner owner) { return owner == Owner::kArena; });
  const ArenaBlocks blocks = find_blocks(graph, steps_of(graph, fused), places, in_arena);
  const ArenaLayout layout = plan_arena(blocks.lifetimes);
  arena_ = Storage::allocate(layout.bytes);
  auto* arena = static_cast<std::byte*>(arena_->data());
  for (ValueId id = 1; id < graph.values.size(); ++id) {
    if (blocks.of_root[id] < 0) continue;
    const auto block = static_cast<std::size_t>(blocks.of_root[id]);
    const StoragePtr place =
        Storage::view(arena + layout.offsets[block], blocks.lifetimes[block].bytes, arena_);
    tensors_[id] = Tensor(place, graph.spec(id));
  }
  for (ValueId id = 1; id < graph.values.size(); ++id) {
    place_value(graph, id, places[id], owners[places[id].root]);
  }
  // Values are not sorted by root: a pass may make an earlier value a view of one that it adds.
  std::ranges::partition(made_, [](const Patch& patch) { return patch.value == patch.root; });
}

void Plan::add_loop(const Graph& graph, const Node& node) {
  auto loop = std::make_unique<LoopKernel>(node.loop);
  constants_.insert(constants_.end(), loop->constants().begin(), loop->constants().end());
  add_step(node, node.op, node.inputs, nullptr, loop.get());
  steps_.back().is_loop = true;
  prepared_.push_back({static_cast<std::size_t>(&node - graph.nodes.data()), false, std::move(loop)});
}

[[gnu::noinline]] const Plan::Prepared* Plan::prepared_alike(const Graph& graph, const Node& node) const {
  for (const Prepared& earlier : prepared_) {
    if (!earlier.is_of_node || graph.nodes[earlier.node].op != node.op) continue;
    if (prepare_alike(graph, graph.nodes[earlier.node], node)) return &earlier;
  }
  return nullptr;
}

const PreparedKernel* Plan::prepare(const Graph& graph, const Node& node) {
  if (!backend_.prepare) return nullptr;
  if (const Prepared* earlier = prepared_alike(graph, node)) return earlier->kernel.get();
  Tensors inputs;
  for (const ValueId id : node.inputs) {
    const bool is_known = id == kNoValue || graph.is_constant(id);
    inputs.push_back(is_known ? graph.constant(id) : Tensor::symbolic(graph.spec(id), id));
  }
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  auto kernel =
      backend_.prepare(node.op, Inputs(std::span<const Tensor* const>(pointers)), node.attrs_view());
  if (!kernel) return nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].has_data() && !kernel->reads(i)) inputs[i].storage()->forget_unpacked();
  }
  if (kernel->storage()) constants_.push_back(kernel->storage());
  prepared_.push_back({static_cast<std::size_t>(&node - graph.nodes.data()), true, std::move(kernel)});
  return prepared_.back().kernel.get();
}

void Plan::add_step(const Node& node, Op op, std::span<const ValueId> inputs, KernelFn kernel,
                    const PreparedKernel* prepared) {
  steps_.push_back({op, static_cast<std::uint32_t>(pointers_.size()),
                    static_cast<std::uint32_t>(inputs.size()), static_cast<std::uint32_t>(words_.size()),
                    static_cast<std::uint32_t>(node.attrs.size()), node.output, kernel, prepared, 0, 0,
                    node.layer});
  for (const ValueId input : inputs) pointers_.push_back(&tensors_[input]);
  words_.insert(words_.end(), node.attrs.begin(), node.attrs.end());
}

Plan::FusedChains Plan::fuse_chains(const Graph& graph) {
  FusedChains fused(graph.nodes.size());
  for (Chain& chain : find_chains(graph, backend_.follow != nullptr)) {
    const Node& last = graph.nodes[chain.nodes.back()];
    if (on_device() && !backend_.can_hold(graph.spec(last.output))) continue;
    std::unique_ptr<PreparedKernel> kernel = make_kernel(graph, chain);
    if (!kernel && chain.head) {
      leave_head(graph, chain);
      if (chain.nodes.size() > 1) kernel = make_kernel(graph, chain);
    }
    if (!kernel) continue;
    for (const std::size_t node : chain.nodes) fused[node].is_within = node != chain.nodes.back();
    if (chain.head) fused[*chain.head].is_within = true;
    fused[chain.nodes.back()] = {false, kernel.get(), std::move(chain.inputs),
                                 chain.head ? graph.nodes[*chain.head].op : last.op};
    prepared_.push_back({chain.nodes.back(), false, std::move(kernel)});
  }
  return fused;
}

std::unique_ptr<PreparedKernel> Plan::make_kernel(const Graph& graph, const Chain& chain) {
  if (!chain.head) return backend_.fuse(links_of(graph, chain));
  const Node& head = graph.nodes[*chain.head];
  return backend_.follow({head.op, head.attrs_view(), head.inputs.size(), prepare(graph, head),
                          graph.spec(head.inputs[0]).shape, graph.spec(head.inputs[1]).shape},
                         links_of(graph, chain));
}

KernelFn Plan::find_kernel(const Graph& graph, const Node& node) const {
  const auto fits = [&](ValueId id) { return id == kNoValue || backend_.can_hold(graph.spec(id)); };
  const bool all_fit =
      !on_device() || (fits(node.output) && std::all_of(node.inputs.begin(), node.inputs.end(), fits));
  return all_fit ? backend_.kernels[static_cast<std::size_t>(node.op)] : nullptr;
}

/// Lists for each step the values whose memory no later step reads.
void Plan::release_early(const Graph& graph, const std::vector<Place>& places) {
  std::vector<int> last_step(graph.values.size(), -1);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    last_step[places[step.output].root] = static_cast<int>(i);
    for (const Tensor* input : std::span(pointers_).subspan(step.first_input, step.input_count)) {
      last_step[places[static_cast<std::size_t>(input - tensors_.data())].root] = static_cast<int>(i);
    }
  }
  for (const ValueId output : outputs_) last_step[places[output].root] = -1;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].first_done = static_cast<std::uint32_t>(done_.size());
    for (const Patch& patch : made_) {
      if (last_step[patch.root] == static_cast<int>(i)) done_.push_back(patch.value);
    }
    steps_[i].done_count = static_cast<std::uint32_t>(done_.size()) - steps_[i].first_done;
  }
}

std::size_t Plan::bytes() const {
  std::size_t bytes = arena_->bytes();
  for (const Prepared& prepared : prepared_) bytes += prepared.kernel->bytes();
  return bytes;
}

void Plan::add_to(Account& account) const {
  for (const Storage* constant : constants_) account.add(MemoryPart::kWeights, constant);
  for (const Prepared& prepared : prepared_) prepared.kernel->add_to(account);
}

void Plan::repair() noexcept {
  for (const Patch& patch : given_) tensors_[patch.value] = Tensor();
  for (const Patch& patch : made_) tensors_[patch.value] = Tensor();
}

/// Scope: releases the tensors bound for a run at its end, also if it throws.
class Plan::Unpatch {
 public:
  explicit Unpatch(Plan& plan) : plan_(plan) {}
  ~Unpatch() { plan_.repair(); }
  Unpatch(const Unpatch&) = delete;
  Unpatch& operator=(const Unpatch&) = delete;

 private:
  Plan& plan_;
};

KernelArgs Plan::args_of(const Step& step) {
  const std::span<const Tensor* const> pointers(pointers_);
  const std::span<const std::int32_t> words(words_);
  return {Inputs(pointers.subspan(step.first_input, step.input_count)),
          AttrsView(words.subspan(step.first_word, step.word_count)), tensors_[step.output]};
}

void Plan::get_programs() {
  backend_.collect(true);
  try {
    for (const Step& step : steps_) {
      if (step.is_loop) continue;
      if (step.prepared) {
        step.prepared->run(args_of(step));
      } else if (step.kernel) {
        step.kernel(args_of(step));
      }
    }
  } catch (...) {
    backend_.collect(false);
    throw;
  }
  backend_.collect(false);
}

void Plan::run(const Step& step) {
  try {
    faults::op();
    run_step(step.op, args_of(step), step.kernel, step.prepared);
  } catch (const Error& error) {
    const std::string& layer = layers_[step.layer];
    if (error.code() == ErrorCode::kOutOfMemory || layer.empty()) throw;
    fail_with(error.code(), text(error.what(), " (", layer_word_, " \"", layer, "\")"));
  }
}

Tensors Plan::run(std::span<const Tensor> inputs) {
  const Unpatch unpatch(*this);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    tensors_[inputs_[i]] = inputs[i];
    // Fetches the bytes on this thread, before the worker threads of kernels read them.
    if (!on_device()) inputs[i].storage()->data();
  }
  for (const Patch& patch : given_) {
    if (patch.value != patch.root) tensors_[patch.value] = Tensor(tensors_[patch.root].storage(), patch.spec);
  }
  for (const Patch& patch : made_) {
    tensors_[patch.value] = patch.value != patch.root ? Tensor(tensors_[patch.root].storage(), patch.spec)
                            : on_device()             ? Tensor::deferred(patch.spec)
                                                      : Tensor(patch.spec);
  }
  if (!is_warm_ && backend_.collect) get_programs();
  is_warm_ = true;
  for (const Step& step : steps_) {
    run(step);
    for (const ValueId id : std::span(done_).subspan(step.first_done, step.done_count))
      tensors_[id] = Tensor();
  }
  Tensors outputs;
  outputs.reserve(outputs_.size());
  for (const ValueId output : outputs_) outputs.push_back(tensors_[output]);
  return outputs;
}

}  // namespace tenure
