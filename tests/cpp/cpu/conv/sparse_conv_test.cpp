#include "cpu/conv/sparse_conv.h"
#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/sparse_weight.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/threads/parallel.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::random_values;

/// Returns random values of which about three in four are zeros.
Tensor random_sparse(const Shape& shape, std::uint32_t seed) {
  Tensor values = random_values(shape, seed);
  const Tensor chosen = random_values(shape, seed + 1);
  for (std::size_t i = 0; i < values.elements(); ++i) {
    if (chosen.data<float>()[i] < 0.5F) values.mutable_data<float>()[i] = 0;
  }
  return values;
}

}  // namespace

TEST_CASE("A sparse weight has the values of the dense one in less memory", "[cpu][weights]") {
  for (const Shape& shape : {Shape{1, 1, 40, 24}, Shape{1, 1, 7, 3}, Shape{48, 1}, Shape{1, 64}}) {
    const Tensor dense = random_sparse(shape, 3);
    const std::size_t before = allocator_stats().live;
    const Tensor sparse = SparseWeight::compress(dense);
    if (!SparseWeight::of(sparse)) continue;
    CHECK(allocator_stats().live - before < dense.bytes() * 3 / 4 + 512);
    const ScopedMaterialization brief;
    CHECK(difference(sparse, dense) == 0);
  }
}

TEST_CASE("A weight with few zeros stays dense", "[cpu][weights]") {
  const Tensor dense = random_values({32, 32});
  CHECK(SparseWeight::compress(dense).storage() == dense.storage());
  const Tensor empty = Tensor({Shape{0, 8}, DType::kFloat32});
  CHECK(SparseWeight::compress(empty).storage() == empty.storage());
}

TEST_CASE("A convolution with a sparse filter computes what one with a dense filter does",
          "[cpu][parallel]") {
  for (const int count : {1, 3}) {
    threads::workers::set_thread_count(count);
    for (const std::int32_t depth : {39, 96}) {
      for (const std::int32_t channels : {5, 24, 66}) {
        for (const std::int32_t width : {3, 10, 47}) {
          const Tensor x = random_values({2, 3, width, depth}, 1);
          const Tensor dense = random_sparse({1, 1, depth, channels}, 2);
          const Tensor sparse = SparseWeight::compress(dense);
          REQUIRE(SparseWeight::of(sparse));
          const Tensor bias = random_values({channels}, 5);
          const Tensor residual = random_values({2, 3, width, channels}, 6);
          const Tensor slopes = random_values({channels}, 7);
          const Tensor none;
          for (const Activation activation :
               {Activation::kLinear, Activation::kRelu6, Activation::kSigmoid}) {
            for (const bool has_others : {false, true}) {
              if (has_others && activation != Activation::kLinear) continue;
              const ConvAttrs attrs{.activation = activation};
              const auto kernel = cpu::prepare(Op::conv2d, {&x, &sparse, &bias}, AttrsView(attrs));
              REQUIRE(kernel);
              CHECK(kernel->storage() == SparseWeight::of(sparse)->storage().get());
              Tensor out({residual.shape(), DType::kFloat32});
              const Tensor* const r = has_others ? &residual : &none;
              const Tensor* const s = has_others ? &slopes : &none;
              kernel->run({Inputs({&x, &sparse, &bias, r, s}), AttrsView(attrs), out});
              Tensor expected = conv2d(x, dense, bias, attrs);
              if (has_others) expected = prelu(add(expected, residual), slopes);
              CHECK(difference(out, expected) < 1e-5);
            }
          }
        }
      }
    }
  }
  threads::workers::set_thread_count(1);
}

TEST_CASE("A sparse filter of other windows is convolved as a dense one", "[cpu][conv]") {
  const Tensor x = random_values({1, 8, 8, 40});
  const Tensor dense = random_sparse({1, 1, 40, 24}, 2);
  const Tensor sparse = SparseWeight::compress(dense);
  const ConvAttrs attrs{.stride_h = 2, .stride_w = 2};
  CHECK_FALSE(cpu::prepare_sparse_conv2d({&x, &sparse}, attrs));
  CHECK(difference(conv2d(x, sparse, {}, attrs), conv2d(x, dense, {}, attrs)) == 0);
}

}  // namespace tenure
