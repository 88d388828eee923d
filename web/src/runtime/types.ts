import type { kDataTypes } from '../generated/boundary.js';

export { kDataTypes } from '../generated/boundary.js';

/** Element type of a tensor. */
export type DataType = (typeof kDataTypes)[number];
/** Element type of a tensor without strings. */
export type NumericDataType = 'float32' | 'int32' | 'bool' | 'complex64';

/** The array type that holds the elements of each data type. Complex elements are interleaved pairs. */
export interface DataTypeMap {
  float32: Float32Array;
  int32: Int32Array;
  bool: Uint8Array;
  string: string[];
  complex64: Float32Array;
}
/** The element types that values of a JavaScript type can have in a tensor. */
export type DataTypeFor<T extends number | string | boolean> = T extends number | boolean ? NumericDataType : T extends string ? 'string' : never;
/** The values of a tensor, as data() returns them. */
export type DataValues = DataTypeMap[DataType];

/** The JavaScript type of one element of each data type. */
export interface SingleValueMap {
  bool: boolean;
  int32: number;
  float32: number;
  complex64: number;
  string: string;
}

/** A typed array of a tensor's elements. */
export type TypedArray = Float32Array | Int32Array | Uint8Array;
/** The stored values of a tensor: numbers, or the bytes of each string. */
export type BackendValues = TypedArray | Uint8Array[];
/** A string, or its bytes in UTF-8. */
export type Text = string | Uint8Array;
/** A flat array of values. */
export type FlatVector = boolean[] | number[] | TypedArray;

/** Nested arrays of any depth. */
export type RecursiveArray<T> = T[] | RecursiveArray<T>[];
/** A value that a scalar tensor can be created from. */
export type ScalarLike = number | boolean | string | Uint8Array;
/** Values that a tensor can be created from, accepted wherever a tensor is: a scalar value, nested arrays or a typed array. */
export type TensorLike =
  | ScalarLike
  | RecursiveArray<number | number[] | TypedArray>
  | RecursiveArray<boolean>
  | RecursiveArray<string>
  | TypedArray
  | Uint8ClampedArray;
/** Values that a tensor of rank 1 can be created from. */
export type TensorLike1D = TypedArray | number[] | boolean[] | string[] | Uint8Array[];
/** Values that a tensor of rank 2 can be created from. Flat values are in row-major order. */
export type TensorLike2D = TypedArray | number[] | number[][] | boolean[] | boolean[][] | string[] | string[][];

/**
 * Number of dimensions, as a type: `Tensor<Rank.R2>` is a matrix.
 * @example
 * tf.Rank.R2; // 'R2'
 */
export enum Rank {
  R0 = 'R0',
  R1 = 'R1',
  R2 = 'R2',
  R3 = 'R3',
  R4 = 'R4',
  R5 = 'R5',
  R6 = 'R6',
}

/** Shape of a model's tensor. An extent of null is known only when the model is called. */
export type Shape = (number | null)[];

/** The type of the shape of each rank. */
export interface ShapeMap {
  R0: number[];
  R1: [number];
  R2: [number, number];
  R3: [number, number, number];
  R4: [number, number, number, number];
  R5: [number, number, number, number, number];
  R6: [number, number, number, number, number, number];
}

/** The type of the nested arrays of each rank, as `array()` returns them. */
export interface ArrayMap {
  R0: number;
  R1: number[];
  R2: number[][];
  R3: number[][][];
  R4: number[][][][];
  R5: number[][][][][];
  R6: number[][][][][][];
}
