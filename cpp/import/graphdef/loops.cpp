// TensorFlow's v1 control flow: the Enter, Merge, Switch, NextIteration and Exit nodes of a loop become one
// node, whose body is a function of the values carried from step to step (Yu et al., "Dynamic Control Flow in
// Large-Scale Machine Learning", EuroSys 2018).

#include <algorithm>

#include "core/error.h"
#include "import/graphdef/reader.h"

namespace tenure::graphdef {
namespace {

constexpr std::uint32_t kNoFrame = 0;

struct Frame {
  std::uint32_t parent = kNoFrame;
  std::uint32_t depth = 0;
  std::string_view name;
};

class LoopExtractor {
 public:
  explicit LoopExtractor(Block& block) : block_(block), frames_of_nodes_(block.nodes.size(), kNoFrame) {}

  void run() {
    if (std::none_of(nodes().begin(), nodes().end(), [](const Node& node) { return node.op == "Enter"; }))
      return;
    find_frames();
    // Inner loops first: each becomes a node of the loop around it.
    std::uint32_t deepest = 0;
    for (const Frame& frame : frames_) deepest = std::max(deepest, frame.depth);
    for (std::uint32_t depth = deepest; depth > 0; --depth) {
      for (std::uint32_t i = 1; i < frames_.size(); ++i) {
        if (frames_[i].depth == depth) extract(i);
      }
    }
  }

 private:
  std::vector<Node>& nodes() { return block_.nodes; }

  /// Returns all nodes in topological order, without the back edges from NextIteration nodes. Throws if there
  /// is another cycle.
  std::vector<std::uint32_t> topological_order() {
    const std::size_t count = nodes().size();
    std::vector<std::vector<std::uint32_t>> readers(count);
    std::vector<std::uint32_t> waiting(count, 0);
    const auto connect = [&](std::uint32_t from, std::uint32_t to) {
      if (nodes()[from].op == "NextIteration") return;
      readers[from].push_back(to);
      ++waiting[to];
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const Ref& input : nodes()[i].inputs) connect(input.node, i);
      for (const std::uint32_t control : nodes()[i].controls) connect(control, i);
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (waiting[i] == 0) order.push_back(i);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t reader : readers[order[i]]) {
        if (--waiting[reader] == 0) order.push_back(reader);
      }
    }
    for (std::uint32_t i = 0; i < count; ++i)
      check(waiting[i] == 0, "the node \"", nodes()[i].name,
            "\" is its own input, or follows from one that is: the graph has a cycle");
    return order;
  }

  void find_frames() {
    frames_.emplace_back();
    for (const std::uint32_t i : topological_order()) {
      const Node& node = nodes()[i];
      std::uint32_t frame = kNoFrame;
      const auto join = [&](std::uint32_t input) {
        std::uint32_t input_frame = frames_of_nodes_[input];
        if (nodes()[input].op == "Exit") input_frame = frames_[input_frame].parent;
        if (frames_[input_frame].depth > frames_[frame].depth) frame = input_frame;
      };
      for (const Ref& input : node.inputs) join(input.node);
      for (const std::uint32_t control : node.controls) join(control);
      if (node.op == "Enter") frame = find_or_add_frame(frame, node);
      frames_of_nodes_[i] = frame;
    }
  }

  std::uint32_t find_or_add_frame(std::uint32_t parent, const Node& enter) {
    const std::string_view name = enter.attrs.string("frame_name");
    for (std::uint32_t i = 1; i < frames_.size(); ++i) {
      if (frames_[i].parent == parent && frames_[i].name == name) return i;
    }
    check(frames_[parent].depth < 20, "the loop of the node \"", enter.name, "\" is nested too deep");
    frames_.push_back({parent, frames_[parent].depth + 1, name});
    return static_cast<std::uint32_t>(frames_.size() - 1);
  }

