#include "wasm/training.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "core/run/tape.h"
#include "ops/ops.h"
#include "owner/ownership.h"
#include "wasm/layers.h"
#include "wasm/scratch.h"

namespace tenure::wasm {
namespace {

Op op_from(std::int32_t number) {
  check(number >= -1 && number < kOpCount, "no op has the number ", number);
  return number == -1 ? Op::kCount : static_cast<Op>(number);
}

/// Reads ids in sequence from the scratch.
class ScratchReader {
 public:
  Handle next() {
    check(at_ + kIdWords <= kScratchWords, "more tensors than can be given at once");
    at_ += kIdWords;
    return read_id(scratch + at_ - kIdWords);
  }
  Tensor tensor() {
    const Handle handle = next();
    return handle ? ownership().get(handle) : Tensor();
  }
  AttrsView attrs(int words) const { return attrs_in_scratch(at_, words); }

 private:
  int at_ = 0;
};

Tensor select_rows(const Tensor& x, const RowRange& rows, const Tensor& order) {
  if (!x) return x;
  if (order) return gather(x, order);
  if (rows.first == 0 && x.rank() > 0 && rows.count == x.dim(0)) return x;
  SliceAttrs part;
  for (int i = 0; i < x.rank(); ++i) {
    part.begin.push_back(i == 0 ? rows.first : 0);
    part.size.push_back(i == 0 ? rows.count : x.dim(i));
  }
  return slice(x, part);
}

Batch read_batch(ScratchReader& reader, const LayersModel& model, const RowRange& rows) {
  Batch batch;
  const std::size_t outputs = model.outputs().size();
  for (std::size_t i = 0; i < model.inputs().size(); ++i) batch.inputs.push_back(reader.tensor());
  for (std::size_t i = 0; i < outputs; ++i) batch.targets.push_back(reader.tensor());
  for (std::size_t i = 0; i < outputs; ++i) batch.weights.push_back(reader.tensor());
  const Tensor order = reader.tensor();
  const Tensor part = order ? select_rows(order, rows, {}) : order;
  for (Tensors* tensors : {&batch.inputs, &batch.targets, &batch.weights}) {
    for (Tensor& tensor : *tensors) tensor = select_rows(tensor, rows, part);
  }
  return batch;
}

/// Reads the handles of the weights to train, each followed by those of its slots. Appends the slots' handles
/// to `slot_handles`.
std::vector<TrainableParam> read_moving(ScratchReader& reader, const std::vector<keras::NamedWeight>& weights,
                                        int moving, int slots, std::vector<Handle>& slot_handles) {
  std::unordered_map<Handle, keras::Weight*> by_handle;
  for (const keras::NamedWeight& named : weights) by_handle.emplace(named.weight->handle, named.weight);
  std::vector<TrainableParam> result;
  for (int i = 0; i < moving; ++i) {
    const auto found = by_handle.find(reader.next());
    check(found != by_handle.end(), "the model has no such weight");
    result.push_back({found->second, {}});
    for (int s = 0; s < slots; ++s) {
      slot_handles.push_back(reader.next());
      result.back().slots.push_back(ownership().get(slot_handles.back()));
    }
  }
  return result;
}

int write_results(const std::vector<float>& results) {
  std::transform(results.begin(), results.end(), scratch,
                 [](float result) { return std::bit_cast<std::int32_t>(result); });
  return static_cast<int>(results.size());
}

}  // namespace

Objective objective_in_scratch(int losses, int metrics) {
  check(losses >= 0 && metrics >= 0 && losses <= kScratchWords / 4 && metrics <= kScratchWords / 4,
        "too many losses and metrics");
  Objective objective;
  const std::int32_t* at = scratch;
  for (int i = 0; i < losses; ++i, at += 2)
    objective.losses.push_back({op_from(at[0]), std::bit_cast<float>(at[1])});
  for (int i = 0; i < metrics; ++i, at += 2)
    objective.metrics.push_back({op_from(at[0]), static_cast<std::size_t>(at[1])});
  return objective;
}

int run_batch(LayersModel& model, const std::vector<keras::NamedWeight>& weights, const Objective& objective,
              const RowRange& rows, int moving, int slots, int attr_words) {
  ScratchReader reader;
  Batch batch;
  {
    const TapePause no_tape;
    batch = read_batch(reader, model, rows);
  }
  if (attr_words == 0) return write_results(eval_step(model, objective, batch));
  std::vector<Handle> slot_handles;
  std::vector<TrainableParam> to_move = read_moving(reader, weights, moving, slots, slot_handles);
  const auto attrs = reader.attrs(attr_words).as<UpdateAttrs>();
  const std::vector<float> results = train_step(model, objective, batch, attrs, to_move);
  auto slot = slot_handles.begin();
  for (const TrainableParam& one : to_move) {
    for (const Tensor& value : one.slots) ownership().assign(*slot++, value);
  }
  for (const TrainableParam& one : to_move) bump_version(*one.weight);
  for (const keras::NamedWeight& named : weights) {
    if (ownership().get(named.weight->handle).storage() != named.weight->value.storage())
      bump_version(*named.weight);
    ownership().assign(named.weight->handle, named.weight->value);
  }
  return write_results(results);
}

}  // namespace tenure::wasm
