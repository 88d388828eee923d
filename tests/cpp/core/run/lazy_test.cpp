#include "core/run/lazy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "core/run/fault_injection.h"
#include "core/run/kernel_observer.h"
#include "core/run/tape.h"
#include "ops/ops.h"
#include "owner/ownership.h"

namespace tenure {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

/// Lets results of so many elements wait, until the end of the block.
class Least {
 public:
  explicit Least(std::size_t elements) { set_min_lazy_elements(elements); }
  ~Least() { set_min_lazy_elements(kMinLazyElements); }
  Least(const Least&) = delete;
  Least& operator=(const Least&) = delete;
};

Tensor numbers(const Shape& shape, float first) {
  Tensor tensor(TensorSpec{shape, DType::kFloat32});
  for (std::size_t i = 0; i < tensor.elements(); ++i)
    tensor.mutable_data<float>()[i] = first + 0.25F * static_cast<float>(i % 37);
  return tensor;
}

bool has_bytes(const Tensor& tensor) { return !tensor.storage()->is_packed(); }

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!(a.spec() == b.spec())) return false;
  const auto same = [](float x, float y) {
    // Which operand's NaN a sum hands on depends on the order that the compiler chose.
    return (std::isnan(x) && std::isnan(y)) ||
           std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  };
  return std::equal(a.data<float>(), a.data<float>() + a.elements(), b.data<float>(), same);
}

TEST_CASE("Cheap ops on many floats wait, and one that reads them computes all", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({10, 10}, -4);
  const Tensor y = numbers({10}, 1);
  const Tensor product = mul(x, y);
  const Tensor sum = add(product, x);
  const Tensor clamped = relu(sum);
  CHECK_FALSE(has_bytes(product));
  CHECK_FALSE(has_bytes(clamped));
  CHECK(lazy::count() == 3);
  for (std::size_t i = 0; i < 100; ++i) {
    const float expected = std::max(x.data<float>()[i] * y.data<float>()[i % 10] + x.data<float>()[i], 0.0F);
    CHECK(clamped.data<float>()[i] == expected);
  }
  CHECK(has_bytes(clamped));
  CHECK_FALSE(has_bytes(sum));
  CHECK(lazy::count() == 2);
  CHECK(sum.data<float>()[99] == x.data<float>()[99] * y.data<float>()[9] + x.data<float>()[99]);
}

TEST_CASE("Few elements, other types, other layouts and costly ops do not wait", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({10, 10}, -4);
  CHECK(has_bytes(relu(numbers({99}, 0))));
  CHECK(has_bytes(exp(x)));
  CHECK(has_bytes(greater(x, x)));
  CHECK(has_bytes(add(x, numbers({10, 1}, 0))));
  CHECK(has_bytes(relu(cast(x, {DType::kInt32}))));
  CHECK(has_bytes(sigmoid(neg(x))));
  CHECK(lazy::count() == 0);
}

/// A program of elementwise ops on tensors that it made before, some of which it has let go of.
Tensors random_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t count) { return random() % count; };
  const Shape shapes[] = {{4, 30}, {30}, {}, {4, 1}, {1, 30}, {2, 4, 30}};
  Tensors values;
  for (const Shape& shape : shapes) values.push_back(numbers(shape, static_cast<float>(pick(20)) - 10));
  constexpr Op kUnary[] = {Op::neg, Op::abs,     Op::square, Op::relu, Op::relu6,
                           Op::exp, Op::sigmoid, Op::sqrt,   Op::floor};
  constexpr Op kBinary[] = {
      Op::add,   Op::sub, Op::mul, Op::div, Op::maximum, Op::minimum, Op::squared_difference,
      Op::prelu, Op::pow};
  for (int step = 0; step < 40; ++step) {
    const Tensor& x = values[pick(values.size())];
    const Tensor& y = values[pick(values.size())];
    switch (pick(6)) {
      case 0:
      case 1: values.push_back(run(kUnary[pick(std::size(kUnary))], {&x})); break;
      case 2: values.push_back(sum(x, {{}, false})); break;
      case 3: values[pick(values.size())] = clip_by_value(x, {-5, 5}); break;
      default: values.push_back(run(kBinary[pick(std::size(kBinary))], {&x, &y})); break;
    }
    if (pick(4) == 0) values.erase(values.begin() + static_cast<std::ptrdiff_t>(pick(values.size())));
  }
  return values;
}

TEST_CASE("What waited is the same to the last bit", "[lazy]") {
  const std::size_t before = allocator_stats().blocks;
  const auto seed = static_cast<unsigned>(GENERATE(Catch::Generators::range(0, 200)));
  CAPTURE(seed);
  set_min_lazy_elements(kNever);
  const Tensors expected = random_program(seed);
  const Least least(1);
  {
    const Tensors found = random_program(seed);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(same_bits(found[i], expected[i]));
  }
  CHECK(lazy::count() == 0);
  CHECK(allocator_stats().blocks >= before);
}

