import { createTensor } from './create.js';
import type { Tensor } from './tensor.js';
import type { DataType, DataTypeMap, Rank, ShapeMap, SingleValueMap, TypedArray } from '../runtime/types.js';
import { assert } from '../util/checks.js';
import { computeStrides, indexToLoc, locToIndex, sizeFromShape } from '../util/shape.js';
import { assertIsArray } from '../util/shape_arguments.js';
import { getArrayFromDType } from '../util/values.js';

/**
 * A mutable buffer of values in JavaScript, to be filled element by element and then converted to a tensor.
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
  /** Row-major stride of each dimension but the last, in elements. */
  readonly strides: number[];
  /** The elements in row-major order. get() and toTensor() see what is written here. */
  values: DataTypeMap[D];

  /**
   * Throws if the number of `values` is not the size of `shape`, or if `dtype` is complex64.
   * @param shape Shape of the buffer.
   * @param dtype Type of the elements: float32 by default.
   * @param values Initial values in row-major order: zeros by default.
   */
  constructor(
    shape: ShapeMap[R],
    readonly dtype: D = 'float32' as D,
    values?: DataTypeMap[D],
  ) {
    assertIsArray(shape, 'shape');
    this.shape = [...shape];
    this.size = sizeFromShape(shape);
    if (values) {
      const count = values.length;
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

  /**
   * Sets the element at the coordinates `locs`. A buffer of rank 0 or 1 may omit them to set its first element. Throws
   * unless there is one coordinate per dimension.
   */
  set(value: SingleValueMap[D], ...locs: number[]): void {
    if (locs.length === 0) locs = [0];
    assert(
      locs.length === Math.max(this.rank, 1),
      () => `The number of provided coordinates (${locs.length}) must match the rank (${this.rank})`,
    );
    (this.values as TypedArray)[this.locToIndex(locs)] = value as number;
  }

  /**
   * Returns the element at the coordinates `locs`. A buffer of rank 0 or 1 may omit them to get its first element.
   * Throws if a coordinate is out of range.
   */
  get(...locs: number[]): SingleValueMap[D] {
    if (locs.length === 0) locs = [0];
    locs.forEach((loc, i) => {
      if (loc < 0 || loc >= this.shape[i]!) {
        throw new Error(`Requested out of range element at ${locs}.   Buffer shape=${this.shape}`);
      }
    });
    return (this.values as TypedArray)[this.locToIndex(locs)] as SingleValueMap[D];
  }

  /** Returns the index in `values` of the element at the coordinates `locs`. */
  locToIndex(locs: number[]): number {
    return locToIndex(locs, this.rank, this.strides);
  }
  /** Returns the coordinates of the element at `index` in `values`. */
  indexToLoc(index: number): number[] {
    return indexToLoc(index, this.rank, this.strides);
  }

  /** Creates a tensor from a copy of the values. */
  toTensor(): Tensor<R> {
    return createTensor(this.values, this.shape, this.dtype);
  }
}
