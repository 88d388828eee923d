#include "ops/ops.h"
#include "rows.h"

using namespace tenure;
using namespace tenure::test;

namespace {

const std::string kSame = R"("padding":{"s":"U0FNRQ=="})";
const std::string kValid = R"("padding":{"s":"VkFMSUQ="})";

/// Returns an attribute with these numbers for the spatial axes, and 1 for the batch and the channels.
std::string list_of(const std::string& name, std::initializer_list<int> numbers) {
  std::string list = "\"1\"";
  for (const int number : numbers) list += text(",\"", number, "\"");
  return text(",\"", name, R"(":{"list":{"i":[)", list, R"(,"1"]}})");
}
std::string strides(int both) { return list_of("strides", {both, both}); }
std::string fused(const std::string& ops) { return R"(,"fused_ops":{"list":{"s":[)" + ops + "]}}"; }
const std::string kBias = "\"Qmlhc0FkZA==\"";
const std::string kPrelu = "\"UHJlbHU=\"";
const std::string kRelu6 = "\"UmVsdTY=\"";

}  // namespace

TEST_CASE("Rows of convolutions", "[model][graphdef][rows]") {
  const Tensor x = random_values({2, 5, 6, 3});
  const Tensor filter = random_values({3, 3, 3, 4}, 2);
  const Tensor bias = random_values({4}, 3);
  const Tensor slopes = random_values({1, 1, 4}, 4);
  const Tensor expected = conv2d(x, filter, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  check_row("Conv2D", {x, filter}, {expected}, kSame + strides(2));
  check_row("_FusedConv2D", {x, filter, bias}, {relu6(add(expected, bias))},
            kSame + strides(2) + fused(kBias + "," + kRelu6) + R"(,"num_args":{"i":"1"})");
  check_row("_FusedConv2D", {x, filter, bias, slopes}, {prelu(add(expected, bias), slopes)},
            kSame + strides(2) + fused(kBias + "," + kPrelu) + R"(,"num_args":{"i":"2"})");
  const Tensor deep = random_values({3, 3, 3, 2}, 5);
  const Tensor separate = depthwise_conv2d(x, deep, {});
  for (const char* op : {"DepthwiseConv2dNative", "DepthwiseConv2d"})
    check_row(op, {x, deep}, {separate}, kValid + strides(1));
  check_row("FusedDepthwiseConv2dNative", {x, deep, random_values({6}, 6)},
            {add(separate, random_values({6}, 6))}, kValid + strides(1) + fused(kBias));
  const Tensor line = random_values({2, 7, 3});
  check_row("Conv1D", {line, random_values({2, 3, 4}, 7)},
            {reshape(conv2d(reshape(line, {{2, 1, 7, 3}}),
                            reshape(random_values({2, 3, 4}, 7), {{1, 2, 3, 4}}), {}),
                     {{2, 6, 4}})},
            kValid + R"(,"stride":{"i":"1"})");
  const Tensor volume = random_values({1, 3, 4, 4, 2});
  const Tensor cube = random_values({1, 1, 1, 2, 3}, 8);
  check_row("Conv3D", {volume, cube},
            {reshape(mat_mul(reshape(volume, {{48, 2}}), reshape(cube, {{2, 3}})), {{1, 3, 4, 4, 3}})},
            kValid + list_of("strides", {1, 1, 1}) + list_of("dilations", {1, 1, 1}));
  check_row("Dilation2D", {random_values({1, 3, 3, 1}), Tensor::from({0.0F}, {1, 1, 1})},
            {random_values({1, 3, 3, 1})}, kValid + strides(1) + list_of("rates", {1, 1}));
}

TEST_CASE("Rows of transposed convolutions", "[model][graphdef][rows]") {
  const Tensor x = random_values({2, 3, 4, 5});
  for (const std::int32_t channels : {1, 3, 9}) {
    const Tensor filter = random_values({2, 2, channels, 5}, 2);
    const Tensor expected = conv2d_transpose(
        x, filter,
        {.output_shape = {2, 6, 8, channels}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
    for (const char* op : {"Conv2DBackpropInput", "Conv2dTranspose"}) {
      check_row(op, {vector({2, 6, 8, channels}), filter, x}, {expected}, kSame + strides(2));
      // As in a model file: the filter and the shape are constants, the image is an input.
      GraphModel model = load_graph({placeholder("x"),
                                     constant("s"),
                                     constant("f"),
                                     {"c", op, {"s", "f", "x"}, kSame + strides(2)},
                                     {"y", "Relu", {"c"}, ""}},
                                    {{"s", vector({2, 6, 8, channels})}, {"f", filter}});
      CHECK(is_same(run_graph(model, {"x"}, {"y"}, {x})[0], relu(expected)));
    }
  }
}

TEST_CASE("Rows of pools", "[model][graphdef][rows]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F}, {1, 2, 4, 1});
  const std::string two = kValid + strides(2) + list_of("ksize", {2, 2});
  check_row("MaxPool", {x}, {Tensor::from({6.0F, 8.0F}, {1, 1, 2, 1})}, two);
  check_row("AvgPool", {x}, {Tensor::from({3.5F, 5.5F}, {1, 1, 2, 1})}, two);
  check_row("MaxPoolWithArgmax", {x},
            {Tensor::from({6.0F, 8.0F}, {1, 1, 2, 1}), Tensor::from({5, 7}, {1, 1, 2, 1})}, two);
  const Tensor volume = reshape(x, {{1, 2, 2, 2, 1}});
  const std::string cube = kValid + list_of("strides", {2, 2, 2}) + list_of("ksize", {2, 2, 2});
  check_row("MaxPool3D", {volume}, {Tensor::from({8.0F}, {1, 1, 1, 1, 1})}, cube);
  check_row("AvgPool3D", {volume}, {Tensor::from({4.5F}, {1, 1, 1, 1, 1})}, cube);
}

TEST_CASE("Rows of pictures", "[model][graphdef][rows]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {1, 2, 2, 1});
  const Tensor size = vector({4, 2});
  check_row("ResizeNearestNeighbor", {x, size},
            {Tensor::from({1.0F, 2.0F, 1.0F, 2.0F, 3.0F, 4.0F, 3.0F, 4.0F}, {1, 4, 2, 1})});
  check_row("ResizeBilinear", {x, vector({3, 2})},
            {Tensor::from({1.0F, 2.0F, 2.0F, 3.0F, 3.0F, 4.0F}, {1, 3, 2, 1})},
            R"("align_corners":{"b":true})");
  check_row("CropAndResize", {x, Tensor::from({0.0F, 0.0F, 1.0F, 1.0F}, {1, 4}), vector({0}), vector({2, 2})},
            {x}, R"("method":{"s":"YmlsaW5lYXI="})");
  const Tensor moved = Tensor::from({1.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}, {1, 8});
  check_row("ImageProjectiveTransformV3", {x, moved, vector({2, 2}), Tensor::scalar(9.0F)},
            {Tensor::from({2.0F, 9.0F, 4.0F, 9.0F}, {1, 2, 2, 1})},
            R"("interpolation":{"s":"TkVBUkVTVA=="},"fill_mode":{"s":"Q09OU1RBTlQ="})");
}

TEST_CASE("Rows of boxes", "[model][graphdef][rows]") {
  const Tensor boxes =
      Tensor::from({0.0F, 0.0F, 1.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.9F, 2.0F, 2.0F, 3.0F, 3.0F}, {3, 4});
  const Tensor scores = vector({0.5F, 0.9F, 0.2F});
  const Tensor most = Tensor::scalar(3);
  const Tensor overlap = Tensor::scalar(0.5F);
  const Tensor least = Tensor::scalar(0.3F);
  check_row("NonMaxSuppressionV2", {boxes, scores, most, overlap}, {vector({1, 2})});
  check_row("NonMaxSuppressionV3", {boxes, scores, most, overlap, least}, {vector({1})});
  check_row("NonMaxSuppressionV4", {boxes, scores, most, overlap, least},
            {vector({1, 0, 0}), Tensor::scalar(1)}, R"("pad_to_max_output_size":{"b":true})");
  const Tensors soft = run_row("NonMaxSuppressionV5",
                               {boxes, scores, most, overlap, least, Tensor::scalar(0.0F)}, "", 2, false);
  CHECK(is_same(soft[0], vector({1})));
  CHECK(is_same(soft[1], vector({0.9F})));
}
