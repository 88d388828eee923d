#include <cmath>
#include <fstream>
#include <iterator>

#include "import/graphdef/load.h"
#include "import/keras/model/layers_model.h"
#include "import/keras/network.h"
#include "import/keras/training/trainer.h"
#include "model/files/json.h"
#include "ops/ops.h"
#include "report.h"
#include "sections.h"

namespace tenure::bench {
namespace {

enum class Kind { kPredict, kTrain, kGraph };

struct Workload {
  const char* name;
  const char* file;
  Kind kind;
  Shape input;
  /// Multiply-adds of a prediction of the whole input; 0 if unknown.
  double products;
};

const Workload kWorkloads[] = {
    {"predict MobileNetV1 1.0 224", "mobilenet_100_224", Kind::kPredict, {1, 224, 224, 3}, 569e6},
    {"predict MobileNetV1 0.25 128", "mobilenet_025_128", Kind::kPredict, {1, 128, 128, 3}, 14e6},
    {"predict blazeface", "blazeface", Kind::kGraph, {1, 256, 256, 3}, 0},
    {"predict LSTM 64, 32 steps, batch 16", "lstm", Kind::kPredict, {16, 32, 16}, 10.5e6},
    {"train MLP 784-128-10, batch 64", "mlp", Kind::kTrain, {64, 784}, 6.5e6},
    {"train MNIST CNN, batch 64", "cnn", Kind::kTrain, {64, 28, 28, 1}, 20.6e6},
    {"train LSTM 64, 32 steps, batch 16", "lstm", Kind::kTrain, {16, 32, 16}, 10.5e6},
};
constexpr int kClasses = 10;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns random weights that preserve the variance of the activations.
Tensor weight_values(const std::string& name, const Shape& shape, std::uint32_t seed) {
  const double fan_in = shape.rank > 1 ? static_cast<double>(shape.elements()) / shape[shape.rank - 1] : 1;
  const bool is_depthwise = name.find("depthwise") != std::string::npos && shape.rank == 4;
  const auto range = static_cast<float>(std::sqrt(6 / (is_depthwise ? 9 : fan_in)));
  const Tensor spread = values(shape, seed);
  if (name.ends_with("variance") || name.ends_with("gamma")) return add(abs(spread), Tensor::scalar(0.5F));
  return mul(spread, Tensor::scalar(shape.rank > 1 ? range : 0.1F));
}

LayersModel load_model(const std::string& path) {
  const BackendGuard on_cpu(cpu_backend());
  const std::string topology = read_file(path);
  const Json json = Json::parse(topology, path);
  keras::Network network(json);
  keras::Specs specs;
  for (const keras::NetworkInput& input : network.inputs()) specs.push_back({input.shape, input.dtype});
  keras::CallBudget workload;
  network.declare_all(specs, workload);
  std::vector<keras::NamedWeight> named;
  network.collect_weights("", true, named);
  std::string list;
  std::vector<std::byte> bytes;
  for (const keras::NamedWeight& one : named) {
    const Shape& shape = one.weight->value.shape();
    const Tensor tensor = weight_values(one.name, shape, static_cast<std::uint32_t>(bytes.size()) + 1);
    const auto* data = tensor.data<std::byte>();
    bytes.insert(bytes.end(), data, data + tensor.bytes());
    list += text(list.empty() ? "" : ",", R"({"name":")", one.name, R"(","shape":)", shape,
                 R"(,"dtype":"float32"})");
  }
  return LayersModel::load(topology, "[" + list + "]", bytes);
}

/// Returns one-hot targets of the first class.
Tensor first_class(int samples) {
  Tensor targets({{samples, kClasses}, DType::kFloat32});
  auto* to = targets.mutable_data<float>();
  for (int i = 0; i < samples * kClasses; ++i) to[i] = i % kClasses == 0 ? 1 : 0;
  return targets;
}

/// A model that runs a workload from values on the CPU to values on the CPU, as programs do.
class ModelRunner {
 public:
  ModelRunner(const Workload& workload, const std::string& folder) : input_(values(workload.input)) {
    const std::string path = folder + "/" + workload.file;
    if (workload.kind == Kind::kGraph) {
      const std::string weights = read_file(path + ".bin");
      graph_ = std::make_unique<GraphModel>(graphdef::load_model(
          read_file(path + ".json"), read_file(path + ".weights.json"), std::as_bytes(std::span(weights))));
      const std::string input = graph_->inputs().at(0).name;
      program_ = graph_->compile(std::span(&input, 1), graph_->leaves());
      return;
    }
    model_ = std::make_unique<LayersModel>(load_model(path + ".json"));
    if (workload.kind != Kind::kTrain) return;
    batch_ = {{input_}, {first_class(workload.input[0])}, {}};
    std::vector<keras::NamedWeight> named;
    model_->network()->collect_weights("", true, named);
    for (const keras::NamedWeight& one : named) {
      if (one.trainable) moving_.push_back({one.weight, {}});
    }
  }

