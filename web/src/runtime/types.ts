import type { kDataTypes } from '../generated/boundary.js';

export { kDataTypes } from '../generated/boundary.js';

/** Element type of a tensor. */
export type DataType = (typeof kDataTypes)[number];
/** Element type of a tensor without strings. */
export type NumericDataType = 'float32' | 'int32' | 'bool' | 'complex64';

/** The array type that holds the elements of each data type. Complex elements are interleaved pairs. */
export interface DataTypeMap {
  /** Elements of float32. */
  float32: Float32Array;
  /** Elements of int32. */
  int32: Int32Array;
  /** Elements of bool: 0 or 1. */
  bool: Uint8Array;
  /** Elements of string. */
  string: string[];
  /** Elements of complex64: the real and the imaginary part of each. */
  complex64: Float32Array;
}
/** The element types that values of a JavaScript type can have in a tensor. */
export type DataTypeFor<T extends number | string | boolean> = T extends number | boolean
  ? NumericDataType
  : T extends string
    ? 'string'
    : never;
/** The values of a tensor, as data() returns them. */
export type DataValues = DataTypeMap[DataType];

/** The JavaScript type of one element of each data type. */
export interface SingleValueMap {
  /** Element of bool. */
  bool: boolean;
  /** Element of int32. */
  int32: number;
  /** Element of float32. */
  float32: number;
  /** Real or imaginary part of an element of complex64. */
  complex64: number;
  /** Element of string. */
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
  /** Shape of a scalar. */
  R0: number[];
  /** Shape of a vector. */
  R1: [number];
  /** Shape of a matrix. */
  R2: [number, number];
  /** Shape of a tensor of rank 3. */
  R3: [number, number, number];
  /** Shape of a tensor of rank 4. */
  R4: [number, number, number, number];
  /** Shape of a tensor of rank 5. */
  R5: [number, number, number, number, number];
  /** Shape of a tensor of rank 6. */
  R6: [number, number, number, number, number, number];
}

/** The type of the nested arrays of each rank, as `array()` returns them. */
export interface ArrayMap {
  /** Values of a scalar. */
  R0: number;
  /** Values of a vector. */
  R1: number[];
  /** Values of a matrix. */
  R2: number[][];
  /** Values of a tensor of rank 3. */
  R3: number[][][];
  /** Values of a tensor of rank 4. */
  R4: number[][][][];
  /** Values of a tensor of rank 5. */
  R5: number[][][][][];
  /** Values of a tensor of rank 6. */
  R6: number[][][][][][];
}
