#include "model/plan/plan.h"

#include <algorithm>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "core/run/fault_injection.h"
#include "model/graph/lifetimes.h"
#include "model/graph/views.h"
#include "model/passes/chains.h"
#include "model/plan/loop_kernel.h"

namespace tenure {
namespace {

// Code that runs for every node is out of line, apart from the loops over the nodes: JavaScript engines
// re-optimise a function after its loops and calls have executed a budget of its code, which would happen at
// the same time as the first kernels run.

/// Returns a tensor at a byte offset in its base's memory. On a device all offsets are 0.
[[gnu::noinline]] Tensor view_in_base(const Tensor& base, std::size_t offset, const TensorSpec& spec) {
  if (offset == 0) return Tensor(base.storage(), spec);
  auto* at = static_cast<std::byte*>(base.storage()->data()) + offset;
  return Tensor(Storage::view(at, checked_bytes(spec), base.storage()), spec);
}

/// True if a kernel prepared for `a` can run `b`, a node of the same op, such as another step of a recurrent
/// layer.
[[gnu::noinline]] bool can_share_kernel(const Graph& graph, const Node& a, const Node& b) {
  const auto is_alike = [&](ValueId x, ValueId y) {
    return x == y || (!graph.is_constant(x) && !graph.is_constant(y) && graph.spec(x) == graph.spec(y));
  };
  return a.attrs == b.attrs &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), is_alike);
}

