#pragma once

#include "import/keras/training/trainer.h"

namespace tenure {

/// A range of rows, along the first axis.
struct RowRange {
  int first;
  int count;
};

/// Returns one batch of `samples`: `rows` of all tensors in `order`, an int32 tensor of row numbers, or in
/// their own order if it is empty. Empty tensors stay empty. No tape records it.
Batch select_batch(Batch samples, const RowRange& rows, const Tensor& order);

}  // namespace tenure
