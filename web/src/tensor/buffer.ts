import { createTensor } from './create.js';
import type { Tensor } from './tensor.js';
import type { DataType, DataTypeMap, Rank, ShapeMap, SingleValueMap, TypedArray } from '../runtime/types.js';
import { assert } from '../util/checks.js';
import { computeStrides, indexToLoc, locToIndex, sizeFromShape } from '../util/shape.js';
import { assertIsArray } from '../util/shape_arguments.js';
import { getArrayFromDType } from '../util/values.js';

/**
 * Values outside the engine, to be written one by one before they become a tensor.
 * @example
 * const buffer = tf.buffer([2, 2], 'int32');
 * buffer.set(7, 1, 0);
 * buffer.get(1, 0); // 7
 * buffer.toTensor(); // [[0, 0], [7, 0]]
 */
export class TensorBuffer<R extends Rank = Rank, D extends DataType = 'float32'> {
  /** The extents of its dimensions. */
  readonly shape: ShapeMap[R];
  /** Number of elements. */
  readonly size: number;
  /** Steps between neighbours of each dimension but the last, in elements. */
  readonly strides: number[];
  /** The elements one behind the other; what is written there is in the tensor. */
  values: DataTypeMap[D];

  /** Throws when `values` are not as many as the shape holds. */
  constructor(
    shape: ShapeMap[R],
    readonly dtype: D = 'float32' as D,
    values?: DataTypeMap[D],
  ) {
    assertIsArray(shape, 'shape');
    this.shape = [...shape] as ShapeMap[R];
    this.size = sizeFromShape(shape);
    if (values) {
      const count = (values as TypedArray).length;
      assert(
        count === this.size,
        () => `Length of values '${count}' does not match the size inferred by the shape '${this.size}'.`,
      );
    }
    if (dtype === 'complex64') {
      throw new Error(
        'complex64 dtype TensorBuffers are not supported. Please create a TensorBuffer for the real and imaginary ' +
          'parts separately and call tf.complex(real, imag).',
      );
    }
    this.values = values ?? getArrayFromDType(dtype, this.size);
    if (!values && dtype === 'string') (this.values as string[]).fill('');
    this.strides = computeStrides(shape);
  }

  /** Number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }

  /** Puts one value at a place; without coordinates, at the first. */
  set(value: SingleValueMap[D], ...locs: number[]): void {
    if (locs.length === 0) locs = [0];
    assert(
      locs.length === Math.max(this.rank, 1),
      () => `The number of provided coordinates (${locs.length}) must match the rank (${this.rank})`,
    );
    (this.values as TypedArray)[this.locToIndex(locs)] = value as number;
  }

  /** The value at a place; without coordinates, the first. Throws out of range. */
  get(...locs: number[]): SingleValueMap[D] {
    if (locs.length === 0) locs = [0];
    locs.forEach((loc, i) => {
      if (loc < 0 || loc >= this.shape[i]!) {
        throw new Error(`Requested out of range element at ${locs}.   Buffer shape=${this.shape}`);
      }
    });
    return (this.values as TypedArray)[this.locToIndex(locs)] as SingleValueMap[D];
  }

  /** Which of the values stands at a place. */
  locToIndex(locs: number[]): number {
    return locToIndex(locs, this.rank, this.strides);
  }
  /** The place of one of the values. */
  indexToLoc(index: number): number[] {
    return indexToLoc(index, this.rank, this.strides);
  }

  /** A tensor with a copy of the values. */
  toTensor(): Tensor<R> {
    return createTensor(this.values, this.shape, this.dtype) as Tensor<R>;
  }
}
