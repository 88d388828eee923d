#include "core/run/dispatch.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/run/tracer.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Remembers which ops it saw.
class RecordingTracer final : public Tracer {
 public:
  void record(Op op, Inputs, AttrsView, const Tensor&) override { seen.push_back(op); }
  std::vector<Op> seen;
};

void fails(const KernelArgs&) { fail("the kernel cannot go on"); }

TEST_CASE("Every error names its op as JavaScript does", "[dispatch]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F}, {3});
  const Tensor missing;
  CHECK_THROWS_WITH(expand_dims(x, {5}), "[expandDims] Axis must be <= rank of the tensor");
  CHECK_THROWS_WITH(run(Op::gather, {&x}), "[gather] expected 2 tensors, got 1");
  CHECK_THROWS_WITH(run(Op::transpose, {&x, &x}), "[transpose] expected 1 tensors, got 2");
  CHECK_THROWS_WITH(concat(Tensors()), "[concat] expected 1 or more tensors, got 0");
  CHECK_THROWS_WITH(gather(x, missing), "[gather] argument 'indices' is missing");
  CHECK_THROWS_WITH(run(Op::slice, {&x}), "[slice] expected 18 words of attributes, got 0");
}

TEST_CASE("An error inside a composed op names the op that the user called or the one that failed",
          "[dispatch]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F}, {3});
  constexpr std::int32_t kSizes[] = {1, 1};
  CHECK_THROWS_WITH(split(x, {kSizes, 0}),
                    "[split] The sum of sizes must match the size of the axis dimension, 3, got 2");
}

TEST_CASE("run() gives the first output of a composed op, run_all() every one", "[dispatch]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F}, {3});
  constexpr std::int32_t kSizes[] = {1, 2};
  const SplitAttrs attrs = {kSizes, 0};
  CHECK(run(Op::split, {&x}, AttrsView(attrs)).shape() == Shape{1});
  CHECK(run_all(Op::split, {&x}, AttrsView(attrs)).size() == 2);
  CHECK(run_all(Op::neg, {&x}).size() == 1);
}

TEST_CASE("Bad arguments and failing kernels leave nothing behind", "[dispatch]") {
  Backend broken = cpu_backend();
  broken.kernels[static_cast<std::size_t>(Op::transpose)] = fails;
  const BackendGuard guard(broken);
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F}, {3});
  const AllocatorStats before = allocator_stats();
  CHECK_THROWS_WITH(transpose(x), "[transpose] the kernel cannot go on");
  CHECK_THROWS_AS(tile(x, {{-1}}), Error);
  CHECK(allocator_stats().blocks == before.blocks);
  CHECK(allocator_stats().live == before.live);
}

TEST_CASE("A backend without a kernel falls back on the CPU, and is counted", "[dispatch]") {
  Backend partial = cpu_backend();
  partial.kernels[static_cast<std::size_t>(Op::reverse)] = nullptr;
  const BackendGuard guard(partial);
  const Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  const std::size_t before = fallback_count();
  const Tensor y = reverse(x);
  CHECK(y.values<float>()[0] == 2);
  CHECK(fallback_count() == before + 1);
  transpose(x);
  CHECK(fallback_count() == before + 1);
}

TEST_CASE("Kernels never see an output without elements", "[dispatch]") {
  Backend broken = cpu_backend();
  broken.kernels[static_cast<std::size_t>(Op::transpose)] = fails;
  const BackendGuard guard(broken);
  const Tensor empty({{0, 3}, DType::kFloat32});
  CHECK(transpose(empty).shape() == Shape{3, 0});
}

TEST_CASE("A tracer sees ops on symbolic tensors, and no kernel runs", "[dispatch]") {
  RecordingTracer tracer;
  const TraceGuard guard(&tracer);
  const Tensor x = Tensor::symbolic({{2, 3}, DType::kFloat32}, 1);
  const Tensor y = transpose(x);
  CHECK(y.shape() == Shape{3, 2});
  CHECK(y.value() != 0);
  CHECK_FALSE(y.has_data());
  const Tensor z = reshape(y, {{-1}});
  CHECK(z.shape() == Shape{6});
  CHECK(tracer.seen == std::vector<Op>{Op::transpose, Op::reshape});
  const Tensor real = Tensor::from({1.0F}, {1});
  CHECK(neg(real).has_data());
  CHECK(tracer.seen.size() == 2);
  CHECK_THROWS_AS(tile(x, {{65536, 65536}}), Error);
}

TEST_CASE("Elementwise ops meet in one type", "[dispatch]") {
  const Tensor truth = Tensor::from({true, false}, {2});
  const Tensor whole = Tensor::from({2, 3}, {2});
  const Tensor real = Tensor::from({0.5F, 1.5F}, {2});
  CHECK(add(truth, truth).dtype() == DType::kInt32);
  CHECK(add(truth, whole).dtype() == DType::kInt32);
  CHECK(add(whole, real).dtype() == DType::kFloat32);
  CHECK(greater(whole, real).dtype() == DType::kBool);
  CHECK_THROWS_AS(logical_and(truth, whole), Error);
}

}  // namespace
}  // namespace tenure
