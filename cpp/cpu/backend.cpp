#include "core/backend.h"

#include "cpu/chain.h"
#include "cpu/elementwise.h"
#include "cpu/expressions.h"
#include "cpu/kernels.h"
#include "cpu/optimizer.h"
#include "cpu/prepacked.h"
#include "cpu/warm_up.h"

namespace tenure {
namespace {

constexpr Backend kCpu = {"cpu",
                          {
#define UNARY(name, js, rule, A, expression, ...) \
  cpu::unary_kernel<cpu::expressions::unary_##name, Rule::rule, A##Attrs>,
#define BINARY(name, js, a, b, rule, expression, ...) \
  cpu::binary_kernel<cpu::expressions::binary_##name, Rule::rule>,
#define STRUCTURAL(name, ...) cpu::name,
#define VIEW(...) nullptr,
#include "ops/ops.def"
                          },
                          nullptr,
                          cpu::prepare,
                          cpu::warm_up,
                          cpu::fuse,
                          cpu::follow,
                          nullptr,
                          nullptr,
                          cpu::update};

constexpr cpu::FloatRow kFloatRows[kPrimitiveCount] = {
#define UNARY(name, js, rule, A, expression, ...) \
  cpu::unary_float_row<cpu::expressions::unary_##name, Rule::rule, A##Attrs>(),
#define BINARY(name, js, a, b, rule, expression, ...) \
  cpu::binary_float_row<cpu::expressions::binary_##name, Rule::rule>(),
#define STRUCTURAL(...) {},
#define VIEW(...) {},
#include "ops/ops.def"
};

}  // namespace

cpu::FloatRow cpu::float_row(Op op) { return kFloatRows[static_cast<std::size_t>(op)]; }

const Backend& cpu_backend() { return kCpu; }

}  // namespace tenure
