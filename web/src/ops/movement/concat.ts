import { Op, writeAxis } from '../../generated/ops.js';
import { call } from '../call.js';
import { clone } from './reshape.js';
import type { TensorLike } from '../../runtime/types.js';
import { toInputs } from '../../tensor/input.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

/**
 * Concatenates tensors along `axis`. Throws unless their other extents are equal.
 * @example
 * tf.concat([[1, 2], [3]]); // [1, 2, 3]
 * tf.concat([[[1], [2]], [[3], [4]]], 1); // [[1, 3], [2, 4]]
 */
export function concat<T extends Tensor>(tensors: (T | TensorLike)[], axis = 0): T {
  assert(tensors.length >= 1, () => 'Pass at least one tensor to concat');
  const inputs = toInputs(tensors, 'tensors', 'concat', 'string_or_numeric');
  if (inputs.length === 1) return clone(inputs[0] as T);
  return call(Op.concat, inputs, writeAxis, { axis });
}

/**
 * Concatenates vectors.
 * @example
 * tf.concat1d([[1, 2], [3]]); // [1, 2, 3]
 */
export function concat1d(tensors: (Tensor1D | TensorLike)[]): Tensor1D {
  return concat(tensors, 0);
}

/**
 * Concatenates matrices along `axis`.
 * @example
 * tf.concat2d([[[1, 2]], [[3, 4]]], 0); // [[1, 2], [3, 4]]
 */
export function concat2d(tensors: (Tensor2D | TensorLike)[], axis: number): Tensor2D {
  return concat(tensors, axis);
}

/**
 * Concatenates tensors of rank 3 along `axis`.
 * @example
 * tf.concat3d([tf.ones([1, 2, 3]), tf.ones([1, 2, 1])], 2).shape; // [1, 2, 4]
 */
export function concat3d(tensors: (Tensor3D | TensorLike)[], axis: number): Tensor3D {
  return concat(tensors, axis);
}

/**
 * Concatenates tensors of rank 4 along `axis`.
 * @example
 * tf.concat4d([tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 2, 3])], 0).shape; // [3, 2, 2, 3]
 */
export function concat4d(tensors: (Tensor4D | TensorLike)[], axis: number): Tensor4D {
  return concat(tensors, axis);
}

/**
 * Stacks tensors of one shape along a new axis. Throws if their shapes differ.
 * @example
 * tf.stack([tf.tensor([1, 2]), tf.tensor([3, 4])]); // [[1, 2], [3, 4]]
 * tf.stack([tf.tensor([1, 2]), tf.tensor([3, 4])], 1); // [[1, 3], [2, 4]]
 */
export function stack<T extends Tensor>(tensors: (T | TensorLike)[], axis = 0): Tensor {
  const inputs = toInputs(tensors, 'tensors', 'stack', 'string_or_numeric');
  assert(inputs.length >= 1, () => 'Pass at least one tensor to tf.stack');
  return call(Op.stack, inputs, writeAxis, { axis });
}
