#include "model/plan/plan_builder.h"

#include <algorithm>

#include "core/memory/allocator.h"
#include "core/memory/byte_values.h"
#include "core/run/op_traits.h"
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
[[gnu::noinline]] bool can_share_kernel(const Graph& graph, const GraphNode& a, const GraphNode& b) {
  const auto is_alike = [&](ValueId x, ValueId y) {
    return x == y || (!graph.is_constant(x) && !graph.is_constant(y) && graph.spec(x) == graph.spec(y));
  };
  return a.attrs == b.attrs &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), is_alike);
}

/// Returns a chain in the form that backends fuse: operands are indices of inputs or offsets to earlier ops.
std::vector<ChainOp> to_chain_ops(const Graph& graph, const NodeChain& chain) {
  std::vector<ChainOp> links;
  const auto operand = [&](ValueId id) {
    const auto input = std::find(chain.inputs.begin(), chain.inputs.end(), id);
    if (input != chain.inputs.end()) return static_cast<int>(input - chain.inputs.begin());
    const auto found = std::find_if(chain.nodes.begin(), chain.nodes.end(),
                                    [&](std::size_t node) { return graph.nodes[node].output == id; });
    // The producer is at -1, before the first op.
    const auto location = found == chain.nodes.end() ? -1 : static_cast<int>(found - chain.nodes.begin());
    return location - static_cast<int>(links.size());
  };
  for (const std::size_t i : chain.nodes) {
    const GraphNode& node = graph.nodes[i];
    links.push_back({node.op, node.attrs_view(), {operand(node.inputs[0]), operand(node.inputs.back())}});
  }
  return links;
}

}  // namespace

// A device copies whole storages, so slices cannot alias parts of one there.
PlanBuilder::PlanBuilder(Plan& plan, const Graph& graph)
    : plan_(plan),
      graph_(graph),
      backend_(plan.backend_),
      views_(find_buffer_views(graph, !on_device())),
      fused_(graph.nodes.size()),
      holds_bytes_(graph.values.size()) {}

void PlanBuilder::build(FirstRun first_run) {
  if (first_run == FirstRun::kLater) warm_up();
  if (backend_.fuse) fuse_chains();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const GraphNode& node = graph_.nodes[i];
    const bool has_memory = views_[node.output].base == node.output;
    if (fused_[i].is_inside_chain || !has_memory || graph_.spec(node.output).shape.elements() == 0) continue;
    if (fused_[i].kernel) {
      add_step(node, fused_[i].op, fused_[i].inputs, nullptr, fused_[i].kernel);
      continue;
    }
    if (node.loop) {
      add_loop(node);
      continue;
    }
    const KernelFn kernel = find_kernel(node);
    add_step(node, node.op, node.inputs, kernel, kernel ? prepare(node) : nullptr);
  }
  // After the kernels are prepared, so that the arena can reuse the memory that they have released.
  trim_allocator();
  if (!on_device()) store_integers_as_bytes();
  bind_values();
  retain_constants();
  if (on_device()) plan_releases();
}

void PlanBuilder::warm_up() const {
  if (!backend_.warm_up) return;
  for (const GraphNode& node : graph_.nodes) {
    if (node.inputs.empty()) continue;
    const ValueId second = node.inputs[std::min<std::size_t>(1, node.inputs.size() - 1)];
    backend_.warm_up(node.op, graph_.spec(node.inputs[0]).shape, graph_.spec(second).shape,
                     node.attrs_view());
  }
}

/// Keeps the constants that steps read. Only the spec is kept of the others, of which kernels have copies.
void PlanBuilder::retain_constants() {
  std::vector<bool> is_read(plan_.tensors_.size(), on_device());
  // Values of which a step cannot read a packed form.
  std::vector<bool> is_unpacked(plan_.tensors_.size(), false);
  for (const ValueId output : plan_.outputs_) is_read[output] = is_unpacked[output] = true;
  for (const Plan::Step& step : plan_.steps_) {
    for (std::uint32_t i = 0; i < step.input_count; ++i) {
      const auto id = static_cast<std::size_t>(plan_.pointers_[step.first_input + i] - plan_.tensors_.data());
      if (step.prepared && !step.prepared->reads(i)) continue;
      is_read[id] = true;
      is_unpacked[id] = is_unpacked[id] || step.is_loop ||
                        !op_traits(step.op).reads_packed(static_cast<int>(i), plan_.tensors_[id].dtype());
    }
  }
  for (ValueId id = 1; id < plan_.tensors_.size(); ++id) {
    if (!graph_.is_constant(views_[id].base)) continue;
    if (!is_read[id]) {
      plan_.tensors_[id] = Tensor::symbolic(graph_.spec(id), id);
      continue;
    }
    Storage* storage = plan_.tensors_[id].storage().get();
    if (!on_device() && (is_unpacked[id] || !storage->stays_packed())) storage->pin();
    plan_.constants_.push_back(storage);
  }
}

