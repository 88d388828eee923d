// The signature that the options choose.

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {

std::uint32_t GraphReader::find_subgraph() const {
  std::string keys;
  for (const Signature& signature : model_.signatures) {
    if (signature.key == options_.signature) return signature.subgraph;
    keys += text(keys.empty() ? "" : ", ", "\"", signature.key, "\"");
  }
  fail("there is no signature \"", options_.signature, "\"; there are: ", keys.empty() ? "none" : keys);
}

void GraphReader::rename_ports(std::vector<std::string>& names, std::span<const PortName> ports) {
  // The ports of each tensor are a list: a graph may return a tensor several times.
  std::vector<std::uint32_t> next(ports.size(), Ref::kAbsent);
  NameTable first;
  for (std::size_t i = ports.size(); i-- > 0;) {
    Ref& head = first.try_emplace(ports[i].tensor, Ref{Ref::kAbsent, 0}).first->second;
    next[i] = head.node;
    head.node = static_cast<std::uint32_t>(i);
  }
  for (std::string& name : names) {
    const auto head = first.find(name);
    if (head == first.end()) continue;
    const std::uint32_t port = head->second.node;
    if (next[port] != Ref::kAbsent) head->second.node = next[port];
    if (!ports[port].name.empty()) name = ports[port].name;
  }
}

}  // namespace tenure::tflite