  void call() {
    // A tensor used before would have a copy on the device.
    const Tensor fresh = Tensor::from(input_.values<float>(), input_.shape());
    Tensors outputs;
    if (graph_) {
      outputs = graph_->run(program_, std::span(&fresh, 1));
    } else if (!moving_.empty()) {
      const Objective objective{{{Op::metric_categorical_crossentropy}}, {}};
      outputs = {train_step(*model_, objective, {{fresh}, batch_.targets, {}},
                            {.optimizer = Optimizer::kSgd, .learning_rate = 1e-6F}, moving_)};
    } else {
      outputs = model_->predict(std::span(&fresh, 1));
    }
    was_on_device_ = !outputs.empty() && outputs[0].storage()->only_on_device();
    for (const Tensor& out : outputs) out.storage()->data();
  }
  bool was_on_device() const { return was_on_device_; }

 private:
  Tensor input_;
  std::unique_ptr<LayersModel> model_;
  std::unique_ptr<GraphModel> graph_;
  int program_ = 0;
  Batch batch_;
  std::vector<TrainableParam> moving_;
  bool was_on_device_ = false;
};

struct Timed {
  double first;
  double milliseconds;
  bool on_device;
};

Timed time_workload(const Effort& effort, const Workload& workload, const std::string& folder) {
  ModelRunner runner(workload, folder);
  const double start = microseconds();
  runner.call();
  const double first = (microseconds() - start) / 1e3;
  const double time = time_on_device(effort, [&] { runner.call(); });
  return {first, time, runner.was_on_device()};
}

void report_workload(const Effort& effort, DeviceKind kind, const Workload& workload,
                     const std::string& folder) {
  // Without the compiled programs of other workloads, so that a first call compiles its own.
  start_device(kind);
  set_min_elements_for_device(0);
  const Timed device = time_workload(effort, workload, folder);
  set_min_elements_for_device(std::nullopt);
  const Timed chosen = time_workload(effort, workload, folder);
  const BackendGuard on_cpu(cpu_backend());
  const Timed alone = time_workload(effort, workload, folder);
  use_threads(all_threads());
  const Timed together = all_threads() > 1 ? time_workload(effort, workload, folder) : alone;
  use_threads(1);
  Row row("model");
  row.set("name", workload.name)
      .set("device_ms", device.milliseconds)
      .set("device_first_ms", device.first)
      .set("chosen_ms", chosen.milliseconds)
      .set("cpu_ms", alone.milliseconds)
      .set("cpu_threads_ms", together.milliseconds);
  if (workload.kind != Kind::kTrain) row.set("chosen_on_device", chosen.on_device);
  // The backward pass has a product for the inputs and one for the weights.
  if (workload.products > 0)
    row.set("flops", workload.products * 2 * (workload.kind == Kind::kTrain ? 3 : 1));
}

}  // namespace

void report_models(const Effort& effort, DeviceKind kind, const std::string& folder) {
  for (const Workload& workload : kWorkloads) {
    if (!std::ifstream(folder + "/" + workload.file + ".json")) {
      Row("missing").set("name", workload.name).set("why", "the pack was made without this model");
      continue;
    }
    // A rehearsal skips workloads that take a software renderer seconds.
    const double max_quick = kind == DeviceKind::kWebGpu ? 1e6 : 15e6;
    const bool is_long = workload.products * (workload.kind == Kind::kTrain ? 2 : 1) > max_quick;
    if (effort.quick && is_long) continue;
    report_workload(effort, kind, workload, folder);
  }
}

}  // namespace tenure::bench
