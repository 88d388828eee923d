#include "ops/autodiff/slice_gradients.h"

#include <numeric>

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "core/run/kernel_observer.h"
#include "ops/autodiff/backward.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Slices of a tensor [4, 6], each given by its begin and size.
using Slices = std::vector<SliceAttrs>;

Tensor counted(const Shape& shape) {
  Tensor x({shape, DType::kFloat32});
  std::iota(x.mutable_data<float>(), x.mutable_data<float>() + x.elements(), 1.0F);
  return x;
}

/// Returns the sum of the slices, each multiplied by different weights.
Tensor weighed_sum(const Tensor& x, const Slices& slices) {
  Tensor total = Tensor::scalar(0.0F);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Tensor part = slice(x, slices[i]);
    const Tensor weights = mul(counted(part.shape()), Tensor::scalar(static_cast<float>(i + 1)));
    total = add(total, sum(mul(part, weights)));
  }
  return total;
}

std::vector<float> expected_gradient(const Shape& shape, const Slices& slices) {
  std::vector<float> expected(shape.elements(), 0.0F);
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const SliceAttrs& attrs = slices[k];
    float value = 1;
    for (int i = 0; i < attrs.size[0]; ++i) {
      for (int j = 0; j < attrs.size[1]; ++j, ++value) {
        const int at = (attrs.begin[0] + i) * shape[1] + attrs.begin[1] + j;
        expected[static_cast<std::size_t>(at)] += static_cast<float>(k + 1) * value;
      }
    }
  }
  return expected;
}

struct Case {
  const char* name;
  Slices slices;
};

const Case kCases[] = {
    {"rows one after the other", {{{0, 0}, {1, 6}}, {{1, 0}, {2, 6}}, {{3, 0}, {1, 6}}}},
    {"columns in any order", {{{0, 4}, {4, 2}}, {{0, 0}, {4, 3}}, {{0, 3}, {4, 1}}}},
    {"rows with some left out", {{{3, 0}, {1, 6}}, {{1, 0}, {1, 6}}}},
    {"one in the middle", {{{0, 2}, {4, 3}}}},
    {"all of it, twice", {{{0, 0}, {4, 6}}, {{0, 0}, {4, 6}}}},
    {"rows that overlap", {{{0, 0}, {3, 6}}, {{1, 0}, {2, 6}}, {{2, 0}, {2, 6}}}},
    {"rows and columns", {{{0, 0}, {2, 6}}, {{0, 1}, {4, 2}}, {{2, 0}, {2, 6}}}},
    {"along both axes", {{{0, 0}, {2, 3}}, {{1, 2}, {3, 4}}}},
    {"nothing of it", {{{0, 0}, {0, 6}}, {{1, 0}, {2, 6}}}},
};

}  // namespace

TEST_CASE("The gradients of slices lie where the slices did", "[gradient]") {
  for (const Case& row : kCases) {
    DYNAMIC_SECTION(row.name) {
      const std::size_t before = allocator_stats().blocks;
      {
        const Tensor x = counted({4, 6});
        const auto f = [&](const Tensors& xs) { return weighed_sum(xs[0], row.slices); };
        const Tensor gradient = value_and_gradients(f, {x}).gradients[0];
        const auto got = gradient.values<float>();
        CHECK(std::vector<float>(got.begin(), got.end()) == expected_gradient(x.shape(), row.slices));
        // Added to a gradient of the whole tensor.
        const auto with_all = [&](const Tensors& xs) { return add(sum(square(xs[0])), f(xs)); };
        const Tensor both = value_and_gradients(with_all, {x}).gradients[0];
        const Tensor difference = sub(both, add(gradient, add(x, x)));
        CHECK(max(abs(difference)).data<float>()[0] == 0);
        // Second order: the gradient of sum(gradient^2), where the gradient is that of squares of slices.
        const auto squares = [&](const Tensors& xs) {
          Tensor total = Tensor::scalar(0.0F);
          for (const SliceAttrs& one : row.slices) total = add(total, sum(square(slice(xs[0], one))));
          return total;
        };
        const auto inner = [&](const Tensors& xs) {
          return sum(square(value_and_gradients(squares, xs).gradients[0]));
        };
        // The derivative of sum((2 n x)^2) is 8 n^2 x, where n is the number of slices that hold an element.
        std::vector<float> counts(x.elements(), 0.0F);
        for (const SliceAttrs& one : row.slices) {
          for (int i = one.begin[0]; i < one.begin[0] + one.size[0]; ++i) {
            for (int j = one.begin[1]; j < one.begin[1] + one.size[1]; ++j) {
              const int place = i * 6 + j;
              ++counts[static_cast<std::size_t>(place)];
            }
          }
        }
        const Tensor second = value_and_gradients(inner, {x}).gradients[0];
        for (std::size_t i = 0; i < x.elements(); ++i)
          CHECK(second.data<float>()[i] == 8 * counts[i] * counts[i] * x.data<float>()[i]);
      }
      CHECK(allocator_stats().blocks == before);
    }
  }
}

TEST_CASE("The gradients of a sequence's steps take one pass over it", "[gradient]") {
  struct Counter final : KernelObserver {
    int pads = 0;
    int concats = 0;
    void before() override {}
    void after(Op op, const KernelArgs&, Output) override {
      pads += op == Op::pad;
      concats += op == Op::concat;
    }
  } counter;
  const auto f = [](const Tensors& xs) {
    Tensor total = Tensor::scalar(0.0F);
    for (int i = 0; i < 8; ++i)
      total = add(total, sum(square(slice(xs[0], {.begin = {i, 0}, .size = {1, 3}}))));
    return total;
  };
  const Tensor x = counted({8, 3});
  set_observer(&counter);
  value_and_gradients(f, {x});
  set_observer(nullptr);
  CHECK(counter.pads == 0);
  CHECK(counter.concats == 1);
}

}  // namespace tenure