/// Returns the inputs and the output of each step. A chain is one step, at the position of its last node.
std::vector<StepValues> PlanBuilder::list_step_values() const {
  std::vector<StepValues> steps;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    if (fused_[i].is_inside_chain) continue;
    const GraphNode& node = graph_.nodes[i];
    const PreparedKernel* kernel = fused_[i].kernel;
    StepValues step = {kernel ? fused_[i].inputs : node.inputs, node.output};
    for (std::size_t k = 0; k < std::min<std::size_t>(step.inputs.size(), 64); ++k) {
      if (kernel ? kernel->can_donate(k) : is_elementwise(op_def(node.op).kind))
        step.donation_mask |= std::uint64_t{1} << k;
    }
    steps.push_back(step);
  }
  return steps;
}

std::vector<PlanBuilder::Owner> PlanBuilder::find_owners() const {
  std::vector<Owner> owners(graph_.values.size(), on_device() ? Owner::kRun : Owner::kArena);
  for (const ValueId output : graph_.outputs) owners[views_[output].base] = Owner::kRun;
  for (const ValueId input : graph_.inputs) owners[input] = Owner::kInput;
  for (ValueId id = 0; id < owners.size(); ++id) {
    if (graph_.is_constant(id)) owners[id] = Owner::kConstant;
  }
  return owners;
}

[[gnu::noinline]] void PlanBuilder::bind_value(ValueId id, BufferView location, Owner owner) {
  const auto [base, offset] = location;
  const TensorSpec& spec = graph_.spec(id);
  switch (owner) {
    case Owner::kConstant: plan_.tensors_[id] = Tensor(graph_.constant(base).storage(), spec); break;
    case Owner::kInput: plan_.input_bindings_.push_back({id, base, spec}); break;
    case Owner::kRun: plan_.output_bindings_.push_back({id, base, spec}); break;
    case Owner::kArena:
      plan_.tensors_[id] = holds_bytes_[id] ? view_in_base(plan_.tensors_[base], offset + kByteHeader,
                                                           {spec.shape, DType::kBool})
                                            : view_in_base(plan_.tensors_[base], offset, spec);
      break;
  }
}

void PlanBuilder::bind_values() {
  const std::vector<Owner> owners = find_owners();
  std::vector<bool> in_arena(owners.size());
  std::transform(owners.begin(), owners.end(), in_arena.begin(),
                 [](Owner owner) { return owner == Owner::kArena; });
  const ArenaBlocks blocks = find_blocks(graph_, list_step_values(), views_, in_arena);
  const ArenaLayout layout = plan_arena(blocks.lifetimes);
  plan_.arena_ = Storage::allocate(layout.bytes);
  auto* arena = static_cast<std::byte*>(plan_.arena_->data());
  for (ValueId id = 1; id < graph_.values.size(); ++id) {
    if (blocks.block_index[id] < 0) continue;
    const auto block = static_cast<std::size_t>(blocks.block_index[id]);
    const StoragePtr location =
        Storage::view(arena + layout.offsets[block], blocks.lifetimes[block].bytes, plan_.arena_);
    plan_.tensors_[id] = Tensor(location, graph_.spec(id));
  }
  for (ValueId id = 1; id < graph_.values.size(); ++id) {
    bind_value(id, views_[id], owners[views_[id].base]);
  }
  // Values are not sorted by base: a pass may make an earlier value a view of one that it adds.
  std::ranges::partition(plan_.output_bindings_,
                         [](const Plan::ExternalBinding& binding) { return binding.value == binding.base; });
}

/// Returns the backend of a loop's body. A device whose values cannot be read at once runs it itself; on the
/// CPU, steps take less time than launches do.
const Backend& PlanBuilder::choose_loop_backend(const GraphNode& node) const {
  if (!on_device() || backend_.device->costs().has_fast_sync_reads) return cpu_backend();
  const auto fits = [&](ValueId id) { return backend_.supports(graph_.spec(id)); };
  return fits(node.output) && std::all_of(node.inputs.begin(), node.inputs.end(), fits) ? backend_
                                                                                        : cpu_backend();
}

void PlanBuilder::add_loop(const GraphNode& node) {
  auto loop = std::make_unique<LoopKernel>(node.loop, choose_loop_backend(node));
  plan_.constants_.insert(plan_.constants_.end(), loop->constants().begin(), loop->constants().end());
  add_step(node, node.op, node.inputs, nullptr, loop.get());
  plan_.steps_.back().is_loop = true;
  plan_.prepared_.push_back({static_cast<std::size_t>(&node - graph_.nodes.data()), false, std::move(loop)});
}

[[gnu::noinline]] const Plan::Prepared* PlanBuilder::find_shared_kernel(const GraphNode& node) const {
  for (const Plan::Prepared& earlier : plan_.prepared_) {
    if (!earlier.is_of_node || graph_.nodes[earlier.node].op != node.op) continue;
    if (can_share_kernel(graph_, graph_.nodes[earlier.node], node)) return &earlier;
  }
  return nullptr;
}

