#include <ranges>

#include "core/error.h"
#include "model/keras/rnn_cell.h"

namespace tenure::keras {
namespace {

/// Cells on top of one another. Their states run from the last cell to the first, so that the first is the
/// output.
class StackedCells final : public RnnCell {
 public:
  StackedCells(const Config& config, const std::vector<Json>& cells) : RnnCell("StackedRNNCells", config) {
    if (cells.empty()) config.fail("field \"cells\" is empty");
    for (const Json& cell : cells) cells_.push_back(make_rnn_cell(cell, config));
  }

  std::vector<std::int32_t> state_sizes() const override {
    std::vector<std::int32_t> sizes;
    for (const RnnCellPtr& cell : std::views::reverse(cells_)) {
      for (const std::int32_t size : cell->state_sizes()) sizes.push_back(size);
    }
    return sizes;
  }
  void add_weights(std::int32_t features) override {
    for (const RnnCellPtr& cell : cells_) {
      cell->add_weights(features);
      features = cell->state_sizes()[0];
    }
  }
  std::size_t cell_count() const override {
    std::size_t count = 0;
    for (const RnnCellPtr& cell : cells_) count += cell->cell_count();
    return count;
  }
  void prepare(std::vector<Tensors>& prepared) const override {
    for (const RnnCellPtr& cell : cells_) cell->prepare(prepared);
  }
  Tensors project(std::span<const Tensors> prepared, const Tensor& rows) const override {
    return cells_[0]->project(prepared, rows);
  }
  Tensors step(std::span<const Tensors> prepared, const Tensors& projected,
               std::span<const Tensor> states) const override {
    Tensors result(states.size() + 1);
    std::size_t end = states.size();
    Tensors rows = projected;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0) rows = cells_[i]->project(prepared, result[0]);
      const std::size_t count = cells_[i]->state_sizes().size();
      end -= count;
      const Tensors of_cell = cells_[i]->step(prepared, rows, states.subspan(end, count));
      result[0] = of_cell[0];
      std::copy(of_cell.begin() + 1, of_cell.end(), result.begin() + 1 + static_cast<std::ptrdiff_t>(end));
      prepared = prepared.subspan(cells_[i]->cell_count());
    }
    return result;
  }
  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i]->collect_weights(text(prefix, "/RNNCell_", i), trainable && trainable_, out);
    }
  }

 private:
  std::vector<RnnCellPtr> cells_;
};

}  // namespace

Tensors RnnCell::call(const LayerCall& call) {
  std::vector<Tensors> prepared;
  prepare(prepared);
  return step(prepared, project(prepared, call.inputs[0]), std::span(call.inputs).subspan(1));
}

RnnCellPtr make_rnn_cell(const Json& json, const Config& owner) {
  if (json.is_array()) return std::make_unique<StackedCells>(owner, json.items());
  const Config row(json, owner.owner());
  const std::string& class_name = row.string("class_name");
  const Config config = row.object("config").of_class(class_name);
  if (class_name == "StackedRNNCells") return std::make_unique<StackedCells>(config, config.array("cells"));
  return make_simple_cell(class_name, config);
}

}  // namespace tenure::keras
