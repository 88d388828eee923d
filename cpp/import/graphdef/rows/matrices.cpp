#include "import/graphdef/families.h"
#include "import/graphdef/rows/fused.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

MatMulAttrs product_attrs(const Call& call) {
  return {.transpose_a = call.attrs().flag("transpose_a", call.attrs().flag("adj_x")),
          .transpose_b = call.attrs().flag("transpose_b", call.attrs().flag("adj_y"))};
}

Tensor product(const Call& call) { return mat_mul(call[0], call[1], product_attrs(call)); }

Tensor fused_product(const Call& call) {
  const FusedEpilogue fused = read_fused(call);
  // The kernel only accepts a bias vector, with one element for each column.
  const bool is_vector = !fused.bias || fused.bias.rank() == 1;
  const Tensor result = mat_mul(call[0], call[1], is_vector ? fused.bias : Tensor(), product_attrs(call));
  return activate(is_vector ? result : add(result, fused.bias), fused);
}

Tensor transposed(const Call& call) { return transpose(call[0], {call.dims(1)}); }

/// Returns the letters of a term of an einsum equation, such as "ij".
Dims parse_letters(std::string_view term) {
  Dims letters;
  for (const char c : term) {
    if (c != ' ') letters.push_back(static_cast<unsigned char>(c));
  }
  return letters;
}

Tensor summed(const Call& call) {
  const std::string_view equation = call.attrs().string("equation");
  const std::size_t arrow = equation.find("->");
  check(arrow != std::string_view::npos, "Equations without an arrow are not supported.");
  const std::string_view terms = equation.substr(0, arrow);
  const std::size_t comma = terms.find(',');
  const bool has_two = comma != std::string_view::npos;
  check(
      call.size() == (has_two ? 2 : 1) && (!has_two || terms.find(',', comma + 1) == std::string_view::npos),
      "Expected one or two tensors, as the equation \"", equation, "\" has terms, got ", call.size());
  return einsum(
      call[0], has_two ? call[1] : Tensor(),
      {parse_letters(terms.substr(0, comma)), has_two ? parse_letters(terms.substr(comma + 1)) : Dims(),
       parse_letters(equation.substr(arrow + 2))});
}

Tensor band(const Call& call) { return band_part(call[0], call[1], call[2]); }

constexpr Row kRows[] = {
    {"Einsum", summed},        {"MatrixBandPart", band}, {"_FusedMatMul", fused_product},
    {"MatMul", product},       {"BatchMatMul", product}, {"BatchMatMulV2", product},
    {"Transpose", transposed},
};

}  // namespace

std::span<const Row> matrices_rows() { return kRows; }

}  // namespace tenure::graphdef
