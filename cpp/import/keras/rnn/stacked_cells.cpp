#include <algorithm>
#include <ranges>

#include "core/error.h"
#include "import/keras/families.h"
#include "import/keras/rnn/rnn_cell.h"

namespace tenure::keras {
namespace {

/// Stack of cells. The states are ordered from the last cell to the first, so that the first state is the
/// output.
class StackedCells final : public RnnCell {
 public:
  StackedCells(std::string class_name, const Config& config, const std::vector<Json>& cells)
      : RnnCell(std::move(class_name), config) {
    if (cells.empty()) config.fail("field \"cells\" is empty");
    for (const Json& cell : cells) cells_.push_back(make_rnn_cell(cell, config));
    const bool are_flat =
        std::ranges::all_of(cells_, [](const auto& cell) { return cell->input_rank() == 2; });
    if (!are_flat) config.fail("It is not possible at the moment to stack convolutional cells.");
    for (const RnnCellPtr& cell : cells_) state_counts_.push_back(cell->state_specs({1, 1}).size());
  }

  Specs state_specs(const Shape& input) const override {
    Specs specs;
    for (const RnnCellPtr& cell : std::views::reverse(cells_)) {
      const Specs cell_values = cell->state_specs(input);
      specs.insert(specs.end(), cell_values.begin(), cell_values.end());
    }
    return specs;
  }
  void add_weights(const Shape& input) override {
    Shape to_cell = input;
    for (const RnnCellPtr& cell : cells_) {
      cell->add_weights(to_cell);
      to_cell = cell->state_specs(to_cell)[0].shape;
    }
  }
  std::size_t cell_count() const override {
    std::size_t count = 0;
    for (const RnnCellPtr& cell : cells_) count += cell->cell_count();
    return count;
  }
  void prepare(const Shape& input, bool training, std::vector<PreparedCell>& prepared) const override {
    Shape to_cell = input;
    for (const RnnCellPtr& cell : cells_) {
      cell->prepare(to_cell, training, prepared);
      to_cell = cell->state_specs(to_cell)[0].shape;
    }
  }
  Tensors project(std::span<const PreparedCell> prepared, const Tensor& rows) const override {
    return cells_[0]->project(prepared, rows);
  }
  Tensors step(std::span<const PreparedCell> prepared, const Tensors& projected,
               std::span<const Tensor> states) const override {
    Tensors result(states.size() + 1);
    std::size_t end = states.size();
    Tensors rows = projected;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0) rows = cells_[i]->project(prepared, result[0]);
      const std::size_t count = state_counts_[i];
      end -= count;
      const Tensors cell_values = cells_[i]->step(prepared, rows, states.subspan(end, count));
      result[0] = cell_values[0];
      std::copy(cell_values.begin() + 1, cell_values.end(),
                result.begin() + 1 + static_cast<std::ptrdiff_t>(end));
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
  std::vector<std::size_t> state_counts_;
};

std::unique_ptr<Layer> make_cell(std::string class_name, const Config& config) {
  return make_simple_cell(std::move(class_name), config);
}

std::unique_ptr<Layer> make_stack(std::string class_name, const Config& config) {
  return std::make_unique<StackedCells>(std::move(class_name), config, config.array("cells"));
}

constexpr LayerRow kRows[] = {
    {"SimpleRNNCell", make_cell},  {"GRUCell", make_cell},          {"LSTMCell", make_cell},
    {"ConvLSTM2DCell", make_cell}, {"StackedRNNCells", make_stack},
};

}  // namespace

std::span<const LayerRow> cell_layers() { return kRows; }

RnnCellPtr make_rnn_cell(const Json& json, const Config& owner) {
  constexpr const char* kStack = "StackedRNNCells";
  if (json.is_array()) return std::make_unique<StackedCells>(kStack, owner, json.items());
  const Config row(json, owner.owner());
  const std::string& class_name = row.string("class_name");
  const Config config = row.object("config").with_class_defaults(class_name);
  if (class_name == kStack) return std::make_unique<StackedCells>(kStack, config, config.array("cells"));
  return make_simple_cell(class_name, config);
}

}  // namespace tenure::keras
