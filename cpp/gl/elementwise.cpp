#include "gl/elementwise.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/broadcast.h"
#include "gl/kernel.h"
#include "gl/operand.h"

namespace tenure::gl {
namespace {

#define CHOICES(...)
#define INT(...)
#define FLOAT(name, value) "E " #name ";"
#define FLAG(...)
#define DIMS(...)
#define ENUM(...)
#define ATTRS(Name, FIELDS) [[maybe_unused]] constexpr std::string_view k##Name##Fields = "" FIELDS;
#include "ops/attrs.def"

constexpr Expression kExpressions[kPrimitiveCount] = {
#define UNARY(name, js, rule, A, expression) \
  {#expression, k##A##Fields, static_cast<int>(k##A##Fields.empty() ? 0 : sizeof(A##Attrs) / 4)},
#define BINARY(name, js, rule, expression) {#expression, "", 0},
#include "ops/ops.def"
};

bool is_int(const Tensor& x) { return x.dtype() != DType::kFloat32; }

/// V is the type of the inputs, E of their elements.
Pass pass_for(Op op, const Tensor& x) {
  Pass pass(op_def(op).name);
  pass.variant("V", is_int(x) ? "ivec4" : "vec4").variant("E", is_int(x) ? "int" : "float");
  return pass;
}

int saturated(float value) {
  if (value >= 2147483648.0F) return std::numeric_limits<int>::max();
  return value >= -2147483648.0F ? static_cast<int>(value) : std::numeric_limits<int>::lowest();
}

void set_attributes(Pass& pass, AttrsView attrs, bool as_int) {
  const std::array<float, 4> values = attribute_values(attrs);
  if (!as_int) {
    pass.set("q0", values);
    return;
  }
  std::array<int, 4> ints{};
  std::transform(values.begin(), values.end(), ints.begin(), saturated);
  pass.set("q0", ints);
}

// WHOLE: the last dimension divides by 4, so that a texel lies in one row; LAST_X and LAST_Y are then the
// steps along it, 0 or 1.
constexpr std::string_view kBroadcastReads =
    "uniform int extent[RANK],step_x[RANK],step_y[RANK];\n"
    "ivec2 places(int e){ivec2 at=ivec2(0);"
    "for(int d=RANK-1;d>=0;--d){int q=e/extent[d];at+=(e-q*extent[d])*ivec2(step_x[d],step_y[d]);e=q;}"
    "return at;}\n"
    "T4 texel(int i){V x,y;\n"
    "#if WHOLE\nivec2 at=places(i*4);\n"
    "#if LAST_X\nx=a4(at.x>>2);\n#else\nx=V(a1(at.x));\n#endif\n"
    "#if LAST_Y\ny=b4(at.y>>2);\n#else\ny=V(b1(at.y));\n#endif\n"
    "#else\n"
    "for(int j=0;j<4;++j){ivec2 at=places(i*4+j);x[j]=a1(at.x);y[j]=b1(at.y);}\n"
    "#endif\n"
    "return T4(";

std::array<int, kMaxRank> as_ints(const std::size_t (&values)[kMaxRank]) {
  std::array<int, kMaxRank> ints{};
  std::transform(std::begin(values), std::end(values), ints.begin(),
                 [](std::size_t value) { return static_cast<int>(value); });
  return ints;
}

void run_broadcast(Op op, const KernelArgs& args) {
  BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  const auto rank = static_cast<std::size_t>(plan.rank);
  std::fill(plan.extent + rank, std::end(plan.extent), 0);
  std::fill(plan.step_a + rank, std::end(plan.step_a), 0);
  std::fill(plan.step_b + rank, std::end(plan.step_b), 0);
  const bool whole = plan.extent[rank - 1] % 4 == 0;
  const auto extent = as_ints(plan.extent);
  const auto step_x = as_ints(plan.step_a);
  const auto step_y = as_ints(plan.step_b);
  pass_for(op, args.in[0])
      .variant("RANK", plan.rank)
      .variant("WHOLE", whole)
      .variant("LAST_X", whole ? step_x[rank - 1] : 0)
      .variant("LAST_Y", whole ? step_y[rank - 1] : 0)
      .input("a", args.in[0])
      .input("b", args.in[1])
      .set("extent", std::span(extent).first(rank))
      .set("step_x", std::span(step_x).first(rank))
      .set("step_y", std::span(step_y).first(rank))
      .texels(args.out, {kBroadcastReads, expression_of(op).text, ");}\n"});
}

}  // namespace

const Expression& expression_of(Op op) { return kExpressions[static_cast<std::size_t>(op)]; }

AttributeSource::AttributeSource(const Expression& expression, std::size_t k) {
  if (expression.field_count == 0) return;
  declarations = text("uniform V q", k, ";struct P", k, "{", expression.fields, "};");
  constexpr const char* kMembers[] = {".x", ",q.y", ",q.z", ",q.w"};
  statement = text("V q=q", k, ";P", k, " p=P", k, "(q");
  for (int i = 0; i < expression.field_count; ++i) statement += kMembers[i];
  statement += ");";
}

std::array<float, 4> attribute_values(AttrsView attrs) {
  std::array<float, 4> values{};
  std::transform(attrs.words().begin(), attrs.words().end(), values.begin(),
                 [](std::int32_t word) { return std::bit_cast<float>(word); });
  return values;
}

void run_unary(Op op, const KernelArgs& args) {
  const Expression& e = expression_of(op);
  Pass pass = pass_for(op, args.in[0]);
  pass.input("a", args.in[0]);
  if (e.field_count > 0) set_attributes(pass, args.attrs, is_int(args.in[0]));
  const AttributeSource attrs(e, 0);
  pass.texels(args.out, {attrs.declarations, "T4 texel(int i){V x=a4(i);", attrs.statement, "return T4(",
                         e.text, ");}\n"});
}

void run_binary(Op op, const KernelArgs& args) {
  const std::optional<Read> read_x = read_of(args.in[0], args.out);
  const std::optional<Read> read_y = read_of(args.in[1], args.out);
  if (!read_x || !read_y) return run_broadcast(op, args);
  Pass pass = pass_for(op, args.in[0]);
  add_operand(pass, 0, args.in[0], *read_x);
  add_operand(pass, 1, args.in[1], *read_y);
  pass.texels(args.out, {operand_source(0), operand_source(1),
                         "T4 texel(int i){V x=in0(i),y=in1(i);return T4(", expression_of(op).text, ");}\n"});
}

}  // namespace tenure::gl
