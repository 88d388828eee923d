#pragma once

#include <functional>

#include "import/keras/layer.h"

namespace tenure::keras {

/// One step of a recurrence. Takes its rows of each sequence and the carried tensors; returns the output,
/// then the new carried tensors. All are float32.
using StepFunction = std::function<Tensors(const Tensors& rows, const Tensors& carried)>;

/// Parameters of scan().
struct ScanOptions {
  std::int32_t batch;
  std::int32_t steps;
  std::int32_t cells;  ///< number of simple cells per step
  bool backwards;
  bool all;  ///< true to return the outputs of all steps, false to return only the last
};

/// Runs `step` over sequences of [steps * batch, ...] rows, in which the rows of a step are contiguous.
/// Returns the last output [batch, ...], or all outputs [batch, steps, ...] in the order in which they were
/// computed, then the final carried tensors. In a graph a few steps are unrolled and many become a loop.
Tensors scan(const ScanOptions& how, const Tensors& sequences, Tensors carried, const StepFunction& step,
             const RunContext& context);

}  // namespace tenure::keras
