// The Embind class LayersModel: models that run by plans, one for each combination of input shapes.

#include <emscripten/bind.h>

#include "core/run/open_tapes.h"
#include "import/keras/model/layers_model.h"
#include "owner/ownership.h"
#include "wasm/exports.h"
#include "wasm/layers.h"
#include "wasm/scratch.h"
#include "wasm/training.h"

namespace tenure::wasm {
namespace {

/// A network and its plans.
class Model {
 public:
  explicit Model(const std::shared_ptr<keras::Network>& network)
      : model_(LayersModel::of(network)), weights_(keras::get_weights(*network), weight_handles()) {}

  /// Returns a model of the network with this number, or null with last_error() set.
  static Model* of(int number) {
    std::unique_ptr<Model> model;
    guarded([&] {
      model = std::make_unique<Model>(layers().get_network(number));
      return 0;
    });
    return model.release();
  }

  /// Loads a model from the text of a model.json and the concatenated bytes of all its weight files. Throws
  /// what LayersModel::load() does, and returns null then.
  static Model* load(const Text& json, const Bytes& weights) {
    std::unique_ptr<Model> model;
    exported([&] {
      const double length = export_take_bytes(json.as_handle(), "[load] json");
      if (length < 0) return;
      std::string text(static_cast<std::size_t>(length), ' ');
      export_copy_bytes(text.data());
      const double bytes = export_take_bytes(weights.as_handle(), "[load] weights");
      if (bytes < 0) return;
      const StoragePtr storage = Storage::allocate(static_cast<std::size_t>(bytes));
      export_copy_bytes(storage->mutable_data());
      auto network = tenure::LayersModel::load(text, {}, WeightData(storage)).network();
      auto created = std::make_unique<Model>(network);
      created->number_ = layers().add(std::move(network));
      model = std::move(created);
    });
    return model.release();
  }

  ~Model() {
    if (number_ >= 0) layers().remove(number_);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Returns the handles of the outputs for the handles of the inputs, in the model's order.
  Handles predict(const Inputs& handles) {
    exported([&] {
      const int count = export_take_handles(handles.as_handle(), "[predict] inputs");
      if (count < 0) return;
      Tensors outputs = run(tensors_in_scratch(count));
      ownership().reserve(outputs.size());
      std::int32_t* at = scratch;
      for (Tensor& output : outputs) at = write_id(at, ownership().add(std::move(output)));
      export_return_handles(static_cast<int>(outputs.size()));
    });
    return returned_by_javascript<Handles>();
  }

  /// Predicts from the inputs whose ids are in the scratch, in the model's order; the outputs are described
  /// there. Returns their number, or -1 with last_error() set.
  int predict_in_scratch(int count) {
    return guarded([&] { return export_results(run(tensors_in_scratch(count))); });
  }

  /// Makes the plan ahead of the first predict(). Returns 0, or -1 with last_error() set.
  int prepare() {
    return guarded([&] {
      model_.prepare();
      return 0;
    });
  }

  /// Makes the plan, and starts to compile the device's programs for it. Returns 0, or -1 with last_error()
  /// set.
  int prelink() {
    return guarded([&] {
      model_.prelink();
      return 0;
    });
  }

  /// Sets the losses and metrics of later steps to those in the scratch. Returns 0, or -1 with last_error()
  /// set.
  int compile(int losses, int metrics) {
    return guarded([&] {
      objective_ = objective_in_scratch(losses, metrics);
      return 0;
    });
  }
  /// Runs run_batch(). Returns its result, or -1 with last_error() set.
  int step(int first, int count, int moving, int slots, int attr_words) {
    return guarded([&] {
      sync_weights();
      weights_.begin_step();
      const int results =
          run_batch(model_, weights_.weights(), objective_, {first, count}, moving, slots, attr_words);
      weights_.end_step();
      return results;
    });
  }

  double bytes() const { return static_cast<double>(model_.bytes()); }

 private:
  Tensors run(const Tensors& inputs) {
    sync_weights();
    return open_tapes().recording ? model_.run(inputs, false) : model_.predict(inputs);
  }

  void sync_weights() {
    if (weights_.pull()) model_.invalidate_plans();
  }

  LayersModel model_;
  /// Number of the network if this model owns it, else -1. The table of layers reports the memory of its
  /// weights.
  int number_ = -1;
  keras::WeightSync weights_;
  Objective objective_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(models) {
  emscripten::class_<Model>("LayersModel")
      .class_function("of", &Model::of, emscripten::return_value_policy::take_ownership(),
                      emscripten::allow_raw_pointers())
      .class_function("load(json, weights)", &Model::load, emscripten::return_value_policy::take_ownership(),
                      emscripten::allow_raw_pointers(), emscripten::nonnull<emscripten::ret_val>())
      .function("predict(inputs)", &Model::predict)
      .function("predictInScratch(count)", &Model::predict_in_scratch)
      .function("prepare", &Model::prepare)
      .function("prelink", &Model::prelink)
      .function("compile", &Model::compile)
      .function("step", &Model::step)
      .function("bytes", &Model::bytes);
}

}  // namespace tenure::wasm
