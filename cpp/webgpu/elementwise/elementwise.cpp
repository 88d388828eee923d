#include "webgpu/elementwise/elementwise.h"

#include <algorithm>
#include <bit>
#include <cctype>

#include "shader_util/substitute.h"
#include "shape_util/broadcast.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/indexer.h"
#include "webgpu/shader/indexer.wgsl.h"
#include "webgpu/shader/operand.h"

namespace tenure::webgpu {
namespace {

#define ENUMERATION(...)
#define INT(...)
#define FLOAT(name, value) #name ":E,"
#define FLAG(...)
#define DIMS(...)
#define INT_LIST(...)
#define TEXT(...)
#define ENUM(...)
#define ATTRS(Name, FIELDS) [[maybe_unused]] constexpr std::string_view k##Name##Fields = "" FIELDS;
#include "lists/attrs.def"

constexpr Expression kExpressions[kPrimitiveCount] = {
#define UNARY(name, js, rule, A, expression, ...) \
  {#expression ""_wgsl, k##A##Fields, static_cast<int>(k##A##Fields.empty() ? 0 : sizeof(A##Attrs) / 4)},
#define BINARY(name, js, a, b, rule, expression, ...) {#expression ""_wgsl, "", 0},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

bool is_int(const Tensor& x) { return x.dtype() != DType::kFloat32; }

/// Returns a dispatch that declares the type of the inputs.
Dispatch dispatch_for(Op op, const Tensor& x) {
  Dispatch dispatch(op_def(op).name);
  dispatch.declare(is_int(x) ? kIntAliases : kFloatAliases).output4();
  return dispatch;
}

void set_attributes(Dispatch& dispatch, AttrsView attrs, bool as_int) {
  const std::array<float, 4> values = attribute_values(attrs);
  if (!as_int) {
    dispatch.set("q0", values);
    return;
  }
  std::array<int, 4> ints{};
  std::transform(values.begin(), values.end(), ints.begin(), to_int32);
  dispatch.set("q0", ints);
}

void run_broadcast(Op op, const KernelArgs& args) {
  const BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  StridedIndexer indexer;
  for (int d = 0; d < plan.rank; ++d) {
    indexer.add(static_cast<int>(plan.extent[d]),
                {static_cast<int>(plan.stride_a[d]), static_cast<int>(plan.stride_b[d]), 0});
  }
  indexer.finish();
  Dispatch dispatch = dispatch_for(op, args.in[0]);
  dispatch.input("a", args.in[0]).input("b", args.in[1]);
  set_indexer(dispatch, indexer);
  dispatch.elements(args.out, {wgsl::kIndexer,
                               "fn run(i:i32){let at=positions(i);let x=V(a[at[0].x],a[at[1].x],a[at[2].x],"
                               "a[at[3].x]);let y=V(b[at[0].y],b[at[1].y],b[at[2].y],b[at[3].y]);out[i]=T4(",
                               to_wgsl(get_expression(op)), ");}"});
}

}  // namespace

const Expression& get_expression(Op op) { return kExpressions[static_cast<std::size_t>(op)]; }

std::string to_wgsl(const Expression& expression) {
  std::string result;
  bool is_name = false;
  for (const char c : expression.text) {
    const bool is_lower = std::islower(static_cast<unsigned char>(c)) != 0;
    const bool continues = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (c == '(' && is_name) result += '_';
    const bool begins =
        result.empty() || !(std::isalnum(static_cast<unsigned char>(result.back())) || result.back() == '_');
    is_name = continues && (begins ? is_lower : is_name);
    result += c;
  }
  return substitute(result, {{"kInfinity", "infinity_()"}});
}

AttributeSource::AttributeSource(const Expression& expression, std::size_t k) {
  if (expression.field_count == 0) return;
  declaration = text("struct P", k, "{", expression.fields, "}");
  statement = text("let p=P", k, "(");
  for (int i = 0; i < expression.field_count; ++i) {
    statement += text("params.q", k, "[", i, "],");
  }
  statement += ");";
}

std::array<float, 4> attribute_values(AttrsView attrs) {
  std::array<float, 4> values{};
  std::transform(attrs.words().begin(), attrs.words().end(), values.begin(),
                 [](std::int32_t word) { return std::bit_cast<float>(word); });
  return values;
}

void run_unary(Op op, const KernelArgs& args) {
  const Expression& e = get_expression(op);
  Dispatch dispatch = dispatch_for(op, args.in[0]);
  dispatch.input4("a", args.in[0]);
  if (e.field_count > 0) set_attributes(dispatch, args.attrs, is_int(args.in[0]));
  const AttributeSource attrs(e, 0);
  dispatch.elements(args.out, {attrs.declaration, "fn run(i:i32){let x=a[i];", attrs.statement, "out[i]=T4(",
                               to_wgsl(e), ");}"});
}

void run_binary(Op op, const KernelArgs& args) {
  const std::optional<Read> read_x = get_read(args.in[0], args.out);
  const std::optional<Read> read_y = get_read(args.in[1], args.out);
  if (!read_x || !read_y) return run_broadcast(op, args);
  Dispatch dispatch = dispatch_for(op, args.in[0]);
  add_operand(dispatch, 0, args.in[0], *read_x);
  add_operand(dispatch, 1, args.in[1], *read_y);
  dispatch.elements(
      args.out, {"fn run(i:i32){let x=in0(i);let y=in1(i);out[i]=T4(", to_wgsl(get_expression(op)), ");}"});
}

}  // namespace tenure::webgpu
