#pragma once

#include "core/run/tracer.h"
#include "model/graph/tracer.h"

namespace tenure::test {

/// Returns the graph of f, a function from tensors to tensors, traced for inputs of these shapes and dtypes.
template <class F>
Graph trace(const Tensors& inputs, F f) {
  GraphTracer tracer;
  const TraceGuard guard(&tracer);
  Tensors symbolic;
  for (const Tensor& input : inputs) symbolic.push_back(tracer.add_input(input.spec()));
  const Tensors outputs = f(symbolic);
  return std::move(tracer).finish(outputs);
}

}  // namespace tenure::test
