#include "catch.h"
#include "core/memory/allocator.h"
#include "model/models.h"
#include "model/training.h"
#include "ops/ops.h"

/// Tests of the gradients of each row of lists/layers.def, alone or after a layer with weights, against
/// finite differences.
namespace tenure {
namespace {

using test::functional;
using test::input;
using test::kMeanSquares;
using test::layer;
using test::node;
using test::random_values;
using test::sequential;
using test::some_weights;
using test::TestWeight;
using test::trainable_params;

float loss_of(const std::string& topology, const std::vector<TestWeight>& weights, const Batch& batch) {
  LayersModel model = test::load(topology, weights);
  return train_step(model, kMeanSquares, batch, {}, {}).data<float>()[0];
}

/// Compares each weight's gradient with finite differences. With a learning rate of 1, a step subtracts the
/// gradient from the weight.
void check_gradients(const std::string& topology, const Batch& batch) {
  const std::vector<TestWeight> weights = some_weights(topology);
  LayersModel model = test::load(topology, weights);
  std::vector<TrainableParam> moving = trainable_params(model);
  const UpdateAttrs step{.optimizer = Optimizer::kSgd, .learning_rate = 1};
  train_step(model, kMeanSquares, batch, step, moving);
  const std::vector<WeightInfo> after = model.weights();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto found = std::find_if(after.begin(), after.end(),
                                    [&](const WeightInfo& info) { return info.name == weights[k].name; });
    REQUIRE(found != after.end());
    if (!found->trainable) continue;
    for (std::size_t i = 0; i < weights[k].tensor.elements(); i += 1 + weights[k].tensor.elements() / 7) {
      constexpr float kStep = 1.0F / 128;
      const auto moved = [&](float by) {
        std::vector<TestWeight> there = weights;
        there[k].tensor = Tensor::from(weights[k].tensor.values<float>(), weights[k].tensor.shape());
        there[k].tensor.mutable_data<float>()[i] += by;
        return loss_of(topology, there, batch);
      };
      const float expected = (moved(kStep) - moved(-kStep)) / (2 * kStep);
      const float got = weights[k].tensor.data<float>()[i] - found->tensor.data<float>()[i];
      INFO(weights[k].name << " element " << i << ": " << got << ", by steps " << expected);
      CHECK(std::abs(got - expected) <= 0.02F * (1 + std::abs(expected)));
    }
  }
}

struct LayerCase {
  const char* name;
  std::string topology;
  Shape input;
};

std::string one(const std::string& class_name, const std::string& shape, const std::string& fields) {
  return test::one_layer(class_name, shape, fields);
}

const LayerCase kLayers[] = {
    {"Dense", one("Dense", "[null,3]", R"("units":4,"activation":"tanh")"), {5, 3}},
    {"Dense of rank 3", one("Dense", "[null,2,3]", R"("units":4,"activation":"softmax")"), {5, 2, 3}},
    {"Conv1D",
     one("Conv1D", "[null,6,2]", R"("filters":3,"kernel_size":[3],"activation":"tanh")"),
     {2, 6, 2}},
    {"Conv2D",
     one("Conv2D", "[null,5,6,2]", R"("filters":3,"kernel_size":[3,2],"strides":[2,1],"padding":"same")"),
     {2, 5, 6, 2}},
    {"Conv2DTranspose",
     one("Conv2DTranspose", "[null,3,3,2]", R"("filters":3,"kernel_size":[3,3],"strides":[2,2])"),
     {2, 3, 3, 2}},
    {"DepthwiseConv2D",
     one("DepthwiseConv2D", "[null,5,5,2]", R"("kernel_size":[3,3],"depth_multiplier":2)"),
     {2, 5, 5, 2}},
    {"SeparableConv2D",
     one("SeparableConv2D", "[null,5,5,2]", R"("filters":3,"kernel_size":[3,3],"activation":"sigmoid")"),
     {2, 5, 5, 2}},
    {"BatchNormalization", one("BatchNormalization", "[null,3,2]", ""), {4, 3, 2}},
    {"BatchNormalization of axis 1", one("BatchNormalization", "[null,3,2]", R"("axis":1)"), {4, 3, 2}},
    {"LayerNormalization", one("LayerNormalization", "[null,3,4]", ""), {2, 3, 4}},
    {"PReLU", one("PReLU", "[null,3,4]", ""), {2, 3, 4}},
    {"SimpleRNN", one("SimpleRNN", "[null,4,3]", R"("units":2)"), {3, 4, 3}},
    {"LSTM", one("LSTM", "[null,4,3]", R"("units":2,"return_sequences":true)"), {3, 4, 3}},
    {"GRU", one("GRU", "[null,4,3]", R"("units":2,"recurrent_activation":"sigmoid")"), {3, 4, 3}},
    {"GRU with reset after",
     one("GRU", "[null,4,3]", R"("units":2,"reset_after":true,"recurrent_activation":"sigmoid")"),
     {3, 4, 3}},
    {"Bidirectional LSTM",
     one("Bidirectional", "[null,4,3]",
         text(R"("merge_mode":"concat","layer":)",
              layer("LSTM", "inner", R"("units":2,"return_sequences":true)"))),
     {3, 4, 3}},
    {"TimeDistributed Dense",
     one("TimeDistributed", "[null,4,3]", text("\"layer\":", layer("Dense", "inner", R"("units":2)"))),
     {3, 4, 3}},
    {"Masking before LSTM",
     sequential({layer("Masking", "mask", R"("batch_input_shape":[null,4,3])"),
                 layer("LSTM", "lstm", R"("units":2)")}),
     {3, 4, 3}},
    {"cells in a stack",
     one("RNN", "[null,4,3]",
         text(R"("return_sequences":true,"cell":[)", layer("LSTMCell", "a", R"("units":3)"), ",",
              layer("GRUCell", "b", R"("units":2)"), ",", layer("SimpleRNNCell", "c", R"("units":2)"), "]")),
     {3, 4, 3}},
    {"Masking before cells in a stack",
     sequential({layer("Masking", "mask", R"("batch_input_shape":[null,4,3])"),
                 layer("RNN", "rnn",
                       text(R"("cell":[)", layer("GRUCell", "a", R"("units":3)"), ",",
                            layer("LSTMCell", "b", R"("units":2)"), "]"))}),
     {3, 4, 3}},
    {"ConvLSTM2D",
     one("ConvLSTM2D", "[null,3,4,4,2]", R"("filters":2,"kernel_size":[2,3],"return_sequences":true)"),
     {2, 3, 4, 4, 2}},
    {"ConvLSTM2D with strides",
     one("ConvLSTM2D", "[null,3,4,4,2]", R"("filters":2,"kernel_size":3,"strides":2,"padding":"same")"),
     {2, 3, 4, 4, 2}},
    {"Conv3D",
     one("Conv3D", "[null,4,4,3,2]", R"("filters":2,"kernel_size":[2,3,2],"activation":"tanh")"),
     {2, 4, 4, 3, 2}},
    {"Conv3D with strides",
     one("Conv3D", "[null,4,4,3,2]", R"("filters":2,"kernel_size":3,"strides":2,"padding":"same")"),
     {2, 4, 4, 3, 2}},
    {"Conv3DTranspose",
     one("Conv3DTranspose", "[null,2,3,2,2]", R"("filters":2,"kernel_size":[2,3,2],"strides":2)"),
     {2, 2, 3, 2, 2}},
    {"MaxPooling3D",
     sequential(
         {layer("Conv3D", "conv",
                R"("filters":2,"kernel_size":2,"activation":"tanh","batch_input_shape":[null,3,3,3,1])"),
          layer("MaxPooling3D", "max", ""), layer("Flatten", "flat")}),
     {2, 3, 3, 3, 1}},
    {"AveragePooling3D",
     sequential(
         {layer("Conv3D", "conv",
                R"("filters":2,"kernel_size":2,"activation":"tanh","batch_input_shape":[null,4,4,4,1])"),
          layer("AveragePooling3D", "average", R"("pool_size":2,"strides":1,"padding":"same")")}),
     {2, 4, 4, 4, 1}},
    {"images made ready behind a convolution",
     sequential({layer("Conv2D", "conv", R"("filters":2,"kernel_size":1,"batch_input_shape":[null,6,7,1])"),
                 layer("CenterCrop", "crop", R"("height":4,"width":5)"),
                 layer("Resizing", "resize", R"("height":3,"width":8)"),
                 layer("Rescaling", "scale", R"("scale":0.5,"offset":1)"), layer("Flatten", "flat"),
                 layer("Dense", "dense", R"("units":2)")}),
     {2, 6, 7, 1}},
    {"SeparableConv1D",
     one("SeparableConv1D", "[null,6,2]",
         R"("filters":3,"kernel_size":[3],"strides":[2],"depth_multiplier":2)"),
     {2, 6, 2}},
    {"BatchNormalizationV1", one("BatchNormalizationV1", "[null,3,2]", ""), {4, 3, 2}},
    {"a stack of cells as a layer of its own",
     one("RNN", "[null,4,3]",
         text("\"cell\":", layer("StackedRNNCells", "stack",
                                 text(R"("cells":[)", layer("GRUCell", "a", R"("units":3)"), ",",
                                      layer("LSTMCell", "b", R"("units":2)"), "]")))),
     {3, 4, 3}},
    {"RNN of ConvLSTM2DCell",
     one("RNN", "[null,2,3,3,1]",
         text("\"cell\":", layer("ConvLSTM2DCell", "c", R"("filters":2,"kernel_size":2,"padding":"same")"))),
     {2, 2, 3, 3, 1}},
    {"pools and flatten",
     sequential(
         {layer("Conv2D", "conv",
                R"("filters":2,"kernel_size":[3,3],"activation":"tanh","batch_input_shape":[null,8,8,1])"),
          layer("MaxPooling2D", "max", ""),
          layer("AveragePooling2D", "average", R"("pool_size":[3,3],"strides":[1,1])"),
          layer("Flatten", "flat"), layer("Dense", "dense", R"("units":2)")}),
     {2, 8, 8, 1}},
};

/// Returns a model with the layer after a Dense layer, whose weights get their gradient through it.
std::string behind(const std::string& class_name, const std::string& shape, const std::string& fields = "") {
  const std::string first = text(R"("units":3,"activation":"tanh","batch_input_shape":)", shape);
  return sequential({layer("Dense", "first", first), layer(class_name, "layer", fields)});
}

/// Returns a model with a layer that merges two Dense layers of different weights.
std::string joining(const std::string& class_name, const std::string& shape, const std::string& fields = "") {
  const std::string dense = R"("units":3,"activation":"tanh")";
  return functional({input("x", shape), node("Dense", "a", dense, R"([[["x",0,0]]])"),
                     node("Dense", "b", dense, R"([[["x",0,0]]])"),
                     node(class_name, "both", fields, R"([[["a",0,0],["b",0,0]]])")},
                    R"([["x",0,0]])", R"([["both",0,0]])");
}

const LayerCase kWithoutWeights[] = {
    {"Activation", behind("Activation", "[null,4]", R"("activation":"mish")"), {3, 4}},
    {"ReLU", behind("ReLU", "[null,4]", R"("max_value":0.4)"), {3, 4}},
    {"LeakyReLU", behind("LeakyReLU", "[null,4]"), {3, 4}},
    {"ELU", behind("ELU", "[null,4]"), {3, 4}},
    {"ThresholdedReLU", behind("ThresholdedReLU", "[null,4]", R"("theta":0.2)"), {3, 4}},
    {"Softmax", behind("Softmax", "[null,2,4]", R"("axis":1)"), {3, 2, 4}},
    {"Dropout", behind("Dropout", "[null,4]", R"("rate":0.4,"seed":5)"), {3, 4}},
    {"SpatialDropout1D", behind("SpatialDropout1D", "[null,3,4]", R"("rate":0.4,"seed":5)"), {3, 3, 4}},
    {"SpatialDropout2D", behind("SpatialDropout2D", "[null,2,2,4]", R"("rate":0.4,"seed":5)"), {3, 2, 2, 4}},
    {"AlphaDropout", behind("AlphaDropout", "[null,4]", R"("rate":0.4,"seed":5)"), {3, 4}},
    {"GaussianDropout", behind("GaussianDropout", "[null,4]", R"("rate":0.4,"seed":5)"), {3, 4}},
    {"GaussianNoise", behind("GaussianNoise", "[null,4]", R"("stddev":0.4,"seed":5)"), {3, 4}},
    {"ActivityRegularization", behind("ActivityRegularization", "[null,4]"), {3, 4}},
    {"Reshape", behind("Reshape", "[null,2,4]", R"("target_shape":[3,-1])"), {3, 2, 4}},
    {"Permute", behind("Permute", "[null,2,4]", R"("dims":[2,1])"), {3, 2, 4}},
    {"RepeatVector", behind("RepeatVector", "[null,4]", R"("n":3)"), {3, 4}},
    {"MaxPooling1D", behind("MaxPooling1D", "[null,6,2]", R"("pool_size":3,"strides":2)"), {2, 6, 2}},
    {"AveragePooling1D",
     behind("AveragePooling1D", "[null,6,2]", R"("pool_size":3,"strides":2,"padding":"same")"),
     {2, 6, 2}},
    {"GlobalMaxPooling1D", behind("GlobalMaxPooling1D", "[null,5,2]"), {2, 5, 2}},
    {"GlobalMaxPooling2D", behind("GlobalMaxPooling2D", "[null,2,2,3]"), {3, 2, 2, 3}},
    {"GlobalAveragePooling1D", behind("GlobalAveragePooling1D", "[null,5,2]"), {2, 5, 2}},
    {"GlobalAveragePooling1D of masked steps",
     sequential({layer("Masking", "mask", R"("batch_input_shape":[null,4,3])"),
                 layer("LSTM", "lstm", R"("units":2,"return_sequences":true)"),
                 layer("GlobalAveragePooling1D", "average")}),
     {3, 4, 3}},
    {"GlobalAveragePooling2D", behind("GlobalAveragePooling2D", "[null,3,4,2]"), {2, 3, 4, 2}},
    {"ZeroPadding2D", behind("ZeroPadding2D", "[null,2,3,2]", R"("padding":[[1,0],[2,1]])"), {2, 2, 3, 2}},
    {"Cropping2D", behind("Cropping2D", "[null,4,5,2]", R"("cropping":[[1,0],[2,1]])"), {2, 4, 5, 2}},
    {"UpSampling2D", behind("UpSampling2D", "[null,2,3,2]", R"("size":[2,3])"), {2, 2, 3, 2}},
    {"UpSampling2D of lines",
     behind("UpSampling2D", "[null,2,3,2]", R"("interpolation":"bilinear")"),
     {2, 2, 3, 2}},
    {"RandomWidth", behind("RandomWidth", "[null,4,5,2]", R"("factor":0.4,"seed":3)"), {2, 4, 5, 2}},
    {"Add", joining("Add", "[null,2]"), {3, 2}},
    {"Subtract", joining("Subtract", "[null,2]"), {3, 2}},
    {"Multiply", joining("Multiply", "[null,2]"), {3, 2}},
    {"Average", joining("Average", "[null,2]"), {3, 2}},
    {"Maximum", joining("Maximum", "[null,2]"), {3, 2}},
    {"Minimum", joining("Minimum", "[null,2]"), {3, 2}},
    {"Concatenate", joining("Concatenate", "[null,2]"), {3, 2}},
    {"Dot", joining("Dot", "[null,4,2]", R"("axes":1)"), {3, 4, 2}},
    {"Dot of unit vectors", joining("Dot", "[null,2]", R"("axes":-1,"normalize":true)"), {3, 2}},
};

/// Returns the shape of the output in training.
Shape output_shape(const LayerCase& row, const Tensor& x) {
  LayersModel model = test::load(row.topology, some_weights(row.topology));
  return model.run(Tensors{x}, true).at(0).shape();
}

void check_layer(const LayerCase& row) {
  const std::size_t before = allocator_stats().blocks;
  {
    const Tensor x = random_values(row.input, 21);
    check_gradients(row.topology, {{x}, {random_values(output_shape(row, x), 22)}, {}});
  }
  CHECK(allocator_stats().blocks == before);
}

TEST_CASE("the gradients of layers are what small steps find", "[trainer]") {
  for (const LayerCase& row : kLayers) DYNAMIC_SECTION(row.name) check_layer(row);
}

TEST_CASE("the gradients through layers without weights are what small steps find", "[trainer]") {
  for (const LayerCase& row : kWithoutWeights) DYNAMIC_SECTION(row.name) check_layer(row);
}

TEST_CASE("an embedding trains the rows that are looked up", "[trainer]") {
  const std::string topology =
      sequential({layer("Embedding", "e", R"("input_dim":5,"output_dim":2,"batch_input_shape":[null,3])"),
                  layer("Flatten", "f")});
  check_gradients(topology, {{Tensor::from({1, 2, 2, 0, 1, 2}, {2, 3})}, {random_values({2, 6}, 3)}, {}});
}

#define ALIAS(...)
#define LAYER(name, ...) #name,
constexpr std::string_view kAllLayers[] = {
#include "lists/layers.def"
};
// Embedding is tested above; CategoryEncoding is not differentiable.
constexpr std::string_view kNotListed[] = {"Embedding", "CategoryEncoding"};

TEST_CASE("every row of the list of layers has its gradients compared", "[trainer]") {
  const auto is_compared = [](std::string_view name) {
    const std::string written = text(R"("class_name":")", name, "\"");
    const auto has = [&](const LayerCase& row) { return row.topology.find(written) != std::string::npos; };
    return std::any_of(std::begin(kLayers), std::end(kLayers), has) ||
           std::any_of(std::begin(kWithoutWeights), std::end(kWithoutWeights), has);
  };
  for (const std::string_view name : kAllLayers) {
    INFO(name);
    const bool is_listed =
        std::find(std::begin(kNotListed), std::end(kNotListed), name) == std::end(kNotListed);
    CHECK(is_compared(name) == is_listed);
  }
}

}  // namespace
}  // namespace tenure
