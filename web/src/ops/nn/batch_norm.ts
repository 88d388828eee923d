import { Op, writeBatchNorm } from '../../generated/ops.js';
import { call, kOmitted } from '../call.js';
import { cast } from '../math/cast.js';
import { assertNotComplex } from '../dtypes.js';
import { broadcastTo } from '../movement/tile.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { TensorLike } from '../../runtime/types.js';
import { asTensor, type Input, toInput } from '../../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { arraysEqual, assert } from '../../util/checks.js';

type Parameter = Tensor | Tensor1D | TensorLike;

/**
 * Computes the batch normalization (x - mean) / sqrt(variance + varianceEpsilon) * scale + offset. Each parameter has a value
 * for each channel, or the shape of x.
 * @param x Tensor, channels last.
 * @param mean Mean.
 * @param variance Variance.
 * @param offset Offset: 0 by default.
 * @param scale Scale: 1 by default.
 * @param varianceEpsilon Constant that is added to the variance: 0.001 by default.
 * @example
 * tf.batchNorm([[1, 10], [3, 30]], [2, 20], [1, 100], [0, 0], [1, 1], 0); // [[-1, -1], [1, 1]]
 */
export function batchNorm<T extends Tensor>(
  x: T | TensorLike,
  mean: Parameter,
  variance: Parameter,
  offset?: Parameter | null,
  scale?: Parameter | null,
  varianceEpsilon?: number | null,
): T {
  const optional = (value: Parameter | null | undefined, argument: string) =>
    value === null || value === undefined ? undefined : toInput(value, argument, 'batchNorm');
  const input = toInput(x, 'x', 'batchNorm');
  assertNotComplex(input, 'batchNorm');
  const parameters = [
    toInput(mean, 'mean', 'batchNorm'),
    toInput(variance, 'variance', 'batchNorm'),
    optional(offset, 'offset'),
    optional(scale, 'scale'),
  ];
  for (const [i, name] of ['', 'variance', 'offset', 'scale'].entries()) {
    const other = parameters[i];
    assert(
      !other || parameters[0]!.rank === other.rank,
      () => `Batch normalization gradient requires mean and ${name} to have equal ranks.`,
    );
  }
  const given = parameters.filter((one) => one !== undefined);
  const target = parameterShape(given, input.shape);
  const isReady = (one: Input) => one.dtype === 'float32' && arraysEqual(one.shape, target);
  const run = (inputs: (Input | undefined)[]) =>
    call(
      Op.batchNorm,
      inputs.map((one) => one ?? kOmitted),
      writeBatchNorm,
      { epsilon: varianceEpsilon ?? 0.001 },
    );
  if (input.dtype === 'float32' && given.every(isReady)) return run([input, ...parameters]) as T;
  const fitted = (one: Input) => (isReady(one) ? one : broadcastTo(cast(asTensor(one), 'float32'), target as number[]));
  return runInInternalScope(() =>
    run([cast(asTensor(input), 'float32'), ...parameters.map((one) => one && fitted(one))]),
  ) as T;
}

/** Returns the shape of parameters for the engine: [..., channels] with leading ones if all are per channel, else that of x. */
function parameterShape(parameters: readonly Input[], shape: readonly number[]): readonly number[] {
  const isPerChannel = parameters.every((one) => one.shape.slice(0, -1).every((extent) => extent === 1));
  const rank = Math.max(parameters[0]!.rank, 1);
  return isPerChannel ? [...shape.slice(0, rank - 1).map(() => 1), shape.at(-1) ?? 1] : shape;
}

/**
 * Computes the batch normalization of a matrix; see batchNorm(). Throws for another rank.
 * @param x Tensor of rank 2, channels last.
 * @param mean Mean.
 * @param variance Variance.
 * @param offset Offset: 0 by default.
 * @param scale Scale: 1 by default.
 * @param varianceEpsilon Constant that is added to the variance: 0.001 by default.
 * @example
 * tf.batchNorm2d([[1, 10], [3, 30]], [2, 20], [1, 100], [0, 0], [1, 1], 0); // [[-1, -1], [1, 1]]
 */
export const batchNorm2d = batchNormOfRank<Tensor2D>(2);

/**
 * Computes the batch normalization of a tensor of rank 3; see batchNorm(). Throws for another rank.
 * @param x Tensor of rank 3, channels last.
 * @param mean Mean.
 * @param variance Variance.
 * @param offset Offset: 0 by default.
 * @param scale Scale: 1 by default.
 * @param varianceEpsilon Constant that is added to the variance: 0.001 by default.
 * @example
 * tf.batchNorm3d([[[1, 10], [3, 30]]], [2, 20], [1, 100], [0, 0], [1, 1], 0); // [[[-1, -1], [1, 1]]]
 */
export const batchNorm3d = batchNormOfRank<Tensor3D>(3);

/**
 * Computes the batch normalization of a tensor of rank 4; see batchNorm(). Throws for another rank.
 * @param x Tensor of rank 4, channels last.
 * @param mean Mean.
 * @param variance Variance.
 * @param offset Offset: 0 by default.
 * @param scale Scale: 1 by default.
 * @param varianceEpsilon Constant that is added to the variance: 0.001 by default.
 * @example
 * tf.batchNorm4d([[[[1, 10], [3, 30]]]], [2, 20], [1, 100], [0, 0], [1, 1], 0); // [[[[-1, -1], [1, 1]]]]
 */
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
    const input = toInput(x, 'x', 'batchNorm');
    assert(input.rank === rank, () => `Error in batchNorm${rank}D: x must be rank ${rank} but got rank ${input.rank}.`);
    for (const [name, one] of Object.entries({ mean, variance, scale, offset })) {
      if (one === null || one === undefined) continue;
      const given = toInput(one, name, 'batchNorm').rank;
      assert(
        given === rank || given === 1,
        () => `Error in batchNorm${rank}D: ${name} must be rank ${rank} or rank 1 but got rank ${given}.`,
      );
    }
    return batchNorm(asTensor<T>(input), mean, variance, offset, scale, varianceEpsilon);
  };
}
