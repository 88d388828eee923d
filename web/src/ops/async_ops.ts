// Asynchronous ops, most with an output shape that depends on values. They read the values without blocking and compute in
// JavaScript.
import { gather } from './movement/gather.js';
import { reshape } from './movement/reshape.js';
import { runInInternalScope } from '../owner/scope.js';
import type { TensorLike, TypedArray } from '../runtime/types.js';
import { createTensor } from '../tensor/create.js';
import { asTensor, toInput, type Input } from '../tensor/input.js';
import { Tensor, type Tensor1D, type Tensor2D } from '../tensor/tensor.js';
import { assert, assertShapesMatch } from '../util/checks.js';
import { indexToLoc, sizeFromShape, computeStrides } from '../util/shape.js';

type TensorOrLike = Tensor | TensorLike;

/**
 * Returns the coordinates of the true elements of a bool tensor, [count, rank] as int32, in row-major order.
 * @example
 * await tf.whereAsync([false, true, true]); // [[1], [2]]
 */
export async function whereAsync(condition: TensorOrLike): Promise<Tensor2D> {
  const input = toInput(condition, 'condition', 'whereAsync', 'bool');
  const { shape } = input;
  const strides = computeStrides(shape);
  const found: number[] = [];
  const values = await readValues(input);
  for (let i = 0; i < values.length; i++) if (values[i]) found.push(...indexToLoc(i, shape.length, strides));
  const count = shape.length === 0 ? Number(values[0]) : found.length / shape.length;
  return createTensor<Tensor2D>(Int32Array.from(found), [count, shape.length], 'int32');
}

/**
 * Returns the slices of a tensor for which a mask is true.
 * @param tensor Tensor.
 * @param mask Mask, with the shape of the tensor's dimensions from `axis` on.
 * @param axis First dimension of the mask in the tensor.
 * @example
 * await tf.booleanMaskAsync([1, 2, 3], [true, false, true]); // [1, 3]
 */
export async function booleanMaskAsync(tensor: TensorOrLike, mask: TensorOrLike, axis = 0): Promise<Tensor> {
  const x = toInput(tensor, 'tensor', 'boolMask');
  const condition = toInput(mask, 'mask', 'boolMask', 'bool');
  const first = axis ?? 0;
  const last = first + condition.rank;
  assert(condition.rank > 0, () => 'mask cannot be scalar');
  assertShapesMatch(
    x.shape.slice(first, last),
    condition.shape,
    `mask's shape must match the first K dimensions of tensor's shape,`,
  );
  const values = await readValues(condition);
  const indices = Int32Array.from(values.keys()).filter((i) => values[i]);
  const size = sizeFromShape(condition.shape);
  return runInInternalScope(() => {
    const flat = reshape(asTensor(x), [...x.shape.slice(0, first), size, ...x.shape.slice(last)]);
    return gather(flat, createTensor(indices, [indices.length], 'int32'), first);
  });
}

/**
 * Returns the elements of x that are not in y, and their indices in x as int32.
 * @example
 * const [values, places] = await tf.setdiff1dAsync([1, 2, 3, 4], [2, 4]);
 * values; // [1, 3]
 * places; // [0, 2]
 */
export async function setdiff1dAsync(x: TensorOrLike, y: TensorOrLike): Promise<[Tensor1D, Tensor1D]> {
  const a = toInput(x, 'x', 'setdiff1d');
  const b = toInput(y, 'y', 'setdiff1d');
  assert(a.dtype === b.dtype, () => `x and y should have the same dtype, but got x (${a.dtype}) and y (${b.dtype}).`);
  assert(a.rank === 1, () => `x should be 1D tensor, but got x (${a.shape}).`);
  assert(b.rank === 1, () => `y should be 1D tensor, but got y (${b.shape}).`);
  const [values, others] = await Promise.all([readValues(a), readValues(b)]);
  const known = new Set<number>(others);
  const left = Int32Array.from(values.keys()).filter((i) => !known.has(values[i]!));
  const kept = values.slice(0, left.length);
  left.forEach((from, to) => (kept[to] = values[from]!));
  return runInInternalScope(() => [
    createTensor(kept, [kept.length], a.dtype),
    createTensor(left, [left.length], 'int32'),
  ]);
}

/**
 * Returns, for each row of predictions, true if its target is among the k largest. Of equal predictions, the first ones count.
 * @param predictions Predictions, [..., classes].
 * @param targets Index of the target class of each row.
 * @param k Number of predictions to consider.
 * @example
 * await tf.inTopKAsync([[1, 5, 3], [4, 2, 9]], [2, 1], 2); // [true, false]
 */
export async function inTopKAsync(predictions: TensorOrLike, targets: TensorOrLike, k = 1): Promise<Tensor> {
  const rows = toInput(predictions, 'predictions', 'inTopK');
  const wanted = toInput(targets, 'targets', 'inTopK');
  assert(rows.rank > 1, () => `inTopK() expects the predictions to be of rank 2 or higher, but got ${rows.rank}`);
  assert(
    rows.rank - 1 === wanted.rank,
    () =>
      'predictions rank should be 1 larger than targets rank, ' +
      `but got predictions rank ${rows.rank} and targets rank ${wanted.rank}`,
  );
  assertShapesMatch(
    rows.shape.slice(0, -1),
    wanted.shape,
    `predictions's shape should be align with the targets' shape, except the last dimension.`,
  );
  const size = rows.shape[rows.rank - 1]!;
  assert(
    k > 0 && k <= size,
    () => `'k' passed to inTopK() must be > 0 && <= the predictions last dimension (${size}), but got ${k}`,
  );
  const [values, places] = await Promise.all([readValues(rows), readValues(wanted)]);
  const isIn = Uint8Array.from(places, (place, row) => {
    const one = values.subarray(row * size, (row + 1) * size);
    const mine = one[place];
    if (mine === undefined) return 0;
    let before = 0;
    one.forEach((value, i) => (before += Number(value > mine || (value === mine && i < place))));
    return Number(before < k);
  });
  return createTensor(isIn, wanted.shape, 'bool');
}

async function readValues(input: Input): Promise<TypedArray> {
  if (input instanceof Tensor) return await input.data();
  return typeof input.values === 'number' ? Float32Array.of(input.values) : (input.values as TypedArray);
}
