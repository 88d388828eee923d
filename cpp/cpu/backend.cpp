#include "core/run/backend.h"

#include "cpu/elementwise/chain.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/elementwise/optimizer.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/kernels.h"
#include "cpu/simd/expressions.h"
#include "cpu/threads/warm_up.h"

namespace tenure {
namespace {

// This file is compiled a second time with relaxed SIMD, in another namespace: see cpp/CMakeLists.txt.
#if defined(__wasm_relaxed_simd__)
constexpr bool is_compiled(Op op) { return op_traits(op).multiplies_and_adds; }
#else
constexpr bool is_compiled(Op /*op*/) { return true; }
#endif

constexpr Backend kCpu = {.name = "cpu",
                          .kernels =
                              {
#define UNARY(name, js, rule, A, expression, ...) \
  cpu::unary_kernel<cpu::expressions::unary_##name, DTypeRule::rule, A##Attrs>,
#define BINARY(name, js, a, b, rule, expression, ...) \
  cpu::binary_kernel<cpu::expressions::binary_##name, DTypeRule::rule>,
#define STRUCTURAL(name, ...) is_compiled(Op::name) ? cpu::name : nullptr,
#define VIEW(...) nullptr,
#define OTHER_ROWS(...)
#include "lists/ops.def"
                              },
                          .prepare = cpu::prepare,
                          .warm_up = cpu::warm_up,
                          .fuse = cpu::fuse,
                          .fuse_into_producer = cpu::fuse_into_producer,
                          .update = cpu::update};

constexpr cpu::FloatRow kFloatRows[kPrimitiveCount] = {
#define UNARY(name, js, rule, A, expression, ...) \
  cpu::unary_float_row<cpu::expressions::unary_##name, DTypeRule::rule, A##Attrs>(),
#define BINARY(name, js, a, b, rule, expression, ...) \
  cpu::binary_float_row<cpu::expressions::binary_##name, DTypeRule::rule>(),
#define STRUCTURAL(...) {},
#define VIEW(...) {},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

}  // namespace

cpu::FloatRow cpu::float_row(Op op) { return kFloatRows[static_cast<std::size_t>(op)]; }

const Backend& cpu::kernels() { return kCpu; }

#if !defined(__wasm_relaxed_simd__)
namespace {
constinit Backend current = kCpu;
}  // namespace

const Backend& cpu_backend() { return current; }

void use_cpu_kernels(const Backend& other) {
  Backend next = other;
  for (std::size_t i = 0; i < kPrimitiveCount; ++i) {
    if (!next.kernels[i]) next.kernels[i] = current.kernels[i];
  }
  next.replaced = current.replaced + 1;
  current = next;
}
#endif

}  // namespace tenure
