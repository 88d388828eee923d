#include "core/backend.h"

#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/optimizer.h"
#include "cpu/prepacked.h"

namespace tenure {
namespace {

// Names carry a prefix: inside a struct named exp, exp(x) would be the struct's constructor. The functions of
// an expression are found by its lanes' namespace.
using simd::kInfinity;
#define UNARY(name, js, rule, A, expression, ...)                              \
  struct unary_##name {                                                        \
    template <class V>                                                         \
    TENURE_INLINE static auto apply(V x, [[maybe_unused]] const A##Attrs& p) { \
      return expression;                                                       \
    }                                                                          \
  };
#define BINARY(name, js, a, b, rule, expression, ...) \
  struct binary_##name {                              \
    template <class V>                                \
    static auto apply(V x, V y) {                     \
      return expression;                              \
    }                                                 \
  };
#include "ops/ops.def"

}  // namespace

namespace cpu {
template <>
constexpr int kVectorsOf<unary_exp> = 4;
template <>
constexpr int kVectorsOf<unary_log> = 3;
template <>
constexpr int kVectorsOf<unary_sigmoid> = 4;
template <>
constexpr int kVectorsOf<unary_tanh> = 2;
}  // namespace cpu

namespace {

constexpr Backend kCpu = {"cpu",
                          {
#define UNARY(name, js, rule, A, expression, ...) cpu::unary_kernel<unary_##name, Rule::rule, A##Attrs>,
#define BINARY(name, js, a, b, rule, expression, ...) cpu::binary_kernel<binary_##name, Rule::rule>,
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
