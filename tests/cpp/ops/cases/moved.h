#pragma once

#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {

/// Function that returns the index in the first input that an output element comes from, or nothing.
using Source = std::function<std::optional<Dims>(const Dims& index)>;

/// Returns a reference whose elements are those of the first input at source(index), or `constant` where it
/// returns nothing.
inline Reference moved(const Shape& out, const Source& source, double constant = 0) {
  return [=](const Tensors& in) {
    std::vector<double> values(out.elements());
    moves::for_each_index(out, [&](const Dims& index, std::size_t position) {
      const std::optional<Dims> from = source(index);
      values[position] = from ? moves::number_at(in[0], moves::position_of(in[0].shape(), *from)) : constant;
    });
    return values;
  };
}

/// Adds a case for each dtype of moves::kDTypes.
template <class Attrs>
void add_moved(Table& table, Op op, const Shape& shape, const Attrs& attrs, const Shape& out,
               const Source& source) {
  for (const DType dtype : moves::kDTypes) {
    table.add(op, {of_type(dtype, shape)}, attrs, {.reference = moved(out, source), .shape = out});
  }
}

}  // namespace tenure::cases
