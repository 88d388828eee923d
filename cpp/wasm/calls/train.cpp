// The raw calls of optimizers, and the steps of models in training.

#include "wasm/training.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "ops/math/optimizer.h"
#include "owner/ownership.h"
#include "wasm/call.h"
#include "wasm/layers.h"

namespace tenure::wasm {
namespace {

/// References to the bytes of an unshared tensor in tn_update(): its handle, and the local copy.
constexpr std::uint32_t kUnshared = 2;

Op op_from(std::int32_t number) {
  check(number >= -1 && number < kOpCount, "no op has the number ", number);
  return number == -1 ? Op::kCount : static_cast<Op>(number);
}

/// Reads ids in sequence from the scratch.
class ScratchReader {
 public:
  Handle next() {
    check(at_ + kIdWords <= kScratchWords, "too many tensors");
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

Batch read_batch(ScratchReader& reader, const LayersModel& model, const RowRange& rows) {
  Batch samples;
  const std::size_t outputs = model.outputs().size();
  for (std::size_t i = 0; i < model.inputs().size(); ++i) samples.inputs.push_back(reader.tensor());
  for (std::size_t i = 0; i < outputs; ++i) samples.targets.push_back(reader.tensor());
  for (std::size_t i = 0; i < outputs; ++i) samples.weights.push_back(reader.tensor());
  const Tensor order = reader.tensor();
  return select_batch(std::move(samples), rows, order);
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

/// Writes the results of a step into the scratch and returns their number. Returns 0 if they are only on a
/// device: they are then a tensor that the scratch describes.
int write_results(Tensor results) {
  if (results.storage()->only_on_device()) return export_result(std::move(results));
  std::memcpy(scratch, results.data<float>(), results.bytes());
  return static_cast<int>(results.elements());
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
  const Batch batch = read_batch(reader, model, rows);
  if (attr_words == 0) return write_results(eval_step(model, objective, batch));
  std::vector<Handle> slot_handles;
  std::vector<TrainableParam> to_move = read_moving(reader, weights, moving, slots, slot_handles);
  const auto attrs = reader.attrs(attr_words).as<UpdateAttrs>();
  Tensor results = train_step(model, objective, batch, attrs, to_move);
  auto slot = slot_handles.begin();
  for (const TrainableParam& one : to_move) {
    for (const Tensor& value : one.slots) ownership().assign(*slot++, value);
  }
  for (const TrainableParam& one : to_move) keras::bump_version(*one.weight);
  keras::push_weights(weights, weight_handles());
  return write_results(std::move(results));
}

/// Runs one optimizer step of a variable. The scratch has the ids of its gradient, the variable and its
/// slots, `count` in all, and then the attributes.
TENURE_CALL int tn_update(int count, int attr_words) {
  return guarded([&] {
    check(count >= 2 && count <= 5, "expected a gradient, a variable and its slots, got ", count, " tensors");
    Tensors tensors = tensors_in_scratch(count);
    const auto attrs = attrs_in_scratch(kIdWords * count, attr_words).as<UpdateAttrs>();
    update(attrs, tensors[0], std::span(tensors).subspan(1), kUnshared);
    for (int i = 1; i < count; ++i)
      ownership().assign(read_id(scratch + kIdWords * i), std::move(tensors[static_cast<std::size_t>(i)]));
    return 0;
  });
}

}  // namespace tenure::wasm
