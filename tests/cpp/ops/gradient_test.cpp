#include <cmath>
#include <functional>

#include "catch.h"
#include "core/allocator.h"
#include "ops/backward.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Function = std::function<Tensor(const Tensors&)>;

/// Values around `middle`, no two alike.
Tensor some(const Shape& shape, float middle = 0.1F, float spread = 1.3F) {
  std::vector<float> values(shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = middle + spread * (static_cast<float>((i * 37 + 11) % 101) / 101.0F - 0.5F);
  }
  return Tensor::from(std::span<const float>(values), shape);
}

Tensor weights_of(const Tensor& y) { return some(y.shape(), 0.2F, 1.0F); }

double weighted(const Tensor& y) {
  const Tensor weights = weights_of(y);
  double total = 0;
  for (std::size_t i = 0; i < y.elements(); ++i)
    total += double{y.data<float>()[i]} * weights.data<float>()[i];
  return total;
}

/// Compares the gradients of f at xs with what small steps find.
void check_gradients(const std::string& name, const Function& f, const Tensors& xs) {
  const Tensors got = value_and_gradients(f, xs, weights_of(f(xs))).gradients;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    REQUIRE(got[k].shape() == xs[k].shape());
    REQUIRE(got[k].dtype() == DType::kFloat32);
    for (std::size_t i = 0; i < xs[k].elements(); ++i) {
      constexpr float kStep = 1.0F / 256;
      const auto moved = [&](float by) {
        Tensors there = xs;
        std::vector<float> values(xs[k].values<float>().begin(), xs[k].values<float>().end());
        values[i] += by;
        there[k] = Tensor::from(std::span<const float>(values), xs[k].shape());
        return weighted(f(there));
      };
      const double expected = (moved(kStep) - moved(-kStep)) / (2 * double{kStep});
      const double value = got[k].data<float>()[i];
      INFO(name << ", input " << k << ", element " << i << ": " << value << ", by steps " << expected);
      REQUIRE(std::abs(value - expected) <= 4e-3 * (1 + std::abs(expected)));
    }
  }
}

/// The same of the gradient of f.
void check_twice(const std::string& name, const Function& f, const Tensors& xs) {
  check_gradients(name, f, xs);
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const Function slope = [&](const Tensors& at) { return value_and_gradients(f, at).gradients[k]; };
    check_gradients(text("gradient ", k, " of ", name), slope, xs);
  }
}

