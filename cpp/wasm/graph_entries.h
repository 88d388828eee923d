#pragma once

#include <memory>
#include <vector>

#include "core/number_table.h"
#include "model/executor/graph_model.h"
#include "model/executor/program.h"
#include "owner/ownership.h"

namespace tenure::wasm {

/// A graph model and the handles of its weights, which it retains.
class GraphModelEntry {
 public:
  /// `file` is JSON with what only JavaScript needs of the model's file, or "null".
  explicit GraphModelEntry(GraphModel model, std::vector<std::string> custom_ops = {},
                           std::string file = "null");
  ~GraphModelEntry();
  GraphModelEntry(const GraphModelEntry&) = delete;
  GraphModelEntry& operator=(const GraphModelEntry&) = delete;

  GraphModel& model() { return model_; }
  const std::vector<std::string>& custom_ops() const { return custom_ops_; }
  const std::string& file() const { return file_; }
  /// Returns the runs that wait for a custom op, by number.
  NumberTable<std::unique_ptr<executor::Execution>>& waiting() { return waiting_; }
  const std::vector<Handle>& handles() const { return handles_; }
  /// Returns the node outputs of the last run that was to keep them.
  std::vector<executor::NodeTensors>& kept() { return kept_; }
  /// Returns the numbers of tensors of the outputs of the last run by tn_graph_run_containers().
  std::vector<std::int32_t>& counts() { return counts_; }

 private:
  GraphModel model_;
  std::vector<std::string> custom_ops_;
  std::string file_;
  std::vector<std::int32_t> counts_;
  std::vector<Handle> handles_;
  // Both refer to model_, so they are declared after it.
  NumberTable<std::unique_ptr<executor::Execution>> waiting_;
  std::vector<executor::NodeTensors> kept_;
};

/// Adds a model to those that JavaScript refers to by number. Returns its number.
int add_graph(std::unique_ptr<GraphModelEntry> graph);

}  // namespace tenure::wasm