const PreparedKernel* PlanBuilder::prepare(const GraphNode& node) {
  if (!backend_.prepare) return nullptr;
  if (const Plan::Prepared* earlier = find_shared_kernel(node)) return earlier->kernel.get();
  Tensors inputs;
  for (const ValueId id : node.inputs) {
    const bool is_known = id == kNoValue || graph_.is_constant(id);
    inputs.push_back(is_known ? graph_.constant(id) : Tensor::symbolic(graph_.spec(id), id));
  }
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  auto kernel =
      backend_.prepare(node.op, Inputs(std::span<const Tensor* const>(pointers)), node.attrs_view());
  if (!kernel) return nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].has_data() && !kernel->reads(i)) inputs[i].storage()->evict();
  }
  if (kernel->storage()) plan_.constants_.push_back(kernel->storage());
  plan_.prepared_.push_back({static_cast<std::size_t>(&node - graph_.nodes.data()), true, std::move(kernel)});
  return plan_.prepared_.back().kernel.get();
}

void PlanBuilder::add_step(const GraphNode& node, Op op, std::span<const ValueId> inputs, KernelFn kernel,
                           const PreparedKernel* prepared) {
  plan_.steps_.push_back(
      {op, static_cast<std::uint32_t>(plan_.pointers_.size()), static_cast<std::uint32_t>(inputs.size()),
       static_cast<std::uint32_t>(plan_.words_.size()), static_cast<std::uint32_t>(node.attrs.size()),
       node.output, kernel, prepared, 0, 0, node.layer});
  for (const ValueId input : inputs) plan_.pointers_.push_back(&plan_.tensors_[input]);
  plan_.words_.insert(plan_.words_.end(), node.attrs.begin(), node.attrs.end());
}

void PlanBuilder::fuse_chains() {
  for (NodeChain& chain : find_chains(graph_, backend_.fuse_into_producer != nullptr)) {
    const GraphNode& last = graph_.nodes[chain.nodes.back()];
    if (!backend_.supports(graph_.spec(last.output))) continue;
    const bool has_producer_kernel = !chain.producer || find_kernel(graph_.nodes[*chain.producer]);
    std::unique_ptr<PreparedKernel> kernel = has_producer_kernel ? make_kernel(chain) : nullptr;
    if (!kernel && chain.producer) {
      detach_producer(graph_, chain);
      if (chain.nodes.size() > 1) kernel = make_kernel(chain);
    }
    if (!kernel) continue;
    for (const std::size_t node : chain.nodes) fused_[node].is_inside_chain = node != chain.nodes.back();
    if (chain.producer) fused_[*chain.producer].is_inside_chain = true;
    fused_[chain.nodes.back()] = {false, kernel.get(), std::move(chain.inputs),
                                  chain.producer ? graph_.nodes[*chain.producer].op : last.op};
    plan_.prepared_.push_back({chain.nodes.back(), false, std::move(kernel)});
  }
}

std::unique_ptr<PreparedKernel> PlanBuilder::make_kernel(const NodeChain& chain) {
  if (!chain.producer) return backend_.fuse(to_chain_ops(graph_, chain));
  const GraphNode& producer = graph_.nodes[*chain.producer];
  return backend_.fuse_into_producer(
      {producer.op, producer.attrs_view(), producer.inputs.size(), prepare(producer),
       graph_.spec(producer.inputs[0]).shape, graph_.spec(producer.inputs[1]).shape},
      to_chain_ops(graph_, chain));
}

KernelFn PlanBuilder::find_kernel(const GraphNode& node) const {
  const auto fits = [&](ValueId id) { return id == kNoValue || backend_.supports(graph_.spec(id)); };
  const bool all_fit =
      !on_device() || (fits(node.output) && std::all_of(node.inputs.begin(), node.inputs.end(), fits));
  return all_fit ? backend_.kernel(node.op) : nullptr;
}

/// Lists for each step the values whose memory no later step reads.
void PlanBuilder::plan_releases() {
  std::vector<int> last_step(graph_.values.size(), -1);
  for (std::size_t i = 0; i < plan_.steps_.size(); ++i) {
    const Plan::Step& step = plan_.steps_[i];
    last_step[views_[step.output].base] = static_cast<int>(i);
    for (const Tensor* input : std::span(plan_.pointers_).subspan(step.first_input, step.input_count)) {
      last_step[views_[static_cast<std::size_t>(input - plan_.tensors_.data())].base] = static_cast<int>(i);
    }
  }
  for (const ValueId output : plan_.outputs_) last_step[views_[output].base] = -1;
  for (std::size_t i = 0; i < plan_.steps_.size(); ++i) {
    plan_.steps_[i].first_release = static_cast<std::uint32_t>(plan_.releases_.size());
    for (const Plan::ExternalBinding& binding : plan_.output_bindings_) {
      if (last_step[binding.base] == static_cast<int>(i)) plan_.releases_.push_back(binding.value);
    }
    plan_.steps_[i].release_count =
        static_cast<std::uint32_t>(plan_.releases_.size()) - plan_.steps_[i].first_release;
  }
}

}  // namespace tenure
