#include "model/plan/plan.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "model/models.h"
#include "model/passes/passes.h"
#include "model/trace.h"
#include "ops/ops.h"

/// A plan must compute what the same ops compute eagerly.
namespace tenure {
namespace {

using test::difference;
using test::random_values;
using test::trace;

std::size_t count_nodes(const Graph& graph, Op op) {
  return static_cast<std::size_t>(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                                [op](const GraphNode& node) { return node.op == op; }));
}

/// Runs `f` eagerly, as a plan, and as an optimized plan, twice; returns the optimized graph.
template <class F>
Graph check_plan(const Tensors& inputs, F f, float tolerance = 1e-5F) {
  const Tensors expected = f(inputs);
  Graph graph = trace(inputs, f);
  for (const bool optimized : {false, true}) {
    if (optimized) passes::optimize(graph);
    Plan plan(graph);
    for (int run = 0; run < 2; ++run) {
      const Tensors got = plan.run(inputs);
      REQUIRE(got.size() == expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) CHECK(difference(got[i], expected[i]) <= tolerance);
    }
  }
  return graph;
}

}  // namespace

TEST_CASE("A traced function gives the same results as a plan", "[model][plan]") {
  const Tensor w = random_values({4, 3}, 2);
  const Graph graph = check_plan({random_values({5, 4})}, [&](const Tensors& in) -> Tensors {
    const Tensor a = mat_mul(in[0], w);
    const Tensor b = add(a, tanh(a));
    return {softmax(b)};
  });
  CHECK(graph.nodes.size() == 4);
}

TEST_CASE("Ops on constants run while tracing", "[model][plan]") {
  const Tensor w = random_values({3});
  const Graph graph =
      trace({random_values({3})}, [&](const Tensors& in) -> Tensors { return {add(in[0], exp(square(w)))}; });
  CHECK(graph.nodes.size() == 1);
}

TEST_CASE("Views and runs of bytes are aliases", "[model][plan]") {
  const Tensors inputs = {random_values({6, 4})};
  const auto f = [](const Tensors& in) -> Tensors {
    const Tensor a = relu(in[0]);
    const Tensor flat = reshape(a, {{4, 6}});
    const Tensor rows = slice(flat, {.begin = {1, 0}, .size = {2, 6}});
    const Tensor row = slice(rows, {.begin = {1, 0}, .size = {1, 6}});
    const Tensor part = slice(row, {.begin = {0, 2}, .size = {1, 3}});
    const Tensor column = slice(flat, {.begin = {0, 1}, .size = {4, 1}});
    return {neg(part), neg(column), sum(rows)};
  };
  const Graph graph = check_plan(inputs, f);
  // relu, the column, two negations and the sum: no steps for the reshape and the three contiguous slices.
  CHECK(Plan(graph).step_count() == 5);
}

TEST_CASE("Outputs may be inputs, constants, views and parts of one another", "[model][plan]") {
  const Tensor constant = random_values({2, 2}, 3);
  check_plan({random_values({2, 3})}, [&](const Tensors& in) -> Tensors {
    const Tensor a = relu(in[0]);
    const Tensor view = reshape(a, {{6}});
    const Tensor part = slice(view, {.begin = {2}, .size = {3}});
    return {in[0], reshape(in[0], {{3, 2}}), constant, a, view, a, part, neg(view)};
  });
}

TEST_CASE("Results outlive the next run and the plan", "[model][plan]") {
  const Tensors inputs = {random_values({8})};
  const auto f = [](const Tensors& in) -> Tensors {
    const Tensor a = relu(in[0]);
    return {slice(a, {.begin = {2}, .size = {4}}), reshape(a, {{2, 4}})};
  };
  const Tensors expected = f(inputs);
  Tensors first;
  {
    Plan plan(trace(inputs, f));
    first = plan.run(inputs);
    plan.run(Tensors{random_values({8}, 9)});
  }
  CHECK(difference(first[0], expected[0]) == 0);
  CHECK(difference(first[1], expected[1]) == 0);
}

TEST_CASE("Elementwise ops lie over what nobody reads any more", "[model][plan]") {
  const Shape shape = {30, 20};
  const std::size_t one = Shape(shape).elements() * sizeof(float);
  const auto arena = [](const Graph& graph) { return Plan(graph).bytes(); };
  CHECK(arena(check_plan({random_values(shape)}, [](const Tensors& in) -> Tensors {
          const Tensor a = softmax(in[0]);
          const Tensor b = softmax(a);
          return {sum(softmax(mul(a, b)))};
        })) < 2 * one + 200);
  // A value that is read again is not overwritten.
  CHECK(arena(check_plan({random_values(shape)}, [](const Tensors& in) -> Tensors {
          const Tensor a = softmax(in[0]);
          const Tensor b = softmax(neg(a));
          return {sum(mul(a, b)), sum(add(b, reshape(reverse(a, {{0}}), {{30, 20}})))};
        })) > 2 * one);
  // An input that is also read at other positions is not overwritten.
  check_plan({random_values({20, 20})}, [](const Tensors& in) -> Tensors {
    const Tensor a = softmax(in[0]);
    return {sum(add(a, slice(a, {.begin = {3, 0}, .size = {1, 20}}))), sum(sub(transpose(a), in[0]))};
  });
}