  /// Maps an output of a node of the block to the body of the loop being extracted: to the copy of the node
  /// or, for a node outside of the loop, to an argument.
  Ref map_to_body(const Ref& ref, std::uint32_t frame) {
    if (const auto at = body_index_.find(ref.node); at != body_index_.end()) return {at->second, ref.output};
    check(frames_of_nodes_[ref.node] != frame, "the loop \"", frames_[frame].name, "\" has no node \"",
          nodes()[ref.node].name, "\"");
    const auto known = std::find(captured_.begin(), captured_.end(), ref);
    if (known != captured_.end())
      return {capture_arguments_[static_cast<std::size_t>(known - captured_.begin())], 0};
    captured_.push_back(ref);
    capture_arguments_.push_back(add_argument(nodes()[ref.node].name));
    return {capture_arguments_.back(), 0};
  }

  std::uint32_t add_argument(std::string name) {
    Node node;
    node.name = std::move(name);
    node.op = "Placeholder";
    node.row = find_row(node.op);
    node.role = NodeRole::kInput;
    body_->block.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(body_->block.nodes.size() - 1);
  }

  void extract(std::uint32_t frame) {
    auto loop = std::make_shared<Loop>();
    loop->body.name = frames_[frame].name;
    body_ = &loop->body;
    body_index_.clear();
    captured_.clear();
    capture_arguments_.clear();
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < frames_of_nodes_.size(); ++i) {
      if (frames_of_nodes_[i] == frame) members.push_back(i);
    }
    std::vector<Ref> given;  // inputs of the loop node, one for each argument
    const std::vector<Ref> next_values = add_carried_values(members, given);
    loop->carried = given.size();
    check(loop->carried > 0, "the loop \"", frames_[frame].name, "\" carries no value");
    const std::vector<std::uint32_t> body_nodes = add_invariants(members, given);
    for (std::uint32_t i = 0; i < body_->block.nodes.size(); ++i) body_->arguments.push_back(i);
    copy_to_body(body_nodes, frame);
    for (const Ref& next : next_values) body_->results.push_back(map_to_body(next, frame));
    const std::vector<std::uint32_t> exits = add_exits(members, frame);
    for (std::size_t k = 0; k < captured_.size(); ++k) {
      given.push_back(captured_[k]);
      body_->arguments.push_back(capture_arguments_[k]);
    }
    body_->finish();
    Node node;
    node.name = text("the loop ", frames_[frame].name);
    node.op = "Loop";
    node.inputs = std::move(given);
    node.loop = std::move(loop);
    frames_of_nodes_.push_back(frames_[frame].parent);
    nodes().push_back(std::move(node));
    redirect_exits(frame, exits);
  }

  /// Adds an argument for each carried value: each Merge of an Enter and a NextIteration. Appends the values'
  /// starts to `given`. Returns their values after a step.
  std::vector<Ref> add_carried_values(const std::vector<std::uint32_t>& members, std::vector<Ref>& given) {
    std::vector<Ref> next_values;
    for (const std::uint32_t i : members) {
      const Node& node = nodes()[i];
      if (node.op != "Merge") continue;
      const auto back = std::find_if(node.inputs.begin(), node.inputs.end(), [&](const Ref& input) {
        return nodes()[input.node].op == "NextIteration";
      });
      if (back == node.inputs.end()) continue;
      check(node.inputs.size() == 2, "the node \"", node.name, "\" merges ", node.inputs.size(),
            " values of a loop");
      const Ref first = node.inputs[back == node.inputs.begin() ? 1 : 0];
      const Node& enter = nodes()[first.node];
      check(enter.op == "Enter" && enter.inputs.size() == 1, "the loop's node \"", node.name,
            "\" does not begin at an Enter");
      const Node& next = nodes()[back->node];
      check_one_input(next);
      body_index_[i] = add_argument(node.name);
      given.push_back(enter.inputs[0]);
      next_values.push_back(next.inputs[0]);
    }
    return next_values;
  }

  /// Adds an argument for each loop invariant: all Enter nodes that carry no value. Appends the invariants to
  /// `given`. Returns the nodes that a step computes.
  std::vector<std::uint32_t> add_invariants(const std::vector<std::uint32_t>& members,
                                            std::vector<Ref>& given) {
    std::vector<std::uint32_t> body_nodes;
    for (const std::uint32_t i : members) {
      const Node& node = nodes()[i];
      if (body_index_.contains(i)) continue;
      if (node.op == "Enter") {
        check_one_input(node);
        body_index_[i] = add_argument(node.name);
        given.push_back(node.inputs[0]);
      } else if (node.op != "Exit" && node.op != "NextIteration") {
        body_nodes.push_back(i);
      }
    }
    return body_nodes;
  }

  void copy_to_body(const std::vector<std::uint32_t>& body_nodes, std::uint32_t frame) {
    for (const std::uint32_t i : body_nodes) {
      body_index_[i] = static_cast<std::uint32_t>(body_->block.nodes.size());
      body_->block.nodes.push_back(nodes()[i]);
    }
    for (const std::uint32_t i : body_nodes) {
      // Copied back by index: the next lines may add nodes to the body.
      Node moved = nodes()[i];
      for (Ref& input : moved.inputs) input = map_to_body(input, frame);
      std::vector<std::uint32_t> controls;
      for (const std::uint32_t control : moved.controls) {
        if (body_index_.contains(control)) controls.push_back(body_index_[control]);
      }
      moved.controls = std::move(controls);
      body_->block.nodes[body_index_[i]] = std::move(moved);
    }
  }

  /// Adds the result of each Exit node to the body. Returns the Exit nodes, in the order of the outputs of
  /// the loop's node, which will be the block's next one.
  std::vector<std::uint32_t> add_exits(const std::vector<std::uint32_t>& members, std::uint32_t frame) {
    std::vector<std::uint32_t> exits;
    const auto index = static_cast<std::uint32_t>(nodes().size());
    for (const std::uint32_t i : members) {
      const Node& exit = nodes()[i];
      if (exit.op != "Exit") continue;
      check_one_input(exit);
      body_->results.push_back(map_to_body(exit.inputs[0], frame));
      exits_[i] = {index, static_cast<std::uint32_t>(exits.size())};
      exits.push_back(i);
    }
    return exits;
  }

  static void check_one_input(const Node& node) {
    check(node.inputs.size() == 1, "the node \"", node.name, "\" has ", node.inputs.size(), " inputs");
  }

  /// Redirects the readers of the Exit nodes to the loop's node, and clears the nodes of the frame.
  void redirect_exits(std::uint32_t frame, const std::vector<std::uint32_t>& exits) {
    const auto to_loop = [&](Ref& ref) {
      const auto at = exits_.find(ref.node);
      if (at != exits_.end()) ref = at->second;
    };
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      if (frames_of_nodes_[i] == frame) continue;
      for (Ref& input : nodes()[i].inputs) to_loop(input);
      for (std::uint32_t& control : nodes()[i].controls) {
        Ref ref{control, 0};
        to_loop(ref);
        control = ref.node;
      }
    }
    for (const std::uint32_t exit : exits) {
      // The Exit node becomes an Identity, so that its name still refers to the loop's output.
      Node& node = nodes()[exit];
      node.op = "Identity";
      node.row = find_row(node.op);
      node.inputs = {exits_[exit]};
      node.controls.clear();
      frames_of_nodes_[exit] = frames_[frame].parent;
    }
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      if (frames_of_nodes_[i] != frame) continue;
      // Values within a step cannot be read from outside of the loop.
      block_.names.erase(nodes()[i].name);
      nodes()[i] = Node{};
      nodes()[i].name = "a node of a loop";
    }
  }

  Block& block_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> frames_of_nodes_;
  std::unordered_map<std::uint32_t, Ref> exits_;
  // State of the loop being extracted:
  Function* body_ = nullptr;
  std::unordered_map<std::uint32_t, std::uint32_t> body_index_;
  std::vector<Ref> captured_;
  std::vector<std::uint32_t> capture_arguments_;
};

}  // namespace

void extract_loops(Block& block) { LoopExtractor(block).run(); }

}  // namespace tenure::graphdef
