#include <optional>

#include "catch.h"
#include "core/memory/narrow_integers.h"
#include "core/run/kernel_observer.h"
#include "cpu/threads/parallel.h"
#include "model/models.h"
#include "model/plan/plan.h"
#include "model/trace.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::random_values;
using test::trace;

/// Counts the convolutions of integers whose results are bytes, and those that read bytes.
class ByteCounter final : public KernelObserver {
 public:
  ByteCounter() { set_observer(this); }
  ~ByteCounter() override { set_observer(nullptr); }
  void before() override {}
  void after(Op op, const KernelArgs& args, Output /*output*/) override {
    if (op != Op::conv2d_integer) return;
    written += args.out.dtype() == DType::kBool ? 1 : 0;
    read += args.in[0].dtype() == DType::kBool ? 1 : 0;
  }

  int written = 0;
  int read = 0;
};

/// Returns integers of int8 that are stored so.
Tensor narrow(const Shape& shape, int seed) {
  std::vector<std::byte> bytes(shape.elements());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 37 + i / 11 + static_cast<std::size_t>(seed));
  return NarrowIntegers::make(bytes, shape, 8, true);
}

Tensor whole_numbers(const Shape& shape, int low, int high) {
  std::vector<float> values(shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(low + static_cast<int>(i * 53 % static_cast<std::size_t>(high - low + 1)));
  return Tensor::from(std::span<const float>(values), shape);
}

/// A convolution of integers with constants of its own.
struct Layer {
  Shape filter;
  IntegerConvAttrs attrs;
  float low = 0;
  float high = 255;

  Tensor operator()(const Tensor& x) const {
    const std::int32_t columns = filter.back();
    IntegerConvAttrs clamped = attrs;
    clamped.low = low;
    clamped.high = high;
    const Tensor bias = cast(whole_numbers({columns}, -900, 900), {DType::kInt32});
    const Tensor scales = mul(add(random_values({columns}), Tensor::scalar(1.2F)), Tensor::scalar(0.01F));
    return conv2d_integer(x, narrow(filter, columns), bias, scales, clamped);
  }
};

/// Compares a plan's results with those of the ops, bit by bit, on one thread and on three.
template <class F>
void check_bytes(const Tensor& x, F f, int written, std::optional<int> read = {}) {
  const Tensors expected = f(Tensors{x});
  const Graph graph = trace({x}, f);
  for (const int threads : {1, 3}) {
    threads::workers::set_thread_count(threads);
    Plan plan(graph);
    for (int run = 0; run < 2; ++run) {
      const ByteCounter counter;
      const Tensors got = plan.run(std::array{x});
      REQUIRE(got.size() == expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        CHECK(got[i].dtype() == expected[i].dtype());
        CHECK(difference(got[i], expected[i]) == 0);
      }
      CHECK(counter.written == written);
      CHECK(counter.read == read.value_or(written));
    }
  }
  threads::workers::set_thread_count(1);
}

}  // namespace

TEST_CASE("Plans store values between convolutions of integers as bytes", "[model][plan][quantized]") {
  const Padding same = Padding::kSame;
  const Layer first{{3, 3, 3, 12}, {.stride_h = 2, .stride_w = 2, .padding = same}};
  const Layer depthwise{{3, 3, 1, 12}, {.padding = same}};
  const Layer strided{{3, 3, 1, 12}, {.stride_h = 2, .stride_w = 2, .padding = same}, -120, 100};
  const Layer pointwise{{1, 1, 12, 21}, {}, -128, 127};
  const Layer wide{{2, 5, 1, 21}, {.dilation_h = 2, .dilation_w = 2, .padding = same}, -3, 90};
  const Layer tall{{5, 2, 1, 21}, {.padding = same}};
  const Layer last{{3, 2, 21, 10}, {.padding = same}};
  for (const Shape& shape : {Shape{1, 21, 19, 3}, Shape{2, 40, 43, 3}}) {
    const Tensor x = whole_numbers(shape, -128, 127);
    // Layer `tall` has windows that are too high for products of bytes.
    check_bytes(
        x,
        [&](const Tensors& in) -> Tensors {
          return {last(tall(wide(pointwise(strided(depthwise(first(in[0])))))))};
        },
        6);
  }
}

TEST_CASE("Plans store no bytes that others read", "[model][plan][quantized]") {
  const Layer a{{3, 3, 4, 8}, {.padding = Padding::kSame}};
  const Layer b{{1, 1, 8, 8}, {}, -100, 100};
  const Layer too_wide{{1, 1, 8, 8}, {}, -100, 156};
  const Layer positive{{1, 1, 8, 8}, {}, 1, 100};
  const Layer fractional{{1, 1, 8, 8}, {}, -0.5F, 100};
  const Tensor x = whole_numbers({1, 7, 9, 4}, -128, 127);
  const auto check = [&](auto f, int written, int read) { check_bytes(x, f, written, read); };
  // A sum, an output, a view, and bounds that bytes do not hold.
  check([&](const Tensors& in) -> Tensors { return {b(b(add(a(in[0]), a(in[0]))))}; }, 1, 1);
  check(
      [&](const Tensors& in) -> Tensors {
        const Tensor y = a(in[0]);
        return {y, b(y)};
      },
      0, 0);
  check([&](const Tensors& in) -> Tensors { return {b(reshape(a(in[0]), {Shape{1, 9, 7, 8}}))}; }, 0, 0);
  check([&](const Tensors& in) -> Tensors { return {b(too_wide(a(in[0])))}; }, 1, 1);
  check([&](const Tensors& in) -> Tensors { return {b(positive(a(in[0])))}; }, 1, 1);
  check([&](const Tensors& in) -> Tensors { return {b(fractional(a(in[0])))}; }, 1, 1);
  // One value that two read, and a clamp instead of a convolution.
  check(
      [&](const Tensors& in) -> Tensors {
        const Tensor y = a(in[0]);
        return {add(b(y), too_wide(y))};
      },
      1, 2);
  check([&](const Tensors& in) -> Tensors { return {a(clip_by_value(in[0], {.min = -100, .max = 100}))}; }, 0,
        0);
}

TEST_CASE("Plans store bytes of inputs that bytes do not hold", "[model][plan][quantized]") {
  const Layer a{{3, 3, 8, 8}, {.padding = Padding::kSame}};
  const Layer depthwise{{3, 3, 1, 8}, {.padding = Padding::kSame}, -128, 127};
  const Layer b{{1, 1, 8, 5}, {}};
  const Tensor x = whole_numbers({1, 7, 9, 8}, -1000, 1000);
  check_bytes(x, [&](const Tensors& in) -> Tensors { return {b(a(in[0]))}; }, 1);
  check_bytes(x, [&](const Tensors& in) -> Tensors { return {b(depthwise(in[0]))}; }, 1);
}

}  // namespace tenure