TEST_CASE("A residual is added where it lies", "[model][plan]") {
  for (const std::int32_t channels : {8, 24, 40, 600}) {
    for (const std::int32_t window : {1, 3}) {
      const Shape shape = {1, 9, 7, channels};
      const std::size_t one = Shape(shape).elements() * sizeof(float);
      const Tensor first = random_values({1, 1, channels, channels}, 2);
      const Tensor filter = mul(random_values({window, window, channels, channels}, 3), Tensor::scalar(0.1F));
      const Graph graph = check_plan(
          {random_values(shape)},
          [&](const Tensors& in) -> Tensors {
            const Tensor x = max_pool(in[0], {.window_h = 1, .window_w = 1});
            const Tensor y =
                conv2d(avg_pool(x, {.window_h = 1, .window_w = 1}), filter, {}, {.padding = Padding::kSame});
            const Tensor sum_up = relu(add(y, x));
            return {softmax(sum_up), sum(mul(sum_up, sum_up))};
          },
          1e-3F);
      if (channels * window * window <= 512) CHECK(Plan(graph).bytes() < 3 * one);
    }
  }
}

TEST_CASE("A run allocates its outputs and nothing else", "[model][plan]") {
  const Tensor w = random_values({4, 4}, 2);
  const Tensors inputs = {random_values({1, 4})};
  Plan plan(trace(inputs, [&](const Tensors& in) -> Tensors {
    const Tensor a = mat_mul(in[0], w);
    return {add(sigmoid(a), a)};
  }));
  const std::size_t blocks = allocator_stats().blocks;
  {
    const Tensors outputs = plan.run(inputs);
    CHECK(allocator_stats().blocks == blocks + 2);  // a Storage and its bytes
  }
  CHECK(allocator_stats().blocks == blocks);
}

TEST_CASE("Weights are packed once for all nodes that use them alike", "[model][plan]") {
  const Tensor w = random_values({64, 64}, 2);
  const Tensors inputs = {random_values({6, 64}), random_values({6, 64}, 3)};
  const auto f = [&](const Tensors& in) -> Tensors {
    Tensor x = in[0];
    for (int step = 0; step < 10; ++step) x = mul(mat_mul(x, w, in[1]), Tensor::scalar(0.1F));
    return {x, mat_mul(in[1], w, {.transpose_b = true})};
  };
  check_plan(inputs, f);
  const Plan plan(trace(inputs, f));
  CHECK(plan.bytes() < 3 * w.bytes());
}

TEST_CASE("A plan warms up its kernels where nobody waits for its first run", "[model][plan]") {
  static std::vector<Op> warmed_up;
  warmed_up.clear();
  Backend backend = cpu_backend();
  backend.warm_up = [](Op op, const Shape&, const Shape&, AttrsView) { warmed_up.push_back(op); };
  const Tensor w = random_values({4, 3}, 2);
  const Graph graph = trace({random_values({5, 4})},
                            [&](const Tensors& in) -> Tensors { return {softmax(mat_mul(in[0], w))}; });
  const Plan awaited(graph, backend);
  CHECK(warmed_up.empty());
  const Plan ahead(graph, backend, FirstRun::kLater);
  CHECK(warmed_up == std::vector<Op>{Op::mat_mul, Op::softmax});
}

TEST_CASE("Empty tensors pass through a plan", "[model][plan]") {
  check_plan({Tensor({{0, 4}, DType::kFloat32})}, [](const Tensors& in) -> Tensors {
    const Tensor a = relu(in[0]);
    return {neg(a), sum(a, {.axes = {0}})};
  });
}

TEST_CASE("Nodes that lead nowhere disappear", "[model][passes]") {
  const Graph graph =
      check_plan({random_values({3}), random_values({3}, 2)}, [](const Tensors& in) -> Tensors {
        exp(in[1]);
        return {neg(in[0])};
      });
  CHECK(graph.nodes.size() == 1);
  CHECK(graph.inputs.size() == 2);
}

