import { inputOf } from '../tensor/input.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../runtime/types.js';
import { cast } from './cast.js';
import { neg, softplus } from './unary.js';

/** The logarithm of sigmoid(), exact also where that is near 0. */
export function logSigmoid<T extends Tensor>(x: T | TensorLike): T {
  const input = inputOf(x, 'x', 'logSigmoid') as T;
  return composed(() => neg(softplus(neg(cast(input, 'float32')))));
}
