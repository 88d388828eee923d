#pragma once

#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {

/// Where an element of an output comes from: the index in the first input, or nowhere.
using Source = std::function<std::optional<Dims>(const Dims& index)>;

/// Each element of the output is that of the first input whose index source() gives, or `constant`.
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

/// Adds a case for each type of number.
template <class Attrs>
void add_moved(Table& table, Op op, const Shape& shape, const Attrs& attrs, const Shape& out,
               const Source& source) {
  for (const DType dtype : moves::kDTypes) {
    table.add(op, {of_type(dtype, shape)}, attrs, {.reference = moved(out, source), .shape = out});
  }
}

}  // namespace tenure::cases