TEST_CASE("Batch norm, bias and activation fold into what is before them", "[model][passes]") {
  const Tensor mean = random_values({8}, 4);
  const Tensor variance = square(random_values({8}, 5));
  const Tensor offset = random_values({8}, 6);
  const Tensor scale = random_values({8}, 7);
  const auto normalized = [&](const Tensor& x) { return batch_norm(x, mean, variance, offset, scale); };
  const auto tail = [&](const Tensor& x) -> Tensors {
    return {relu6(normalized(sub(mul(x, scale), offset)))};
  };
  const auto op = GENERATE(Op::conv2d, Op::depthwise_conv2d, Op::mat_mul);
  const bool with_bias = GENERATE(false, true);
  const Tensor bias = with_bias ? random_values({8}, 8) : Tensor();
  Graph graph;
  if (op == Op::conv2d) {
    const Tensor filter = random_values({3, 3, 4, 8}, 2);
    graph = check_plan(
        {random_values({1, 5, 5, 4})},
        [&](const Tensors& in) {
          return tail(conv2d(in[0], filter, bias, {.stride_h = 2, .padding = Padding::kSame}));
        },
        1e-4F);
  } else if (op == Op::depthwise_conv2d) {
    const Tensor filter = random_values({3, 3, 4, 2}, 2);
    graph = check_plan(
        {random_values({1, 5, 5, 4})},
        [&](const Tensors& in) { return tail(depthwise_conv2d(in[0], filter, bias)); }, 1e-4F);
  } else {
    const Tensor filter = random_values({8, 6}, 2);
    graph = check_plan(
        {random_values({3, 6})},
        [&](const Tensors& in) { return tail(mat_mul(in[0], filter, bias, {.transpose_b = true})); }, 1e-4F);
  }
  CHECK(graph.nodes.size() == 1);
}

TEST_CASE("Activations fuse, those of several ops too", "[model][passes]") {
  const Tensor w = random_values({6, 5}, 2);
  const Tensor bias = random_values({3, 5}, 3);  // one for each element, as a recurrent step has
  const auto activation = GENERATE(0, 1, 2, 3, 4, 5, 6);
  const Graph graph = check_plan({random_values({3, 6})}, [&](const Tensors& in) -> Tensors {
    const Tensor x = mat_mul(in[0], w, bias);
    switch (activation) {
      case 0: return {relu(x)};
      case 1: return {clip_by_value(x, {.min = 0, .max = 6})};
      case 2: return {elu(x, {.alpha = 1})};
      case 3: return {sigmoid(x)};
      case 4: return {leaky_relu(x, {.alpha = 0.3F})};
      case 5: return {mul(x, sigmoid(x))};
      default:
        return {clip_by_value(add(mul(x, Tensor::scalar(0.2F)), Tensor::scalar(0.5F)), {.min = 0, .max = 1})};
    }
  });
  INFO("activation " << activation);
  CHECK(graph.nodes.size() == 1);
}

TEST_CASE("What others read is not folded away", "[model][passes]") {
  const Tensor w = random_values({6, 5}, 2);
  const Graph graph = check_plan({random_values({3, 6})}, [&](const Tensors& in) -> Tensors {
    const Tensor x = mat_mul(in[0], w);
    return {relu(x), x, sigmoid(mul(x, x))};
  });
  CHECK(graph.nodes.size() == 4);
}

TEST_CASE("A vector that makes the result grow is no bias", "[model][passes]") {
  const Tensor w = random_values({6, 5}, 2);
  const Tensor grows = random_values({2, 3, 5}, 3);
  check_plan({random_values({3, 6})},
             [&](const Tensors& in) -> Tensors { return {add(mat_mul(in[0], w), grows)}; });
  const Tensor column = random_values({3, 1}, 3);
  check_plan({random_values({3, 6})},
             [&](const Tensors& in) -> Tensors { return {mul(mat_mul(in[0], w), column)}; });
}

TEST_CASE("A pad becomes the convolution's own", "[model][passes]") {
  const Tensor filter = random_values({3, 3, 2, 4}, 2);
  const Graph graph = check_plan({random_values({1, 6, 6, 2})}, [&](const Tensors& in) -> Tensors {
    const Tensor padded = pad(in[0], {.before = {0, 1, 2, 0}, .after = {0, 0, 1, 0}});
    return {conv2d(padded, filter, {.stride_h = 2, .stride_w = 2})};
  });
  CHECK(graph.nodes.size() == 1);
}

