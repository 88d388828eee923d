#include "gl/kernels/elementwise.h"

#include <algorithm>
#include <bit>

#include "gl/shader/indexer.h"
#include "gl/shader/kernel.h"
#include "gl/shader/operand.h"
#include "shape_util/broadcast.h"

namespace tenure::gl {
namespace {

#define ENUMERATION(...)
#define INT(...)
#define FLOAT(name, value) "E " #name ";"
#define FLAG(...)
#define DIMS(...)
#define INT_LIST(...)
#define TEXT(...)
#define ENUM(...)
#define ATTRS(Name, FIELDS) [[maybe_unused]] constexpr std::string_view k##Name##Fields = "" FIELDS;
#include "lists/attrs.def"

constexpr Expression kExpressions[kPrimitiveCount] = {
#define UNARY(name, js, rule, A, expression, ...) \
  {#expression ""_glsl, k##A##Fields, static_cast<int>(k##A##Fields.empty() ? 0 : sizeof(A##Attrs) / 4)},
#define BINARY(name, js, a, b, rule, expression, ...) {#expression ""_glsl, "", 0},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

bool is_int(const Tensor& x) { return x.dtype() != DType::kFloat32; }

/// Returns a pass with V defined as the inputs' vector type and E as the type of their elements.
Pass pass_for(Op op, const Tensor& x) {
  Pass pass(op_def(op).name);
  pass.variant("V", is_int(x) ? "ivec4" : "vec4").variant("E", is_int(x) ? "int" : "float");
  return pass;
}

void set_attributes(Pass& pass, AttrsView attrs, bool as_int) {
  const std::array<float, 4> values = attribute_values(attrs);
  if (!as_int) {
    pass.set("q0", values);
    return;
  }
  std::array<int, 4> ints{};
  std::transform(values.begin(), values.end(), ints.begin(), to_int32);
  pass.set("q0", ints);
}

// UNBROADCAST: the operand that has the output's layout (unbroadcast_operand()); only the others are indexed.
// WHOLE: a texel is within one row, along which the others have stride 1 or 0.
constexpr std::string_view kBroadcastReads = R"(
  #if UNBROADCAST == 0
  #define PLACE_X place.x
  #define PLACE_Y place.y
  #else
  #define PLACE_X place
  #define PLACE_Y place
  #endif

  T4 texel(int i) {
    V x, y;
    seek(i * 4);
  #if UNBROADCAST == 1
    x = a_at_fragment();
  #elif WHOLE && STEP_X
    x = a4(PLACE_X >> 2);
  #elif WHOLE
    x = V(a1(PLACE_X));
  #endif
  #if UNBROADCAST == 2
    y = b_at_fragment();
  #elif WHOLE && STEP_Y
    y = b4(PLACE_Y >> 2);
  #elif WHOLE
    y = V(b1(PLACE_Y));
  #endif
  #if !WHOLE
  #if UNBROADCAST == 1
  #define ONE(k)     \
    y.k = b1(place); \
    next();
  #elif UNBROADCAST == 2
  #define ONE(k)     \
    x.k = a1(place); \
    next();
  #else
  #define ONE(k)       \
    x.k = a1(place.x); \
    y.k = b1(place.y); \
    next();
  #endif
    ONE(x)
    ONE(y)
    ONE(z)
    ONE(w)
  #endif
)"_glsl;

/// Returns the operand that has the output's layout, counted from 1, or 0 if both are broadcast. It is read
/// at the fragment's own position.
int unbroadcast_operand(const KernelArgs& args) {
  for (int k = 0; k < 2; ++k) {
    if (args.in[k].elements() == args.out.elements()) return k + 1;
  }
  return 0;
}

void run_broadcast(Op op, const KernelArgs& args) {
  const BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  const int unbroadcast = unbroadcast_operand(args);
  StridedIndexer indexer;
  for (int d = 0; d < plan.rank; ++d) {
    const auto stride_a = static_cast<int>(plan.stride_a[d]);
    const auto stride_b = static_cast<int>(plan.stride_b[d]);
    const StridedIndexer::Strides both = {stride_a, stride_b, 0};
    const StridedIndexer::Strides one = {unbroadcast == 1 ? stride_b : stride_a, 0, 0};
    indexer.add(static_cast<int>(plan.extent[d]), unbroadcast == 0 ? both : one);
  }
  indexer.finish();
  const StridedIndexer::Strides& strides = indexer.stride[indexer.rank - 1];
  const bool whole = indexer.extent[indexer.rank - 1] % 4 == 0;
  Pass pass = pass_for(op, args.in[0]);
  pass.variant("WHOLE", whole)
      .variant("UNBROADCAST", unbroadcast)
      .variant("STEP_X", whole ? strides[0] : 0)
      .variant("STEP_Y", whole ? strides[unbroadcast == 0 ? 1 : 0] : 0)
      .input("a", args.in[0])
      .input("b", args.in[1]);
  set_indexer(pass, indexer, unbroadcast == 0 ? 2 : 1);
  pass.texels(args.out,
              {kStridedIndexerSource, kBroadcastReads, "return T4(", get_expression(op).text, ");}\n"});
}

}  // namespace

const Expression& get_expression(Op op) { return kExpressions[static_cast<std::size_t>(op)]; }

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
  const Expression& e = get_expression(op);
  Pass pass = pass_for(op, args.in[0]);
  pass.input("a", args.in[0]);
  if (e.field_count > 0) set_attributes(pass, args.attrs, is_int(args.in[0]));
  const AttributeSource attrs(e, 0);
  pass.texels(args.out, {attrs.declarations, "T4 texel(int i) { V x = a_at_fragment();"_glsl, attrs.statement,
                         "return T4(", e.text, ");}\n"});
}

void run_binary(Op op, const KernelArgs& args) {
  const std::optional<Read> read_x = get_read(args.in[0], args.out);
  const std::optional<Read> read_y = get_read(args.in[1], args.out);
  if (!read_x || !read_y) return run_broadcast(op, args);
  Pass pass = pass_for(op, args.in[0]);
  add_operand(pass, 0, args.in[0], *read_x);
  add_operand(pass, 1, args.in[1], *read_y);
  pass.texels(args.out,
              {operand_source(0), operand_source(1), "T4 texel(int i) { V x = in0(i), y = in1(i);"_glsl,
               "return T4(", get_expression(op).text, ");}\n"});
}

}  // namespace tenure::gl