TEST_CASE("Gradients of elementwise ops are their slopes, twice over", "[gradient]") {
  const Tensor inside = Tensor::from({0.35F, 0.62F, 0.81F, 0.17F}, {2, 2});
  const Tensor above = add(inside, Tensor::scalar(1.0F));
  const Tensor below = neg(inside);
  const AlphaAttrs alpha = {0.3F};
  const ClipAttrs clip = {-0.5F, 0.5F};
#define ATTRS_None AttrsView()
#define ATTRS_Alpha AttrsView(alpha)
#define ATTRS_Clip AttrsView(clip)
#define UNARY(name, js, rule, A, ...)                                                         \
  if (op_def(Op::name).gradient == Gradient::kRule) {                                         \
    const Function f = [&](const Tensors& xs) { return run(Op::name, {&xs[0]}, ATTRS_##A); }; \
    const bool is_far = Op::name == Op::acosh;                                                \
    check_twice(#name, f, {is_far ? above : inside});                                         \
    if (!std::isnan(f({below}).data<float>()[0])) check_twice(#name, f, {below});             \
  }
#define BINARY(name, js, a, b, ...)                                                       \
  if (op_def(Op::name).gradient == Gradient::kRule && Op::name != Op::floor_div) {        \
    const Function f = [](const Tensors& xs) { return run(Op::name, {&xs[0], &xs[1]}); }; \
    check_twice(#name, f, {inside, above});                                               \
    check_twice(#name, f, {above, Tensor::from({0.7F, 0.4F}, {2})});                      \
    check_twice(#name, f, {Tensor::scalar(0.9F), above});                                 \
  }
#include "ops/ops.def"
}

struct Case {
  const char* name;
  Function f;
  Tensors xs;
};

TEST_CASE("Gradients of structural ops are their slopes, twice over", "[gradient]") {
  const Tensor indices = Tensor::from({2, 0, 2, 1}, {2, 2});
  const Tensor truth = Tensor::from({true, false, true}, {3});
  const Tensor image = some({1, 4, 5, 2});
  const Tensor spread = some({2, 3});
  std::vector<Case> cases = {
      {"transpose", [](const Tensors& x) { return transpose(x[0], {{2, 0, 1}}); }, {some({2, 3, 2})}},
      {"transpose all", [](const Tensors& x) { return transpose(x[0]); }, {some({2, 3, 2})}},
      {"concat",
       [](const Tensors& x) { return concat({x[0], x[1], x[0]}, {-1}); },
       {some({2, 1}), some({2, 3})}},
      {"stack", [](const Tensors& x) { return stack({x[0], x[1]}, {1}); }, {some({2, 3}), some({2, 3}, 1)}},
      {"slice", [](const Tensors& x) { return slice(x[0], {{1, 0}, {1, 2}}); }, {some({3, 4})}},
      {"strided slice",
       [](const Tensors& x) {
         return strided_slice(
             x[0], {.begin = {3, 0, 1}, .end = {0, 3, 2}, .strides = {-2, 2, 1}, .shrink_axis_mask = 4});
       },
       {some({4, 3, 2})}},
      {"gather", [&](const Tensors& x) { return gather(x[0], indices, {.axis = 1}); }, {some({2, 3, 2})}},
      {"gather of batches",
       [&](const Tensors& x) { return gather(x[0], indices, {.axis = 2, .batch_dims = 1}); },
       {some({2, 2, 3})}},
      {"segments",
       [&](const Tensors& x) {
         return unsorted_segment_sum(x[0], Tensor::from({1, -1, 1, 7}, {4}), {.segments = 3});
       },
       {some({4, 2})}},
      {"tile", [](const Tensors& x) { return tile(x[0], {{2, 1, 3}}); }, {some({2, 3, 2})}},
      {"pad", [](const Tensors& x) { return pad(x[0], {{1, 0}, {0, 2}, 5}); }, {some({2, 3})}},
      {"mirror pad",
       [](const Tensors& x) { return mirror_pad(x[0], {{1, 2}, {0, 2}, false}); },
       {some({2, 3})}},
      {"symmetric pad",
       [](const Tensors& x) { return mirror_pad(x[0], {{1, 3}, {2, 2}, true}); },
       {some({2, 3})}},
      {"reverse", [](const Tensors& x) { return reverse(x[0], {{1}}); }, {some({2, 3})}},
      {"where", [&](const Tensors& x) { return where(truth, x[0], x[1]); }, {some({2, 3}), some({1})}},
      {"reshape",
       [](const Tensors& x) { return expand_dims(reshape(x[0], {{3, -1}}), {0}); },
       {some({2, 3})}},
      {"cast", [](const Tensors& x) { return mul(cast(x[0], {DType::kFloat32}), x[0]); }, {some({2, 3})}},
      {"sum", [](const Tensors& x) { return sum(square(x[0]), {.axes = {1}}); }, {some({2, 3, 2})}},
      {"mean",
       [](const Tensors& x) { return mean(square(x[0]), {.axes = {0, 2}, .keep_dims = true}); },
       {some({2, 3, 2})}},
      {"prod", [](const Tensors& x) { return prod(x[0], {.axes = {1}}); }, {some({2, 5, 2})}},
      {"prod with zeros",
       [](const Tensors& x) { return prod(x[0]); },
       {Tensor::from({0.5F, 0.0F, 2.0F, 0.0F}, {4})}},
      {"max", [](const Tensors& x) { return max(x[0], {.axes = {0}}); }, {some({3, 4})}},
      {"min", [](const Tensors& x) { return min(square(x[0])); }, {some({3, 4})}},
      {"norm", [](const Tensors& x) { return norm(x[0], {.axes = {1}}); }, {some({3, 4})}},
      {"dot", [](const Tensors& x) { return dot(x[0], x[1]); }, {some({2, 3}), some({3})}},
      {"matMul",
       [](const Tensors& x) { return mat_mul(x[0], x[1], x[2]); },
       {some({2, 3}), some({3, 2}), some({2})}},
      {"matMul of one with many",
       [](const Tensors& x) { return mat_mul(x[0], x[1]); },
       {some({3, 2, 2}), some({2, 2})}},
      {"matMul, left transposed",
       [](const Tensors& x) { return mat_mul(x[0], x[1], {.transpose_a = true}); },
       {some({3, 2}), some({3, 2})}},
      {"matMul, right transposed",
       [](const Tensors& x) { return mat_mul(x[0], x[1], {.transpose_b = true}); },
       {some({2, 3}), some({2, 3})}},
      {"matMul, both transposed",
       [](const Tensors& x) { return mat_mul(x[0], x[1], {.transpose_a = true, .transpose_b = true}); },
       {some({3, 2}), some({2, 3})}},
      {"conv2d",
       [](const Tensors& x) { return conv2d(x[0], x[1], x[2], {.stride_h = 2, .padding = Padding::kSame}); },
       {image, some({3, 2, 2, 3}), some({3})}},
      {"conv2d, dilated",
       [](const Tensors& x) { return conv2d(x[0], x[1], {.dilation_h = 2, .dilation_w = 3}); },
       {image, some({2, 2, 2, 1})}},
      {"conv2d with rounded pads",
       [](const Tensors& x) {
         return conv2d(x[0], x[1],
                       {.stride_h = 2,
                        .stride_w = 3,
                        .padding = Padding::kExplicit,
                        .pad_top = 1,
                        .pad_right = 2,
                        .rounding = Rounding::kCeil});
       },
       {image, some({2, 2, 2, 2})}},
      {"conv2d of groups",
       [](const Tensors& x) { return conv2d(x[0], x[1]); },
       {some({1, 3, 3, 4}), some({2, 2, 2, 4})}},
      {"conv2d and relu",
       [](const Tensors& x) { return conv2d(x[0], x[1], {.activation = Activation::kTanh}); },
       {image, some({2, 2, 2, 2})}},
      {"depthwise",
       [](const Tensors& x) {
         return depthwise_conv2d(x[0], x[1], x[2], {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
       },
       {image, some({3, 3, 2, 2}), some({4})}},
      {"depthwise of one",
       [](const Tensors& x) { return depthwise_conv2d(x[0], x[1], {.dilation_h = 2}); },
       {image, some({2, 3, 2, 1})}},
      {"conv2d transposed",
       [](const Tensors& x) {
         return conv2d_transpose(
             x[0], x[1],
             {.output_shape = {1, 5, 4, 2}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
       },
       {some({1, 3, 2, 3}), some({3, 3, 2, 3})}},
      {"max pool",
       [](const Tensors& x) {
         return max_pool(x[0], {.window_h = 2, .window_w = 3, .padding = Padding::kSame});
       },
       {image}},
      {"average pool",
       [](const Tensors& x) {
         return avg_pool(x[0], {.window_h = 2, .window_w = 3, .stride_w = 2, .padding = Padding::kSame});
       },
       {image}},
      {"softmax", [](const Tensors& x) { return softmax(x[0]); }, {spread}},
      {"log softmax", [](const Tensors& x) { return log_softmax(x[0]); }, {spread}},
      {"batch norm",
       [](const Tensors& x) { return batch_norm(x[0], x[1], x[2], x[3], x[4]); },
       {some({2, 2, 3}), some({3}), some({3}, 1, 0.8F), some({3}, 2), some({3}, 0.5F)}},
      {"gatherND",
       [](const Tensors& x) { return gather_nd(x[0], Tensor::from({1, 0, 1, 2, 1, 0}, {3, 2})); },
       {some({2, 3, 2})}},
      {"gatherND of one", [](const Tensors& x) { return gather_nd(x[0], Tensor::from({1}, {1})); }, {some({2, 3})}},
      {"scatterND",
       [](const Tensors& x) { return scatter_nd(Tensor::from({3, 1, 3}, {3}), x[0], {{4, 2}}); },
       {some({3, 2})}},
      {"tensorScatterUpdate",
       [](const Tensors& x) { return tensor_scatter_update(x[0], Tensor::from({3, 1}, {2, 1}), x[1]); },
       {some({4, 2}), some({2, 2}, 1)}},
      {"sparseToDense",
       [](const Tensors& x) { return sparse_to_dense(Tensor::from({3, 1}, {2}), x[0], x[1], {{5}}); },
       {some({2}), some({})}},
      {"topk", [](const Tensors& x) { return topk(x[0], {.k = 2})[0]; }, {some({2, 5})}},
      {"cumsum", [](const Tensors& x) { return cumsum(x[0], {.axis = 1, .exclusive = true}); }, {some({2, 3, 2})}},
      {"spaceToBatchND",
       [](const Tensors& x) { return space_to_batch(x[0], {{2, 2}, {0, 1}, {0, 0}}); },
       {some({1, 4, 3, 2})}},
      {"batchToSpaceND",
       [](const Tensors& x) { return batch_to_space(x[0], {{2, 2}, {1, 0}, {0, 1}}); },
       {some({4, 2, 2, 1})}},
      {"depthToSpace", [](const Tensors& x) { return depth_to_space(x[0], {}); }, {some({1, 2, 2, 4})}},
      {"einsum of matrices",
       [](const Tensors& x) {
         return einsum(x[0], x[1], {.a = {'i', 'b', 'j'}, .b = {'b', 'j', 'k', 'l'}, .out = {'k', 'b', 'i'}});
       },
       {some({2, 2, 3}), some({2, 3, 2, 2})}},
      {"einsum of one",
       [](const Tensors& x) { return einsum(x[0], {.a = {'i', 'j', 'k'}, .out = {'k', 'i'}}); },
       {some({2, 3, 2})}},
      {"bandPart",
       [](const Tensors& x) { return band_part(x[0], Tensor::scalar(1), Tensor::scalar(0)); },
       {some({2, 3, 3})}},
      {"gramSchmidt", [](const Tensors& x) { return gram_schmidt(x[0]); }, {some({2, 3}, 0, 4)}},
      {"Q", [](const Tensors& x) { return qr(x[0], {})[0]; }, {some({3, 2}, 0, 4)}},
      {"R", [](const Tensors& x) { return qr(x[0], {})[1]; }, {some({2, 2, 2}, 0, 4)}},
      {"conv3d",
       [](const Tensors& x) { return conv3d(x[0], x[1], {.stride_d = 2, .stride_w = 2, .padding = Padding::kSame}); },
       {some({1, 3, 2, 3, 2}), some({2, 2, 2, 2, 1})}},
      {"conv3d, dilated",
       [](const Tensors& x) { return conv3d(x[0], x[1], {.dilation_d = 2}); },
       {some({1, 4, 2, 2, 1}), some({2, 1, 2, 1, 2})}},
      {"conv3d transposed",
       [](const Tensors& x) {
         return conv3d_transpose(
             x[0], x[1],
             {.output_shape = {1, 3, 3, 2, 1}, .stride_d = 2, .stride_h = 2, .padding = Padding::kSame});
       },
       {some({1, 2, 2, 2, 2}), some({3, 2, 1, 1, 2})}},
      {"max pool of volumes",
       [](const Tensors& x) {
         return max_pool3d(x[0], {.window_d = 2, .window_h = 2, .stride_d = 2, .padding = Padding::kSame});
       },
       {some({1, 3, 3, 2, 1})}},
      {"average pool of volumes",
       [](const Tensors& x) {
         return avg_pool3d(x[0], {.window_d = 2, .window_w = 2, .padding = Padding::kExplicit, .pad = 1});
       },
       {some({1, 2, 3, 2, 1})}},
      {"max pool with places",
       [](const Tensors& x) { return max_pool_with_argmax(x[0], {.window_h = 2, .window_w = 2})[0]; },
       {image}},
      {"dilation",
       [](const Tensors& x) { return dilation2d(x[0], x[1], {.stride_h = 2, .padding = Padding::kSame}); },
       {some({1, 4, 5, 2}, 0, 40), some({2, 3, 2}, 0, 13)}},
      {"local response norm",
       [](const Tensors& x) { return local_response_norm(x[0], {.radius = 1, .bias = 1, .alpha = 0.7F, .beta = 0.6F}); },
       {some({1, 2, 1, 4})}},
      {"grayscale", [](const Tensors& x) { return rgb_to_grayscale(x[0]); }, {some({2, 2, 3})}},
      {"colours of gray", [](const Tensors& x) { return grayscale_to_rgb(x[0]); }, {some({2, 2, 1})}},
      {"mirrored", [](const Tensors& x) { return flip_left_right(x[0]); }, {image}},
      {"frames",
       [](const Tensors& x) { return frame(x[0], {.length = 3, .step = 2, .pad_end = true, .pad_value = 4}); },
       {some({6})}},
      {"dropout", [](const Tensors& x) { return dropout(x[0], {.rate = 0.4F, .noise_shape = {3}, .seed = 7}); }, {some({2, 3})}},
      {"moving average",
       [](const Tensors& x) { return moving_average(x[0], x[1], x[2], x[3], {}); },
       {some({2, 3}), some({2, 3}, 1), Tensor::scalar(0.6F), Tensor::scalar(2.0F)}},
      {"LSTM cell",
       [](const Tensors& x) { return concat(TensorList(basic_lstm_cell(x[0], x[1], x[2], x[3], x[4], x[5])), {1}); },
       {some({}), some({5, 8}), some({8}), some({2, 3}), some({2, 2}), some({2, 2}, 0.4F)}},
      {"bare batch norm",
       [](const Tensors& x) { return batch_norm(x[0], x[1], x[2]); },
       {some({2, 3}), some({2, 3}, 1), some({2, 3}, 1, 0.8F)}},
  };
  for (const bool aligned : {false, true}) {
    cases.push_back({"bilinear",
                     [=](const Tensors& x) { return resize_bilinear(x[0], {7, 3, aligned, !aligned}); },
                     {image}});
    cases.push_back(
        {"nearest",
         [=](const Tensors& x) { return resize_nearest_neighbor(x[0], {2, 9, aligned, !aligned}); },
         {image}});
  }
  for (const bool backwards : {false, true}) {
    cases.push_back({"cumprod with zeros",
                     [=](const Tensors& x) {
                       return cumprod(x[0], {.axis = 0, .exclusive = backwards, .reverse = backwards});
                     },
                     {Tensor::from({0.5F, 0.0F, 1.4F, 0.0F, 0.7F, -0.3F, 1.2F, 0.9F}, {4, 2})}});
    cases.push_back({"cumprod",
                     [=](const Tensors& x) {
                       return cumprod(x[0], {.axis = 1, .exclusive = !backwards, .reverse = backwards});
                     },
                     {some({2, 4, 2})}});
  }
  for (const Case& c : cases) check_twice(c.name, c.f, c.xs);
}

TEST_CASE("Gradients nest to any order", "[gradient]") {
  const Function fifth = [](const Tensors& x) { return pow(x[0], Tensor::scalar(5.0F)); };
  Function f = fifth;
  for (const double expected : {80.0, 160.0, 240.0, 240.0, 120.0}) {
    f = [f](const Tensors& x) { return value_and_gradients(f, x).gradients[0]; };
    CHECK(f({Tensor::scalar(2.0F)}).data<float>()[0] == Catch::Approx(expected));
  }
}

TEST_CASE("What does not lead from x to y has a gradient of zeros", "[gradient]") {
  const Tensor x = some({3});
  const auto of = [&](const Function& f) { return value_and_gradients(f, {x}).gradients[0]; };
  for (const Tensor& zeros :
       {of([](const Tensors& in) { return sign(in[0]); }), of([&](const Tensors&) { return Tensor(x); })}) {
    for (const float value : zeros.values<float>()) CHECK(value == 0);
  }
}

TEST_CASE("Conventions where there is no slope are TensorFlow.js's", "[gradient]") {
  const auto at = [](Op op, float x) {
    return value_and_gradients([op](const Tensors& in) { return run(op, {&in[0]}); }, {Tensor::scalar(x)})
        .gradients[0]
        .data<float>()[0];
  };
  CHECK(at(Op::relu, 0) == 0);
  CHECK(at(Op::abs, 0) == -1);
  CHECK(at(Op::selu, 0) == Catch::Approx(1.7580993F));
  CHECK(std::isnan(at(Op::relu, NAN)));
  const Tensor ties = Tensor::from({2.0F, 2.0F, 1.0F}, {3});
  const auto both =
      value_and_gradients([](const Tensors& in) { return maximum(in[0], in[1]); }, {ties, ties}).gradients;
  CHECK(both[0].data<float>()[0] == 1);
  CHECK(both[1].data<float>()[0] == 0);
  const auto all = value_and_gradients([](const Tensors& in) { return max(in[0]); }, {ties}).gradients;
  CHECK(std::vector<float>(all[0].values<float>().begin(), all[0].values<float>().end()) ==
        std::vector<float>{1, 1, 0});
}

TEST_CASE("An op without a gradient says so, and nothing is left of the walk", "[gradient]") {
  const Tensor x = some({3});
  const std::size_t before = allocator_stats().blocks;
  CHECK_THROWS_WITH(value_and_gradients([](const Tensors& in) { return less(in[0], in[0]); }, {x}),
                    "Cannot compute gradient: gradient function not found for Less.");
  CHECK_THROWS_AS(value_and_gradients([](const Tensors& in) { return add(exp(in[0]), some({2})); }, {x}),
                  Error);
  CHECK(allocator_stats().blocks == before);
}

}  // namespace
}  // namespace tenure
