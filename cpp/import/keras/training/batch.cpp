#include "import/keras/training/batch.h"

#include "core/run/tape.h"
#include "ops/ops.h"

namespace tenure {
namespace {

Tensor select_rows(const Tensor& x, const RowRange& rows) {
  if (rows.first == 0 && x.rank() > 0 && rows.count == x.dim(0)) return x;
  SliceAttrs part;
  for (int i = 0; i < x.rank(); ++i) {
    part.begin.push_back(i == 0 ? rows.first : 0);
    part.size.push_back(i == 0 ? rows.count : x.dim(i));
  }
  return slice(x, part);
}

}  // namespace

Batch select_batch(Batch samples, const RowRange& rows, const Tensor& order) {
  const TapePause no_tape;
  const Tensor part = order ? select_rows(order, rows) : order;
  for (Tensors* tensors : {&samples.inputs, &samples.targets, &samples.weights}) {
    for (Tensor& tensor : *tensors) {
      if (tensor) tensor = part ? gather(tensor, part) : select_rows(tensor, rows);
    }
  }
  return samples;
}

}  // namespace tenure
