import { call, callAll } from './call.js';
import { Op, writeAxis, writeSplit } from '../generated/ops.js';
import { inputOf, inputsOf } from '../tensor/input.js';
import { composed } from '../owner/scope.js';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D } from '../tensor/tensor.js';
import type { TensorLike } from '../tensor/types.js';
import { assert } from '../util/checks.js';
import { parseAxisParam } from '../util/shape.js';
import { integer } from './integers.js';
import { clone } from './shape.js';
import { slice } from './slice.js';

/** Tensors one behind the other along `axis`. Throws unless their other extents agree. */
export function concat<T extends Tensor>(tensors: (T | TensorLike)[], axis = 0): T {
  assert(tensors.length >= 1, () => 'Pass at least one tensor to concat');
  const inputs = inputsOf(tensors, 'tensors', 'concat');
  if (inputs.length === 1) return clone(inputs[0] as T);
  return call(Op.concat, inputs, writeAxis, { axis: integer(axis, 'axis') }) as T;
}

/** concat() of vectors. */
export function concat1d(tensors: (Tensor1D | TensorLike)[]): Tensor1D {
  return concat(tensors, 0);
}
/** concat() of matrices. */
export function concat2d(tensors: (Tensor2D | TensorLike)[], axis: number): Tensor2D {
  return concat(tensors, axis);
}
/** concat() of rank 3. */
export function concat3d(tensors: (Tensor3D | TensorLike)[], axis: number): Tensor3D {
  return concat(tensors, axis);
}
/** concat() of rank 4. */
export function concat4d(tensors: (Tensor4D | TensorLike)[], axis: number): Tensor4D {
  return concat(tensors, axis);
}

/** Tensors of one shape side by side along a new axis. */
export function stack<T extends Tensor>(tensors: (T | TensorLike)[], axis = 0): Tensor {
  const inputs = inputsOf(tensors, 'tensors', 'stack');
  assert(inputs.length >= 1, () => 'Pass at least one tensor to tf.stack');
  return call(Op.stack, inputs, writeAxis, { axis: integer(axis, 'axis') });
}

/** The tensors that stack() would put together along `axis`. */
export function unstack(x: Tensor | TensorLike, axis = 0): Tensor[] {
  return callAll(Op.unstack, [x], writeAxis, { axis: integer(axis, 'axis') });
}

/** Words of attributes have room for so many sizes. */
const kMostSizes = 8;

/**
 * The tensor in parts along `axis`: a number of equal parts, or parts of the given sizes, of which one may be -1 for
 * what is left. Throws when they do not add up.
 */
export function split<T extends Tensor>(x: Tensor | TensorLike, numOrSizeSplits: number[] | number, axis = 0): T[] {
  const input = inputOf(x, 'x', 'split');
  const [along] = parseAxisParam(axis, input.shape) as [number];
  const sizes = sizesOf(numOrSizeSplits, input.shape[along]!);
  if (sizes.length <= kMostSizes) return callAll(Op.split, [input], writeSplit, { sizes, axis: along }) as T[];
  return composed(() => {
    let at = 0;
    return sizes.map((size) => {
      const place = (here: number, elsewhere: number) => input.shape.map((_, i) => (i === along ? here : elsewhere));
      const part = slice<T>(input, place(at, 0), place(size, -1));
      at += size;
      return part;
    });
  });
}

function sizesOf(numOrSizes: number[] | number, extent: number): number[] {
  if (typeof numOrSizes === 'number') {
    assert(extent % numOrSizes === 0, () => 'Number of splits must evenly divide the axis.');
    return new Array<number>(numOrSizes).fill(extent / numOrSizes);
  }
  const isOpen = (size: number) => size === -1;
  const total = numOrSizes.reduce((sum, size) => (size > 0 ? sum + size : sum), 0);
  assert(numOrSizes.filter(isOpen).length <= 1, () => 'There should be only one negative value in split array.');
  const sizes = numOrSizes.map((size) => (isOpen(size) ? extent - total : size));
  assert(
    sizes.reduce((sum, size) => sum + size, 0) === extent,
    () => 'The sum of sizes must match the size of the axis dimension.',
  );
  return sizes;
}