TEST_CASE("Transposes sink and cancel", "[model][passes]") {
  const Tensor filter = random_values({1, 1, 2, 2}, 2);
  const Graph graph = check_plan({random_values({1, 2, 4, 3})}, [&](const Tensors& in) -> Tensors {
    const PermutationAttrs there{.perm = {0, 2, 3, 1}};
    const PermutationAttrs back{.perm = {0, 3, 1, 2}};
    const auto conv = [&](const Tensor& x) {
      const Tensor image = transpose(x, there);
      const Tensor result = conv2d(image, filter);
      return transpose(result, back);
    };
    const Tensor a = exp(conv(in[0]));
    const Tensor b = conv(a);
    return {conv(add(exp(conv(b)), conv(in[0])))};
  });
  CHECK(count_nodes(graph, Op::transpose) <= 3);
  const Graph twice = check_plan({random_values({2, 3})}, [](const Tensors& in) -> Tensors {
    const Tensor turned = transpose(in[0], {.perm = {1, 0}});
    return {transpose(turned, {.perm = {1, 0}})};
  });
  CHECK(twice.nodes.empty());
}

TEST_CASE("Transposes sink through ops with constants, and where a value is read twice", "[model][passes]") {
  const PermutationAttrs there{.perm = {0, 2, 3, 1}};
  const PermutationAttrs back{.perm = {0, 3, 1, 2}};
  const Tensor filter = random_values({1, 1, 2, 2}, 2);
  const Tensor x = random_values({1, 2, 4, 3});
  // Between two convolutions of images [n,c,h,w].
  const auto between = [&](auto f) {
    return [&, f](const Tensors& in) -> Tensors {
      const Tensor y = transpose(conv2d(transpose(in[0], there), filter), back);
      return {transpose(conv2d(transpose(f(y, in), there), filter), back)};
    };
  };
  const Tensor one = Tensor::from({0.5F}, {1});
  const auto hard_swish = [&](const Tensor& y, const Tensors&) {
    const Tensor moved = add(mul(one, y), one);
    return mul(moved, relu6(add(moved, Tensor::scalar(3.0F))));
  };
  CHECK(count_nodes(check_plan({x}, between(hard_swish)), Op::transpose) == 2);
  for (const Shape& shape : {Shape{2, 1, 1}, Shape{1, 2, 4, 1}, Shape{3}, Shape{1, 2, 4, 3}}) {
    const Tensor constant = random_values(shape, 3);
    const auto plain = [&](const Tensor& y, const Tensors&) { return sub(constant, y); };
    CHECK(count_nodes(check_plan({x}, between(plain)), Op::transpose) == 2);
  }
  // Factors of channels that are computed, and an addend that is not transposed.
  const auto gate = [&](const Tensor& y, const Tensors&) {
    const Tensor image = transpose(y, there);
    return mul(y, transpose(mean(image, {.axes = {1, 2}, .keep_dims = true}), back));
  };
  CHECK(count_nodes(check_plan({x}, between(gate)), Op::transpose) == 2);
  const auto other = [&](const Tensor& y, const Tensors& in) { return add(relu(y), add(y, in[1])); };
  CHECK(count_nodes(check_plan({x, random_values({2, 4, 3}, 4)}, between(other)), Op::transpose) <= 4);
}

TEST_CASE("Transposes do not sink where that would add to their work", "[model][passes]") {
  const PermutationAttrs back{.perm = {0, 3, 1, 2}};
  const Graph several = check_plan({random_values({1, 4, 3, 2})}, [&](const Tensors& in) -> Tensors {
    const Tensor turned = transpose(in[0], back);
    return {exp(turned), neg(turned), sin(turned)};
  });
  CHECK(count_nodes(several, Op::transpose) == 1);
  const Tensor large = random_values({1, 1, 4, 3}, 2);
  const Graph grown = check_plan({random_values({1, 1, 1, 2})}, [&](const Tensors& in) -> Tensors {
    return {mul(transpose(in[0], back), large)};
  });
  for (const GraphNode& node : grown.nodes) {
    if (node.op == Op::transpose) CHECK(grown.spec(node.output).shape.elements() == 2);
  }
}

TEST_CASE("A transpose without a permutation is no identity", "[model][passes]") {
  const auto reversed = [](const Tensors& in) -> Tensors { return {transpose(in[0], {})}; };
  const Graph once = check_plan({random_values({2, 3, 4})}, reversed);
  CHECK(count_nodes(once, Op::transpose) == 1);
  const Graph composed = check_plan({random_values({2, 3, 4})}, [](const Tensors& in) -> Tensors {
    return {transpose(transpose(in[0], {}), {.perm = {1, 0, 2}})};
  });
  CHECK(count_nodes(composed, Op::transpose) == 1);
  const Graph twice = check_plan({random_values({2, 3, 4})}, [](const Tensors& in) -> Tensors {
    return {transpose(exp(transpose(in[0], {})), {})};
  });
  CHECK(count_nodes(twice, Op::transpose) == 0);
}

}  // namespace tenure
