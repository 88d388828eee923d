#include "import/keras/rnn/scan.h"

#include "core/error.h"
#include "core/run/tracer.h"
#include "model/graph/tracer.h"
#include "model/passes/passes.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

// A step of a loop costs about a microsecond more than one unrolled in the plan, but planning time grows with
// every unrolled step.
constexpr std::int32_t kMaxUnrolledSteps = 128;

Tensors slice_step(const Tensors& sequences, std::int32_t step, std::int32_t batch) {
  Tensors rows;
  for (const Tensor& sequence : sequences) {
    SliceAttrs attrs{.begin = {step * batch}, .size = sequence.shape()};
    while (attrs.begin.rank < sequence.rank()) attrs.begin.push_back(0);
    attrs.size[0] = batch;
    rows.push_back(slice(sequence, attrs));
  }
  return rows;
}

/// Returns rows [steps * batch, ...] as [batch, steps, ...].
Tensor to_batch_major(const Tensor& rows, const ScanOptions& how) {
  Shape shape = rows.shape();
  shape[0] = how.batch == 1 ? how.steps : how.batch;
  shape.insert(0, how.batch == 1 ? 1 : how.steps);
  Tensor by_step = reshape(rows, {shape});
  if (how.batch == 1) return by_step;
  PermutationAttrs swap{.perm = {1, 0}};
  for (int i = 2; i < shape.rank; ++i) swap.perm.push_back(i);
  return transpose(by_step, swap);
}

TensorSpec step_spec(const Tensor& sequence, std::int32_t batch) {
  TensorSpec spec = sequence.spec();
  spec.shape[0] = batch;
  return spec;
}

Tensors unroll(const ScanOptions& how, const Tensors& sequences, Tensors carried, const StepFunction& step,
               const RunContext& context) {
  Tensors outputs;
  for (std::int32_t i = 0; i < how.steps; ++i) {
    context.budget.consume(how.cells);
    const std::int32_t at = how.backwards ? how.steps - 1 - i : i;
    Tensors results = step(slice_step(sequences, at, how.batch), carried);
    if (how.all || i + 1 == how.steps) outputs.push_back(results[0]);
    carried.assign(results.begin() + 1, results.end());
  }
  Tensor joined = outputs[0];
  if (how.all) joined = to_batch_major(concat(outputs, {0}), how);
  carried.insert(carried.begin(), joined);
  return carried;
}

/// Runs the first step only, which is enough for shape inference: all steps have the same shapes.
Tensors run_one_step(const ScanOptions& how, const Tensors& sequences, const Tensors& carried,
                     const StepFunction& step) {
  Tensors results = step(slice_step(sequences, 0, how.batch), carried);
  if (how.all) {
    const Tensor column = expand_dims(results[0], {1});
    Dims times = {1, how.steps};
    while (times.rank < column.rank()) times.push_back(1);
    results[0] = tile(column, {times});
  }
  return results;
}

Graph record_body(const ScanOptions& how, const Tensors& sequences, const Tensors& carried,
                  const StepFunction& step) {
  GraphTracer tracer;
  const TraceGuard trace(&tracer);
  Tensors rows;
  Tensors before;
  for (const Tensor& sequence : sequences) rows.push_back(tracer.add_input(step_spec(sequence, how.batch)));
  for (const Tensor& tensor : carried) before.push_back(tracer.add_input(tensor.spec()));
  Graph body = std::move(tracer).finish(step(rows, before));
  passes::optimize(body);
  return body;
}

Tensors loop(const ScanOptions& how, const Tensors& sequences, const Tensors& carried,
             const StepFunction& step, const RunContext& context) {
  Graph body = record_body(how, sequences, carried, step);
  std::vector<Shape> shapes;
  shapes.reserve(body.outputs.size());
  for (const ValueId output : body.outputs) shapes.push_back(body.spec(output).shape);
  if (how.all) shapes[0][0] = how.steps * how.batch;
  Tensors inputs = sequences;
  inputs.insert(inputs.end(), carried.begin(), carried.end());
  const Tensor packed = context.tracer->add_loop(
      {std::move(body), how.steps, sequences.size(), how.backwards, how.all}, inputs);
  Tensors results;
  std::int32_t at = 0;
  for (const Shape& shape : shapes) {
    const auto count = static_cast<std::int32_t>(shape.elements());
    results.push_back(reshape(slice(packed, {.begin = {at}, .size = {count}}), {shape}));
    at += count;
  }
  if (how.all) results[0] = to_batch_major(results[0], how);
  return results;
}

}  // namespace

Tensors scan(const ScanOptions& how, const Tensors& sequences, Tensors carried, const StepFunction& step,
             const RunContext& context) {
  context.budget.consume(how.cells);
  if (!context.tracer && !sequences[0].has_data()) return run_one_step(how, sequences, carried, step);
  // A file with many recurrent layers must not fill the plan with unrolled steps.
  const bool few = how.steps <= std::min(kMaxUnrolledSteps, context.budget.left() / 64 / how.cells);
  if (few || !context.tracer) return unroll(how, sequences, std::move(carried), step, context);
  return loop(how, sequences, carried, step, context);
}

}  // namespace tenure::keras
