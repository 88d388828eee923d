#include "import/keras/layer_graph.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "core/error.h"

namespace tenure::keras {
namespace {

bool is_ref(const Json& json) {
  const auto& items = json.items();
  return json.is_array() && items.size() >= 3 && items[0].is_string() && items[1].is_int() &&
         items[2].is_int();
}

void collect_into(const Json& json, std::vector<NamedRef>& refs) {
  if (is_ref(json)) {
    const auto& items = json.items();
    refs.push_back({items[0].string(), items[1].to_int(), items[2].to_int()});
    const Json* state = items.size() > 3 ? items[3].find("initial_state") : nullptr;
    if (state) collect_into(*state, refs);
  } else if (json.is_array() || json.is_object()) {
    for (const Json& item : json.items()) collect_into(item, refs);
  }
}

}  // namespace

std::vector<NamedRef> collect_refs(const Json& json) {
  std::vector<NamedRef> refs;
  collect_into(json, refs);
  return refs;
}

void LayerGraph::add_layer(const Layer& layer, std::vector<std::vector<NamedRef>> nodes) {
  const int index = static_cast<int>(entries_.size());
  check(index_.emplace(layer.name(), index).second, "two layers are called \"", layer.name(), "\"");
  entries_.push_back({layer.name(), is_network(layer.class_name()), static_cast<int>(calls_.size()),
                      static_cast<int>(nodes.size()), 0});
  for (auto& refs : nodes) calls_.push_back({{index, 0, {}}, std::move(refs)});
}

std::string LayerGraph::describe(const NetworkCall& call) const {
  return text("layer \"", entries_[static_cast<std::size_t>(call.layer)].name, "\"");
}

// A nested model was called once when it was made, so most files number its calls from 1.
void LayerGraph::number_nodes(std::span<const NamedRef> ends) {
  for (Entry& entry : entries_) entry.base = entry.is_network ? 1 : 0;
  const auto see = [&](const NamedRef& ref) {
    const auto found = index_.find(ref.layer);
    if (found != index_.end() && ref.node == 0) entries_[static_cast<std::size_t>(found->second)].base = 0;
  };
  for (const Call& call : calls_) std::for_each(call.refs.begin(), call.refs.end(), see);
  std::for_each(ends.begin(), ends.end(), see);
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const Entry& entry = entries_[static_cast<std::size_t>(calls_[i].call.layer)];
    calls_[i].call.node = static_cast<int>(i) - entry.first_call + entry.base;
  }
}

TensorRef LayerGraph::find(const NamedRef& ref, const std::string& reader) const {
  const auto found = index_.find(ref.layer);
  check(found != index_.end(), reader, " is connected to layer \"", ref.layer, "\", which does not exist");
  const Entry& entry = entries_[static_cast<std::size_t>(found->second)];
  const std::int64_t node = std::int64_t{ref.node} - entry.base;
  check(node >= 0 && node < entry.count && ref.tensor >= 0, reader, " is connected to output ", ref.tensor,
        " of node ", ref.node, " of layer \"", ref.layer, "\", which has ", entry.count, " nodes");
  return {position_[static_cast<std::size_t>(entry.first_call + node)], ref.tensor};
}

std::vector<NetworkCall> LayerGraph::connect(std::span<const NamedRef> ends) {
  number_nodes(ends);
  const std::size_t count = calls_.size();
  position_.resize(count);
  for (std::size_t i = 0; i < count; ++i) position_[i] = static_cast<int>(i);
  std::vector<std::vector<int>> readers(count);
  std::vector<int> waiting(count);
  std::priority_queue<int, std::vector<int>, std::greater<>>
      ready;  // lowest index first: keeps the file's order among ready calls
  for (std::size_t i = 0; i < count; ++i) {
    for (const NamedRef& named : calls_[i].refs) {
      const TensorRef ref = find(named, describe(calls_[i].call));
      calls_[i].call.inputs.push_back(ref);
      readers[static_cast<std::size_t>(ref.call)].push_back(static_cast<int>(i));
    }
    waiting[i] = static_cast<int>(calls_[i].refs.size());
    if (waiting[i] == 0) ready.push(static_cast<int>(i));
  }
  std::vector<NetworkCall> sorted;
  std::vector<bool> done(count, false);
  while (!ready.empty()) {
    const auto next = static_cast<std::size_t>(ready.top());
    ready.pop();
    done[next] = true;
    position_[next] = static_cast<int>(sorted.size());
    sorted.push_back(calls_[next].call);
    for (TensorRef& ref : sorted.back().inputs) ref.call = position_[static_cast<std::size_t>(ref.call)];
    for (const int reader : readers[next]) {
      if (--waiting[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    check(done[i], "the connections of ", describe(calls_[i].call), " form a cycle");
  return sorted;
}

}  // namespace tenure::keras
