import type { kDataTypes } from '../generated/boundary.js';

export { kDataTypes } from '../generated/boundary.js';

/** Element types. */
export type DataType = (typeof kDataTypes)[number];
/** Element types without strings. */
export type NumericDataType = 'float32' | 'int32' | 'bool' | 'complex64';

/** The typed array that holds a tensor's elements. */
export interface DataTypeMap {
  float32: Float32Array;
  int32: Int32Array;
  bool: Uint8Array;
  string: string[];
  complex64: Float32Array;
}
/** The element types of a JavaScript value's type. */
export type DataTypeFor<T extends number | string | boolean> = T extends number | boolean ? NumericDataType : T extends string ? 'string' : never;
/** The values of a tensor, as data() gives them. */
export type DataValues = DataTypeMap[DataType];

/** What a tensor's elements are as JavaScript numbers or strings. */
export interface SingleValueMap {
  bool: boolean;
  int32: number;
  float32: number;
  complex64: number;
  string: string;
}

/** A typed array that elements are kept in. */
export type TypedArray = Float32Array | Int32Array | Uint8Array;
/** What is behind a tensor: numbers, or the bytes of each string. */
export type BackendValues = TypedArray | Uint8Array[];
/** A string, or its bytes in UTF-8. */
export type Text = string | Uint8Array;
/** Values without nesting. */
export type FlatVector = boolean[] | number[] | TypedArray;

/** Wherever a tensor is expected, its values will do: a number, a boolean, nested arrays or a typed array. */
export type RecursiveArray<T> = T[] | RecursiveArray<T>[];
/** A value that a scalar is made of. */
export type ScalarLike = number | boolean | string | Uint8Array;
/** What a tensor is made of: a value, nested arrays, or a typed array. */
export type TensorLike =
  | ScalarLike
  | RecursiveArray<number | number[] | TypedArray>
  | RecursiveArray<boolean>
  | RecursiveArray<string>
  | TypedArray
  | Uint8ClampedArray;
/** What a vector is made of. */
export type TensorLike1D = TypedArray | number[] | boolean[] | string[] | Uint8Array[];
/** What a matrix is made of. */
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

/** Extents of a model's tensor; null stands for one that each call decides. */
export type Shape = (number | null)[];

/** The shape of each rank, as a type. */
export interface ShapeMap {
  R0: number[];
  R1: [number];
  R2: [number, number];
  R3: [number, number, number];
  R4: [number, number, number, number];
  R5: [number, number, number, number, number];
  R6: [number, number, number, number, number, number];
}

/** Nested arrays, as `array()` gives them. */
export interface ArrayMap {
  R0: number;
  R1: number[];
  R2: number[][];
  R3: number[][][];
  R4: number[][][][];
  R5: number[][][][][];
  R6: number[][][][][][];
}
