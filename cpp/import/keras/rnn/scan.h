#pragma once

#include <functional>

#include "import/keras/layer.h"

namespace tenure::keras {

/// A step of a recurrence: its rows of each sequence and what the step before carried over, to an output and
/// what is carried on, all float32.
using StepFunction = std::function<Tensors(const Tensors& rows, const Tensors& carried)>;

struct Scan {
  std::int32_t batch;
  std::int32_t steps;
  std::int32_t cells;  ///< that a step runs
  bool backwards;
  bool all;  ///< whether the outputs of all steps are wanted, or only the last
};

/// Runs `step` over sequences of [steps * batch, ...] rows, which lie together for each step. Gives the last
/// output [batch, ...], or all [batch, steps, ...] in the order in which they were made, then what is carried
/// at the end. In a graph, few steps are recorded one by one, many as a loop.
Tensors scan(const Scan& how, const Tensors& sequences, Tensors carried, const StepFunction& step,
             const RunContext& context);

}  // namespace tenure::keras
