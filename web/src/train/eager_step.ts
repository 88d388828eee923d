// Eager training steps, op by op, for models with losses, metrics, layers, optimizers, regularizers or constraints written in
// JavaScript.
import type { TrainableModel, TrainableWeight } from './trainable_model.js';
import { singletonOrArray, toList } from '../util/array_utils.js';
import { add, mul } from '../ops/math/binary.js';
import { gather } from '../ops/movement/gather.js';
import { mean } from '../ops/math/reduce.js';
import { slice } from '../ops/movement/slice.js';
import { runInInternalScope, keep } from '../owner/scope.js';
import type { Scalar, Tensor } from '../tensor/tensor.js';
import type { CompiledLosses } from './compiled_losses.js';
import type { Optimizer } from './optimizer.js';
import type { Batch } from './samples.js';
import { joinScalars, type StepResults } from './step_results.js';

interface BatchTensors {
  inputs: Tensor[];
  targets: Tensor[];
  weights: (Tensor | undefined)[];
}

/** Runs one training step op by op. */
export function trainStepEager(
  model: TrainableModel,
  objective: CompiledLosses,
  optimizer: Optimizer,
  trainable: readonly TrainableWeight[],
  batch: Batch,
): StepResults {
  return runInInternalScope(() => {
    const rows = sliceBatch(batch);
    let results: Tensor[] = [];
    const f = (): Scalar => {
      const outputs = apply(model, rows.inputs, true);
      const { total, others } = computeLosses(objective, rows, outputs);
      // Kept past the end of the tape's scope, so that intermediates are freed before the values are read.
      results = others.map((one) => keep(one));
      return model.calculateLosses().reduce((sum, loss) => add(sum, loss), total) as Scalar;
    };
    try {
      const variables = trainable.map((weight) => weight.read());
      const cost = optimizer.minimize(f, true, variables)!;
      for (const weight of trainable) {
        if (weight.constraint) weight.write(weight.constraint.apply(weight.read()));
      }
      return joinScalars([cost, ...results]);
    } finally {
      for (const one of results) one.dispose();
    }
  });
}

/** Evaluates one batch op by op without training. */
export function evalStepEager(model: TrainableModel, objective: CompiledLosses, batch: Batch): StepResults {
  return runInInternalScope(() => {
    const rows = sliceBatch(batch);
    const { total, others } = computeLosses(objective, rows, apply(model, rows.inputs, false));
    return joinScalars([total, ...others]);
  });
}

function apply(model: TrainableModel, inputs: Tensor[], training: boolean): Tensor[] {
  return toList(model.apply(singletonOrArray(model.castInputs(inputs)), { training }));
}

function computeLosses(
  objective: CompiledLosses,
  { targets, weights }: BatchTensors,
  outputs: Tensor[],
): { total: Tensor; others: Tensor[] } {
  let total: Tensor | undefined;
  const ofOutputs: Tensor[] = [];
  objective.losses.forEach(({ fn, weight }, i) => {
    if (!fn) return;
    const loss = fn(targets[i]!, outputs[i]!);
    const weighted = weights[i] ? mul(loss, expandWeights(weights[i], loss)) : loss;
    const one = mean(weighted);
    ofOutputs.push(one);
    const part = weight === 1 ? one : mul(one, weight);
    total = total ? add(total, part) : part;
  });
  if (!total) throw new Error('the model is compiled without a loss');
  const metrics = objective.metrics.map(({ fn, output }) => mean(fn(targets[output]!, outputs[output]!)));
  return { total, others: [...(outputs.length > 1 ? ofOutputs : []), ...metrics] };
}

/** Reshapes weights from [batch] to [batch, 1, ...], so that they broadcast with losses of any rank. */
function expandWeights(weights: Tensor, loss: Tensor): Tensor {
  return weights.reshape([...weights.shape, ...loss.shape.slice(1).map(() => 1)]);
}

function sliceBatch({ inputs, targets, weights, order, first, count }: Batch): BatchTensors {
  const part = order && slice(order, [first], [count]);
  const rows = (x: Tensor): Tensor => {
    if (part) return gather(x, part);
    if (first === 0 && count === x.shape[0]) return x;
    return slice(x, [first, ...x.shape.slice(1).map(() => 0)], [count, ...x.shape.slice(1)]);
  };
  return {
    inputs: inputs.map(rows),
    targets: targets.map(rows),
    weights: targets.map((_, i) => weights?.[i] && rows(weights[i])),
  };
}
