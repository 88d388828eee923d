#include "core/backend.h"

#include "cpu/elementwise.h"
#include "cpu/expressions.h"
#include "cpu/kernels.h"
#include "cpu/optimizer.h"
#include "cpu/prepacked.h"

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
                          nullptr,
                          nullptr,
                          nullptr,
                          cpu::update};

}  // namespace

const Backend& cpu_backend() { return kCpu; }

}  // namespace tenure
