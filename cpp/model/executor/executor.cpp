#include "model/executor/executor.h"

#include <algorithm>

#include "core/run/dispatch.h"

namespace tenure::executor {
namespace {

// Deeper nesting is taken for endless recursion.
constexpr std::size_t kMaxFrames = 1000;
// More calls and loop steps in one run are taken for an endless loop.
constexpr int kMaxCalls = 1 << 20;
// Loops of known length are unrolled into the plan, up to this number of traced nodes.
constexpr int kMaxTracedNodes = 20000;

/// True for strings that are only known at run time.
bool has_unknown_strings(const EdgeValue& item) {
  return item.tensor && item.tensor.dtype() == DType::kString && !item.tensor.has_data();
}

bool is_live(const EdgeValue& item) { return !item.is_dead(); }

[[noreturn]] void fail_in(const Node& node, const Error& error) {
  if (error.code() == ErrorCode::kOutOfMemory) throw error;
  fail_with(error.code(), text(error.what(), " (in the node \"", node.name, "\", op ", node.op, ")"));
}

}  // namespace

EdgeValue Values::take(const Ref& ref) {
  const EdgeValues& items = items_[ref.node];
  EdgeValue item;
  if (!items.empty()) {
    check(ref.output < items.size(), "the node \"", block_->nodes[ref.node].name, "\" has ", items.size(),
          " outputs and no output ", ref.output);
    item = items[ref.output];
  }
  skip(ref.node);
  return item;
}

void Values::skip(std::uint32_t node) {
  if (--readers_[node] == 0) items_[node] = EdgeValues();
}

bool Executor::advance() {
  while (true) {
    if (waiting_) return true;
    if (frames_.empty()) {
      if (next_ == order_.size()) return false;
      run_node(order_[next_++]);
    } else if (Frame& frame = frames_.back(); frame.next < frame.function->schedule.order.size()) {
      run_node(frame.function->schedule.order[frame.next++]);
    } else {
      pop();
    }
  }
}

void Executor::run_node(std::uint32_t index) {
  Values& values = this->values();
  const Node& node = values.block().nodes[index];
  if (is_tracing_ && ++traced_ > kMaxTracedNodes) throw NeedsValues();
  const NodeScope scope(node.name);
  try {
    EdgeValues inputs;
    bool is_dead = false;
    for (const std::uint32_t control : node.controls) {
      is_dead |= values.of(control).empty();
      values.skip(control);
    }
    for (const Ref& ref : node.inputs) {
      if (ref.is_absent()) {
        inputs.emplace_back();
        continue;
      }
      inputs.push_back(values.take(ref));
      is_dead |= inputs.back().is_dead() && !(node.row && node.row->control == Control::kMerge);
    }
    if (!is_dead) evaluate(node, index, std::move(inputs));
  } catch (const Error& error) {
    fail_in(node, error);
  }
}

/// Starts a node that is not a direct op: a custom op of JavaScript, a loop, or a call of functions.
[[gnu::noinline]] void Executor::enter(const Node& node, std::uint32_t index, EdgeValues inputs) {
  if (node.is_custom) {
    if (is_tracing_) throw NeedsValues();
    waiting_ = &node;
    waiting_index_ = index;
    waiting_inputs_ = std::move(inputs);
    return;
  }
  if (node.loop) {
    const auto carried = inputs.begin() + static_cast<std::ptrdiff_t>(node.loop->carried);
    EdgeValues constant(carried, inputs.end());
    push(Frame::kLoop, index, node.loop->body, std::move(inputs), std::move(constant));
    return;
  }
  check(node.row != nullptr, "the op ", node.op, " is not supported");
  switch (node.row->control) {
    case Control::kIf: {
      const bool holds = Call(node, inputs, *this).boolean(0);
      const Function& function = find_function(node, holds ? "then_branch" : "else_branch");
      push(Frame::kCall, index, function, {inputs.begin() + 1, inputs.end()});
      return;
    }
    case Control::kCase: {
      const std::int32_t count = node.attrs.integer("branches", 1);
      const std::int32_t given = Call(node, inputs, *this).integer(0);
      const std::int32_t branch = given < 0 || given >= count ? count - 1 : given;
      const Function& function = find_function(node, text("branch ", branch));
      push(Frame::kCall, index, function, {inputs.begin() + 1, inputs.end()});
      return;
    }
    case Control::kWhile: push(Frame::kCondition, index, find_function(node, "cond"), inputs, inputs); return;
    case Control::kCall: push(Frame::kCall, index, find_function(node, "f"), std::move(inputs)); return;
    case Control::kNone:
    case Control::kMerge: return;  // run by evaluate()
  }
}

void Executor::evaluate(const Node& node, std::uint32_t index, EdgeValues inputs) {
  const bool is_plain = !node.is_custom && !node.loop && node.row &&
                        (node.row->control == Control::kNone || node.row->control == Control::kMerge);
  if (!is_plain) return enter(node, index, std::move(inputs));
  // Plans compute no strings.
  if (is_tracing_ && std::ranges::any_of(inputs, has_unknown_strings)) throw NeedsValues();
  const Row& row = *node.row;
  const Call call(node, inputs, *this);
  EdgeValues results;
  if (row.one) {
    results = {row.one(call)};
  } else if (row.multi) {
    results = row.multi(call);
  } else {
    std::vector<const Tensor*> pointers;
    pointers.reserve(static_cast<std::size_t>(row.inputs));
    for (int i = 0; i < row.inputs; ++i) pointers.push_back(&call[i]);
    results = {tenure::run(row.direct, Inputs(std::span<const Tensor* const>(pointers)))};
  }
  values().set(index, std::move(results));
}

void Executor::resume_with(EdgeValues items) {
  waiting_ = nullptr;
  waiting_inputs_.clear();
  set_results(waiting_index_, std::move(items));
}

void Executor::set_results(std::uint32_t index, EdgeValues results) {
  // No values at all would mean a dead node, whose control edges stop others.
  if (results.empty()) results.emplace_back();
  values().set(index, std::move(results));
}

const Function& Executor::find_function(const Node& node, std::string_view attribute) const {
  const std::string name(node.attrs.string(attribute));
  const auto at = definition_.functions.find(name);
  check(at != definition_.functions.end(), "there is no function \"", name, "\" in the model's library");
  return at->second;
}

void Executor::push(Frame::Kind kind, std::uint32_t caller, const Function& function, EdgeValues arguments,
                    EdgeValues state) {
  check(frames_.size() < kMaxFrames, "functions call one another too deep, more than ", kMaxFrames, " calls");
  check(++calls_ <= kMaxCalls, "the function \"", function.name,
        "\" does not end: loops and calls have taken ", kMaxCalls, " steps");
  check(arguments.size() == function.arguments.size(), "the function \"", function.name, "\" takes ",
        function.arguments.size(), " inputs, got ", arguments.size());
  Values values(function.block, function.schedule);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::uint32_t argument = function.arguments[i];
    if (values.is_read(argument)) values.set(argument, {std::move(arguments[i])});
  }
  frames_.push_back({kind, caller, &function, std::move(values), 0, std::move(state)});
}

