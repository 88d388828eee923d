import { Op, writeBatchNorm } from '../generated/ops.js';
import { call, kMissing } from './call.js';
import { broadcastTo } from './tile.js';
import { reshape } from './view.js';
import { composed } from '../owner/scope.js';
import type { TensorLike } from '../runtime/types.js';
import { type Input, inputOf } from '../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

type Parameter = Tensor | Tensor1D | TensorLike;

/** (x - mean) / sqrt(variance + epsilon) * scale + offset, each parameter one value a channel or of the shape of x. */
export function batchNorm<T extends Tensor>(
  x: T | TensorLike,
  mean: Parameter,
  variance: Parameter,
  offset?: Parameter | null,
  scale?: Parameter | null,
  varianceEpsilon = 0.001,
): T {
  const given = (value: Parameter | null | undefined, argument: string) =>
    value === null || value === undefined ? undefined : inputOf(value, argument, 'batchNorm');
  const input = inputOf(x, 'x', 'batchNorm');
  const parameters = [
    inputOf(mean, 'mean', 'batchNorm'),
    inputOf(variance, 'variance', 'batchNorm'),
    given(offset, 'offset'),
    given(scale, 'scale'),
  ];
  for (const [i, name] of ['', 'variance', 'offset', 'scale'].entries()) {
    const other = parameters[i];
    assert(
      !other || parameters[0]!.rank === other.rank,
      () => `Batch normalization gradient requires mean and ${name} to have equal ranks.`,
    );
  }
  const run = (ready: (Input | undefined)[]) =>
    call(Op.batchNorm, [input, ...ready.map((one) => one ?? kMissing)], writeBatchNorm, { epsilon: varianceEpsilon });
  if (parameters[0]!.rank === 1 || parameters.every((one) => !one || hasShapeOf(one, input))) return run(parameters) as T;
  return composed(() => run(parameters.map((one) => one && fitted(one, input)))) as T;
}

/** batchNorm() of a matrix. */
export const batchNorm2d = batchNormOfRank<Tensor2D>(2);

/** batchNorm() of rank 3. */
export const batchNorm3d = batchNormOfRank<Tensor3D>(3);

/** batchNorm() of rank 4. */
export const batchNorm4d = batchNormOfRank<Tensor4D>(4);

function batchNormOfRank<T extends Tensor>(rank: number) {
  return (
    x: T | TensorLike,
    mean: Parameter,
    variance: Parameter,
    offset?: Parameter | null,
    scale?: Parameter | null,
    varianceEpsilon?: number,
  ): T => {
    const input = inputOf(x, 'x', 'batchNorm');
    assert(input.rank === rank, () => `Error in batchNorm${rank}D: x must be rank ${rank} but got rank ${input.rank}.`);
    return batchNorm(input as T, mean, variance, offset, scale, varianceEpsilon);
  };
}

function hasShapeOf(parameter: Input, x: Input): boolean {
  return parameter.rank === x.rank && parameter.shape.every((extent, i) => extent === x.shape[i]);
}

/** A parameter as the engine takes it: one value a channel, or of the shape of x. */
function fitted(parameter: Input, x: Input): Tensor {
  const isPerChannel = parameter.shape.slice(0, -1).every((extent) => extent === 1);
  if (isPerChannel) return reshape(parameter as Tensor, [-1]);
  return broadcastTo(parameter as Tensor, x.shape as number[]);
}