TEST_CASE("Chains have an end, and so many wait", "[lazy]") {
  const Least least(100);
  Tensor x = numbers({100}, 0);
  for (int i = 0; i < 1000; ++i) x = add(x, Tensor::scalar(1));
  CHECK(x.data<float>()[0] == 1000);
  const Tensor one = numbers({100}, 0);
  Tensors many;
  for (int i = 0; i < 100; ++i) many.push_back(mul(one, Tensor::scalar(static_cast<float>(i))));
  CHECK(lazy::count() <= 16);
  CHECK(has_bytes(many[0]));
  for (int i = 0; i < 100; ++i)
    CHECK(many[static_cast<std::size_t>(i)].data<float>()[4] == static_cast<float>(i));
}

TEST_CASE("A buffer is free once no handle is left of it, whatever waited for it", "[lazy]") {
  const Least least(100);
  constexpr std::int32_t kSize = 1 << 16;
  constexpr std::size_t kBytes = kSize * sizeof(float);
  Ownership& owner = ownership();
  const std::size_t before = allocator_stats().live;
  const auto floats = [&] { return (allocator_stats().live - before) / kBytes; };
  const Handle x = owner.add(numbers({kSize}, -2));
  Handle y = 0;

  SECTION("by its handle") {
    y = owner.add(relu(owner.get(x)));
    CHECK(floats() == 1);
    owner.dispose(x);
    CHECK(floats() == 1);
    CHECK(has_bytes(owner.get(y)));
  }
  SECTION("with its scope, which computes nothing in between") {
    const ScopeId scope = owner.open_scope();
    const Handle inside = owner.add(numbers({kSize}, 1));
    const Handle product = owner.add(mul(owner.get(x), owner.get(inside)));
    y = owner.add(neg(owner.get(product)));
    CHECK(floats() == 2);
    owner.move_to_parent(y, scope);
    owner.close_scope(scope);
    CHECK(floats() == 2);
    CHECK(has_bytes(owner.get(y)));
    owner.dispose(x);
  }
  SECTION("by another value of a variable") {
    y = owner.add(relu(owner.get(x)));
    owner.assign(x, Tensor::scalar(1));
    CHECK(floats() == 1);
    CHECK(has_bytes(owner.get(y)));
    owner.dispose(x);
  }
  CHECK(owner.get(y).elements() == kSize);
  owner.dispose(y);
  CHECK(lazy::count() == 0);
  CHECK(floats() == 0);
}

TEST_CASE("What is let go of before anybody reads it is never computed", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({1000}, 0);
  const std::size_t before = allocator_stats().live;
  {
    const Tensor y = relu(add(x, x));
  }
  CHECK(lazy::count() == 0);
  CHECK(allocator_stats().live == before);
}

#ifdef TENURE_DEBUG
TEST_CASE("Where memory ends, what waits can be read later", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({1000}, -3);
  const Tensor y = relu(neg(x));
  for (int after = 0; after < 3; ++after) {
    fault_injection::fail_allocation(after);
    try {
      y.data<float>();
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
      CHECK_FALSE(has_bytes(y));
    }
    fault_injection::fail_allocation(-1);
  }
  CHECK(y.data<float>()[0] == 3);
}

TEST_CASE("Where memory ends for what waits, the error names the op that was to make it", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({1000}, -3);
  const Tensor y = clip_by_value(neg(x), {.min = -1, .max = 1});
  const auto says = Catch::Matchers::StartsWith("[clipByValue] out of memory");
  int failed = 0;
  for (int after = 0; after < 3; ++after) {
    fault_injection::fail_allocation(after);
    try {
      y.data<float>();
    } catch (const Error& error) {
      CHECK_THAT(error.what(), says);
      ++failed;
    }
    fault_injection::fail_allocation(-1);
    if (has_bytes(y)) break;
  }
  CHECK(failed > 0);
  // By whichever op it is read: that op's own result is another matter.
  const Tensor z = clip_by_value(neg(x), {.min = -1, .max = 1});
  fault_injection::fail_allocation(0);
  CHECK_THROWS_WITH(sum(z, {.axes = {0}}), Catch::Matchers::ContainsSubstring("out of memory"));
  fault_injection::fail_allocation(-1);
}

TEST_CASE("Letting go of a tensor throws nothing where memory ends", "[lazy]") {
  const Least least(100);
  const Handle x = ownership().add(numbers({1 << 16}, -3));
  const Handle y = ownership().add(neg(ownership().get(x)));
  fault_injection::fail_allocation(0);
  CHECK_NOTHROW(ownership().dispose(x));
  fault_injection::fail_allocation(-1);
  CHECK(ownership().get(y).data<float>()[0] == 3);
  ownership().dispose(y);
}
#endif

class Counter final : public KernelObserver {
 public:
  void before() override {}
  void after(Op, const KernelArgs&, Output) override { ++ops; }
  int ops = 0;
};

TEST_CASE("Nothing waits while somebody looks at single ops", "[lazy]") {
  const Least least(100);
  const Tensor x = numbers({100}, 0);
  Counter counter;
  set_observer(&counter);
  const Tensor y = relu(neg(x));
  set_observer(nullptr);
  CHECK(counter.ops == 2);
  CHECK(has_bytes(y));
}

}  // namespace
}  // namespace tenure