void Executor::pop() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  const Node& caller = values().block().nodes[frame.caller];
  try {
    EdgeValues results;
    for (const Ref& result : frame.function->results) results.push_back(frame.values.take(result));
    switch (frame.kind) {
      case Frame::kCall: set_results(frame.caller, std::move(results)); return;
      case Frame::kCondition: {
        const Call call(caller, results, *this);
        if (!call.boolean(0)) {
          values().set(frame.caller, std::move(frame.state));
        } else {
          push(Frame::kBody, frame.caller, find_function(caller, "body"), std::move(frame.state));
        }
        return;
      }
      case Frame::kBody:
        check(results.size() == caller.inputs.size(), "the loop's body gives ", results.size(), " values, ",
              caller.inputs.size(), " were expected");
        push(Frame::kCondition, frame.caller, find_function(caller, "cond"), results, results);
        return;
      case Frame::kLoop: {
        const auto left = results.begin() + static_cast<std::ptrdiff_t>(caller.loop->carried);
        if (std::any_of(left, results.end(), is_live)) {
          values().set(frame.caller, {left, results.end()});
          return;
        }
        check(std::all_of(results.begin(), left, is_live), "the loop neither ends nor continues");
        EdgeValues next(std::make_move_iterator(results.begin()), std::make_move_iterator(left));
        next.insert(next.end(), frame.state.begin(), frame.state.end());
        push(Frame::kLoop, frame.caller, *frame.function, std::move(next), std::move(frame.state));
        return;
      }
    }
  } catch (const Error& error) {
    fail_in(caller, error);
  }
}

namespace {

/// Returns a schedule of all named nodes, with one extra reader each, so that no value is freed.
Schedule whole_schedule(const Block& block) {
  std::vector<Ref> all;
  for (std::uint32_t i = 0; i < block.nodes.size(); ++i) {
    if (block.names.contains(block.nodes[i].name)) all.push_back({i, 0});
  }
  return block.schedule(all, std::vector<bool>(block.nodes.size(), false));
}

}  // namespace

InitializerRun::InitializerRun(const Definition& definition, Resources& resources)
    : values_(definition.main, whole_schedule(definition.main)) {
  const Schedule schedule = whole_schedule(definition.main);
  Executor run(definition, resources, values_, schedule.order);
  check(!run.advance(), "a registered op cannot initialize tables");
}

const EdgeValue& InitializerRun::output(const Ref& ref) const {
  const EdgeValues& items = values_.of(ref.node);
  check(ref.output < items.size(), "the initializer has no output ", ref.output, " of the node \"",
        values_.block().nodes[ref.node].name, "\"");
  return items[ref.output];
}

}  // namespace tenure::executor
