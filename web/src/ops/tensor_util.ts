// tf.tensor_util
import { cast } from './cast.js';
import { tensorsIn } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';
import { upcastType } from '../util/dtypes.js';

/** Both in the type that holds both. */
export function makeTypesMatch(a: Tensor, b: Tensor): [Tensor, Tensor] {
  if (a.dtype === b.dtype) return [a, b];
  const dtype = upcastType(a.dtype, b.dtype);
  return [cast(a, dtype), cast(b, dtype)];
}

export function assertTypesMatch(a: Tensor, b: Tensor): void {
  assert(a.dtype === b.dtype, () => `The dtypes of the first(${a.dtype}) and second(${b.dtype}) input must match`);
}

export function isTensorInList(tensor: Tensor, tensorList: Tensor[]): boolean {
  return tensorList.some(({ id }) => id === tensor.id);
}

/** Every tensor reachable from a container, each once. */
export const getTensorsInContainer = tensorsIn;