/// Returns a chain in the form that backends fuse: operands are indices of inputs or offsets to earlier ops.
std::vector<ChainOp> to_chain_ops(const Graph& graph, const Chain& chain) {
  std::vector<ChainOp> links;
  const auto operand = [&](ValueId id) {
    const auto input = std::find(chain.inputs.begin(), chain.inputs.end(), id);
    if (input != chain.inputs.end()) return static_cast<int>(input - chain.inputs.begin());
    const auto made = std::find_if(chain.nodes.begin(), chain.nodes.end(),
                                   [&](std::size_t node) { return graph.nodes[node].output == id; });
    // The producer is at -1, before the first op.
    const auto location = made == chain.nodes.end() ? -1 : static_cast<int>(made - chain.nodes.begin());
    return location - static_cast<int>(links.size());
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
      layer_kind_(graph.layer_kind),
      tensors_(graph.values.size()),
      inputs_(graph.inputs),
      outputs_(graph.outputs) {
  for (const ValueId input : inputs_) input_specs_.push_back(graph.spec(input));
  if (first_run == FirstRun::kLater) warm_up(graph);
  // A device copies whole storages, so slices cannot alias parts of one there.
  const std::vector<BufferView> views = find_buffer_views(graph, !on_device());
  const FusionResults fused = backend_.fuse ? fuse_chains(graph) : FusionResults(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool has_memory = views[node.output].base == node.output;
    if (fused[i].is_inside_chain || !has_memory || graph.spec(node.output).shape.elements() == 0) continue;
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
  bind_values(graph, views, fused);
  retain_constants(graph, views);
  if (on_device()) plan_releases(graph, views);
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
void Plan::retain_constants(const Graph& graph, const std::vector<BufferView>& views) {
  std::vector<bool> is_read(tensors_.size(), on_device());
  for (const ValueId output : outputs_) is_read[output] = true;
  for (const Step& step : steps_) {
    for (std::uint32_t i = 0; i < step.input_count; ++i) {
      const auto id = static_cast<std::size_t>(pointers_[step.first_input + i] - tensors_.data());
      is_read[id] = is_read[id] || !step.prepared || step.prepared->reads(i);
    }
  }
  for (ValueId id = 1; id < tensors_.size(); ++id) {
    if (!graph.is_constant(views[id].base)) continue;
    if (!is_read[id]) {
      tensors_[id] = Tensor::symbolic(graph.spec(id), id);
      continue;
    }
    Storage* storage = tensors_[id].storage().get();
    if (!on_device()) storage->pin();
    constants_.push_back(storage);
  }
}

/// Returns the inputs and the output of each step. A chain is one step, at the position of its last node.
std::vector<StepValues> Plan::list_step_values(const Graph& graph, const FusionResults& fused) {
  std::vector<StepValues> steps;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (fused[i].is_inside_chain) continue;
    const Node& node = graph.nodes[i];
    const PreparedKernel* kernel = fused[i].kernel;
    StepValues step = {kernel ? fused[i].inputs : node.inputs, node.output};
    for (std::size_t k = 0; k < std::min<std::size_t>(step.inputs.size(), 64); ++k) {
      if (kernel ? kernel->can_donate(k) : is_elementwise(op_def(node.op).kind))
        step.donation_mask |= std::uint64_t{1} << k;
    }
    steps.push_back(step);
  }
  return steps;
}

std::vector<Plan::Owner> Plan::find_owners(const Graph& graph, const std::vector<BufferView>& views,
                                           Owner default_owner) {
  std::vector<Owner> owners(graph.values.size(), default_owner);
  for (const ValueId output : graph.outputs) owners[views[output].base] = Owner::kRun;
  for (const ValueId input : graph.inputs) owners[input] = Owner::kInput;
  for (ValueId id = 0; id < owners.size(); ++id) {
    if (graph.is_constant(id)) owners[id] = Owner::kConstant;
  }
  return owners;
}

[[gnu::noinline]] void Plan::bind_value(const Graph& graph, ValueId id, BufferView location, Owner owner) {
  const auto [base, offset] = location;
  const TensorSpec& spec = graph.spec(id);
  switch (owner) {
    case Owner::kConstant: tensors_[id] = Tensor(graph.constant(base).storage(), spec); break;
    case Owner::kInput: input_bindings_.push_back({id, base, spec}); break;
    case Owner::kRun: output_bindings_.push_back({id, base, spec}); break;
    case Owner::kArena: tensors_[id] = view_in_base(tensors_[base], offset, spec); break;
  }
}

void Plan::bind_values(const Graph& graph, const std::vector<BufferView>& views, const FusionResults& fused) {
  const std::vector<Owner> owners = find_owners(graph, views, on_device() ? Owner::kRun : Owner::kArena);
  std::vector<bool> in_arena(owners.size());
  std::transform(owners.begin(), owners.end(), in_arena.begin(),
                 [](Owner owner) { return owner == Owner::kArena; });
  const ArenaBlocks blocks = find_blocks(graph, list_step_values(graph, fused), views, in_arena);
  const ArenaLayout layout = plan_arena(blocks.lifetimes);
  arena_ = Storage::allocate(layout.bytes);
  auto* arena = static_cast<std::byte*>(arena_->data());
  for (ValueId id = 1; id < graph.values.size(); ++id) {
    if (blocks.block_index[id] < 0) continue;
    const auto block = static_cast<std::size_t>(blocks.block_index[id]);
    const StoragePtr location =
        Storage::view(arena + layout.offsets[block], blocks.lifetimes[block].bytes, arena_);
    tensors_[id] = Tensor(location, graph.spec(id));
  }
  for (ValueId id = 1; id < graph.values.size(); ++id) {
    bind_value(graph, id, views[id], owners[views[id].base]);
  }
  // Values are not sorted by base: a pass may make an earlier value a view of one that it adds.
  std::ranges::partition(output_bindings_,
                         [](const ExternalBinding& binding) { return binding.value == binding.base; });
}

void Plan::add_loop(const Graph& graph, const Node& node) {
  auto loop = std::make_unique<LoopKernel>(node.loop);
  constants_.insert(constants_.end(), loop->constants().begin(), loop->constants().end());
  add_step(node, node.op, node.inputs, nullptr, loop.get());
  steps_.back().is_loop = true;
  prepared_.push_back({static_cast<std::size_t>(&node - graph.nodes.data()), false, std::move(loop)});
}

[[gnu::noinline]] const Plan::Prepared* Plan::find_shared_kernel(const Graph& graph, const Node& node) const {
  for (const Prepared& earlier : prepared_) {
    if (!earlier.is_of_node || graph.nodes[earlier.node].op != node.op) continue;
    if (can_share_kernel(graph, graph.nodes[earlier.node], node)) return &earlier;
  }
  return nullptr;
}

const PreparedKernel* Plan::prepare(const Graph& graph, const Node& node) {
  if (!backend_.prepare) return nullptr;
  if (const Prepared* earlier = find_shared_kernel(graph, node)) return earlier->kernel.get();
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
    if (inputs[i].has_data() && !kernel->reads(i)) inputs[i].storage()->evict();
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

Plan::FusionResults Plan::fuse_chains(const Graph& graph) {
  FusionResults fused(graph.nodes.size());
  for (Chain& chain : find_chains(graph, backend_.fuse_into_producer != nullptr)) {
    const Node& last = graph.nodes[chain.nodes.back()];
    if (!backend_.supports(graph.spec(last.output))) continue;
    std::unique_ptr<PreparedKernel> kernel = make_kernel(graph, chain);
    if (!kernel && chain.producer) {
      detach_producer(graph, chain);
      if (chain.nodes.size() > 1) kernel = make_kernel(graph, chain);
    }
    if (!kernel) continue;
    for (const std::size_t node : chain.nodes) fused[node].is_inside_chain = node != chain.nodes.back();
    if (chain.producer) fused[*chain.producer].is_inside_chain = true;
    fused[chain.nodes.back()] = {false, kernel.get(), std::move(chain.inputs),
                                 chain.producer ? graph.nodes[*chain.producer].op : last.op};
    prepared_.push_back({chain.nodes.back(), false, std::move(kernel)});
  }
  return fused;
}

std::unique_ptr<PreparedKernel> Plan::make_kernel(const Graph& graph, const Chain& chain) {
  if (!chain.producer) return backend_.fuse(to_chain_ops(graph, chain));
  const Node& producer = graph.nodes[*chain.producer];
  return backend_.fuse_into_producer(
      {producer.op, producer.attrs_view(), producer.inputs.size(), prepare(graph, producer),
       graph.spec(producer.inputs[0]).shape, graph.spec(producer.inputs[1]).shape},
      to_chain_ops(graph, chain));
}

KernelFn Plan::find_kernel(const Graph& graph, const Node& node) const {
  const auto fits = [&](ValueId id) { return id == kNoValue || backend_.supports(graph.spec(id)); };
  const bool all_fit =
      !on_device() || (fits(node.output) && std::all_of(node.inputs.begin(), node.inputs.end(), fits));
  return all_fit ? backend_.kernel(node.op) : nullptr;
}

/// Lists for each step the values whose memory no later step reads.
void Plan::plan_releases(const Graph& graph, const std::vector<BufferView>& views) {
  std::vector<int> last_step(graph.values.size(), -1);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    last_step[views[step.output].base] = static_cast<int>(i);
    for (const Tensor* input : std::span(pointers_).subspan(step.first_input, step.input_count)) {
      last_step[views[static_cast<std::size_t>(input - tensors_.data())].base] = static_cast<int>(i);
    }
  }
  for (const ValueId output : outputs_) last_step[views[output].base] = -1;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].first_release = static_cast<std::uint32_t>(releases_.size());
    for (const ExternalBinding& binding : output_bindings_) {
      if (last_step[binding.base] == static_cast<int>(i)) releases_.push_back(binding.value);
    }
    steps_[i].release_count = static_cast<std::uint32_t>(releases_.size()) - steps_[i].first_release;
  }
}

std::size_t Plan::bytes() const {
  std::size_t bytes = arena_->bytes();
  for (const Prepared& prepared : prepared_) bytes += prepared.kernel->bytes();
  return bytes;
}

void Plan::add_to(MemoryReport& report) const {
  for (const Storage* constant : constants_) report.add(MemoryPart::kWeights, constant);
  for (const Prepared& prepared : prepared_) prepared.kernel->add_to(report);
}

void Plan::repair() noexcept {
  for (const ExternalBinding& binding : input_bindings_) tensors_[binding.value] = Tensor();
  for (const ExternalBinding& binding : output_bindings_) tensors_[binding.value] = Tensor();
}

/// Scope: releases the tensors bound for a run at its end, also if it throws.
class Plan::BindingReset {
 public:
  explicit BindingReset(Plan& plan) : plan_(plan) {}
  ~BindingReset() { plan_.repair(); }
  BindingReset(const BindingReset&) = delete;
  BindingReset& operator=(const BindingReset&) = delete;

 private:
  Plan& plan_;
};

KernelArgs Plan::make_args(const Step& step) {
  const std::span<const Tensor* const> pointers(pointers_);
  const std::span<const std::int32_t> words(words_);
  return {Inputs(pointers.subspan(step.first_input, step.input_count)),
          AttrsView(words.subspan(step.first_word, step.word_count)), tensors_[step.output]};
}

void Plan::prelink_programs() {
  if (!backend_.device->begin_prelink()) return;
  try {
    for (const Step& step : steps_) {
      if (step.is_loop) continue;
      if (step.prepared) {
        step.prepared->run(make_args(step));
      } else if (step.kernel) {
        step.kernel(make_args(step));
      }
    }
  } catch (...) {
    backend_.device->end_prelink();
    throw;
  }
  backend_.device->end_prelink();
}

void Plan::run(const Step& step) {
  try {
    fault_injection::op();
    run_planned(step.op, make_args(step), step.kernel, step.prepared);
  } catch (const Error& error) {
    const std::string& layer = layers_[step.layer];
    if (error.code() == ErrorCode::kOutOfMemory || layer.empty()) throw;
    fail_with(error.code(), text(error.what(), " (", layer_kind_, " \"", layer, "\")"));
  }
}

Tensors Plan::run(std::span<const Tensor> inputs) {
  const BindingReset reset_bindings(*this);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    tensors_[inputs_[i]] = inputs[i];
    // Fetches the bytes on this thread, before the worker threads of kernels read them.
    if (!on_device()) inputs[i].storage()->data();
  }
  for (const ExternalBinding& binding : input_bindings_) {
    if (binding.value != binding.base)
      tensors_[binding.value] = Tensor(tensors_[binding.base].storage(), binding.spec);
  }
  for (const ExternalBinding& binding : output_bindings_) {
    tensors_[binding.value] = binding.value != binding.base
                                  ? Tensor(tensors_[binding.base].storage(), binding.spec)
                              : on_device() ? Tensor::deferred(binding.spec)
                                            : Tensor(binding.spec);
  }
  if (!is_warm_ && on_device()) prelink_programs();
  is_warm_ = true;
  for (const Step& step : steps_) {
    run(step);
    for (const ValueId id : std::span(releases_).subspan(step.first_release, step.release_count))
      tensors_[id] = Tensor();
  }
  Tensors outputs;
  outputs.reserve(outputs_.size());
  for (const ValueId output : outputs_) outputs.push_back(tensors_[output]);
  return outputs;
}

}  // namespace tenure
