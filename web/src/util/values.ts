import { assert, isBoolean, isNumber, isPromise, isString } from './checks.js';
import { encodeString } from './numbers.js';
import { sizeFromShape } from './shape.js';
import { ShapeError } from '../runtime/errors.js';
import {
  kDataTypes,
  type DataType,
  type DataTypeMap,
  type TensorLike,
  type Text,
  type TypedArray,
} from '../runtime/types.js';

const kMaxDims = 8;
// Getters of the typed arrays' prototype. They hold for arrays of any realm, and are not shadowed by own properties.
const kTypedArray = Object.getPrototypeOf(Int8Array.prototype) as object;
const kTypeName = Object.getOwnPropertyDescriptor(kTypedArray, Symbol.toStringTag)!;
const kLength = Object.getOwnPropertyDescriptor(kTypedArray, 'length')!;
const kTypedArrays: readonly unknown[] = ['Float32Array', 'Int32Array', 'Uint8Array', 'Uint8ClampedArray'];

/**
 * True if `value` is a typed array of a kind that tensors are created from.
 * @example
 * tf.util.isTypedArray(new Float32Array(2)); // true
 */
export function isTypedArray(value: unknown): value is TypedArray | Uint8ClampedArray {
  return ArrayBuffer.isView(value) && kTypedArrays.includes(typedArrayName(value));
}

/** Returns the number of elements of a typed array, even if an own `length` shadows it; 0 if its buffer is detached. */
export function typedArrayLength(values: TypedArray | Uint8ClampedArray): number {
  return kLength.get!.call(values) as number;
}

/** Returns the name of a typed array's constructor; undefined for any other value. */
function typedArrayName(value: unknown): unknown {
  return kTypeName.get!.call(value);
}

/**
 * True if `dtype` names an element type.
 * @example
 * tf.util.isValidDtype('float64'); // false
 */
export function isValidDtype(dtype: unknown): dtype is DataType {
  return kDataTypes.includes(dtype as DataType);
}

/** Shape and dtype of a value: the extents of nested arrays along the first element of each level, and the first value's dtype. */
export interface ValueType {
  readonly shape: number[];
  readonly dtype: DataType;
}

/**
 * Returns the shape and dtype of a number, boolean, string, typed array, or nested arrays, without reading more than the first
 * element of each level: flattenValues() checks the others. The shape of arrays that are nested too deep or circular has more
 * extents than checkDepth() allows.
 * @param values The value.
 * @param given Dtype, if it is not that of the first value. For string, a typed array is one encoded string.
 */
export function describeValues(values: unknown, given?: DataType | null): ValueType {
  if (!Array.isArray(values)) return describeLeaf(values, given);
  const shape = [values.length];
  let first = values[0] as unknown;
  for (; Array.isArray(first) && shape.length <= kMaxDims; first = first[0]) shape.push(first.length);
  const leaf = describeLeaf(first, given);
  if (leaf.shape.length > 0 && shape.length <= kMaxDims) shape.push(leaf.shape[0]!);
  return { shape, dtype: leaf.dtype };
}

function describeLeaf(value: unknown, given: DataType | null | undefined): ValueType {
  if (given === 'string' || !isTypedArray(value)) return { shape: [], dtype: given ?? dtypeOfValue(value) };
  return { shape: [value.length], dtype: given ?? (typedArrayName(value) === 'Float32Array' ? 'float32' : 'int32') };
}

/**
 * Returns values in row-major order, a scalar other than a string as a number. Throws an Error if the nesting is not that of
 * `shape` throughout or the dtype is complex64, and ShapeError if it is nested too deep.
 * @param values A value.
 * @param shape Its shape, from describeValues().
 * @param dtype Dtype to convert to.
 */
export function flattenValues(
  values: unknown,
  shape: readonly number[],
  dtype: DataType,
): TypedArray | number | Text[] {
  if (dtype === 'complex64')
    throw new Error('Cannot construct a complex64 tensor directly. Please use tf.complex(real, imag).');
  checkDepth(shape);
  if (shape.length === 0) {
    if (dtype === 'string') return [values as Text];
    return dtype === 'bool' ? Number(Math.round(Number(values)) !== 0) : Number(values);
  }
  if (dtype === 'string') return copyNested<Text[]>(values, shape, []);
  if (isTypedArray(values)) return convertTypedArray(values, dtype);
  return copyNested(values, shape, newValues(dtype, sizeFromShape(shape)));
}

/** Returns the dtype of a single value. Numbers, and values that no tensor holds, are float32. */
function dtypeOfValue(value: unknown): DataType {
  if (isNumber(value)) return 'float32';
  if (isString(value)) return 'string';
  return isBoolean(value) ? 'bool' : 'float32';
}

/** Throws ShapeError if a shape of nested arrays has more dimensions than a tensor can have. */
export function checkDepth(shape: readonly number[]): void {
  if (shape.length <= kMaxDims) return;
  throw new ShapeError(`at most ${kMaxDims} dimensions are supported, but the arrays are nested deeper`);
}

/**
 * Returns the dtype of values by the first of them. Numbers are float32, but int32 in typed arrays of integers.
 * @example
 * tf.util.inferDtype([true, false]); // 'bool'
 */
export function inferDtype(values: unknown): DataType {
  return describeValues(values).dtype;
}

/**
 * Returns the shape of nested arrays, read off the first element of each level. Throws ShapeError if they are nested too deep or
 * circular.
 */
export function inferShape(values: unknown): number[] {
  const { shape } = describeValues(values);
  checkDepth(shape);
  return shape;
}

/**
 * Writes the values of nested arrays into `into`, in row-major order, and returns it. Throws unless the nesting is that
 * of `shape` throughout.
 */
function copyNested<T extends TypedArray | Text[]>(values: unknown, shape: readonly number[], into: T): T {
  const path: number[] = [];
  const last = shape.length - 1;
  const asBool = into instanceof Uint8Array;
  const isNode = (x: unknown): x is unknown[] | TypedArray =>
    Array.isArray(x) || (!Array.isArray(into) && isTypedArray(x));
  let at = 0;
  const fail = (depth: number, what: string): never => {
    throw new Error(`Element arr[${path.slice(0, depth).join('][')}] ${what}`);
  };
  const visit = (node: unknown, depth: number): void => {
    const extent = shape[depth];
    if (!isNode(node)) {
      return fail(depth, `is a primitive, but should be an array/TypedArray of ${extent} elements`);
    }
    if (extent === undefined) return fail(depth, `should be a primitive, but is an array of ${node.length} elements`);
    if (node.length !== extent) return fail(depth, `should have ${extent} elements, but has ${node.length} elements`);
    if (depth < last) {
      for (let i = 0; i < extent; i++) {
        path[depth] = i;
        visit(node[i], depth + 1);
      }
      return;
    }
    let to = at;
    for (let i = 0; i < extent; i++) {
      const child: unknown = node[i];
      if (typeof child === 'object' && isNode(child)) {
        path[depth] = i;
        visit(child, depth + 1);
      } else if (asBool && typeof child !== 'object') {
        into[to++] = Number(Math.round(child as number) !== 0);
      } else {
        into[to++] = child as number;
      }
    }
    at = to;
  };
  visit(values, 0);
  return into;
}

/**
 * Returns a typed array of zeros, of the kind that holds `dtype`.
 * @example
 * tf.util.makeZerosTypedArray(2, 'int32'); // [0, 0]
 */
export function makeZerosTypedArray<D extends DataType>(size: number, dtype: D): DataTypeMap[D] {
  return newValues(dtype === 'complex64' ? 'float32' : dtype, size) as DataTypeMap[D];
}
/**
 * Returns a typed array of ones, of the kind that holds `dtype`.
 * @example
 * tf.util.makeOnesTypedArray(2, 'int32'); // [1, 1]
 */
export function makeOnesTypedArray<D extends DataType>(size: number, dtype: D): DataTypeMap[D] {
  const values = makeZerosTypedArray(size, dtype);
  (values as TypedArray).fill(1);
  return values;
}
/**
 * Returns a new typed array of the kind that holds `dtype`. Throws for string and complex64.
 * @example
 * tf.util.getTypedArrayFromDType('int32', 2); // [0, 0]
 */
export function getTypedArrayFromDType<D extends DataType>(dtype: D, size: number): DataTypeMap[D] {
  return newValues(dtype, size) as DataTypeMap[D];
}
/**
 * Returns a new typed array of the kind that holds `dtype`, or an array for string. Throws for complex64.
 * @example
 * tf.util.getArrayFromDType('string', 2).length; // 2
 */
export function getArrayFromDType<D extends DataType>(dtype: D, size: number): DataTypeMap[D] {
  return (dtype === 'string' ? new Array<string>(size) : newValues(dtype, size)) as DataTypeMap[D];
}
function newValues(dtype: DataType, size: number): TypedArray {
  switch (dtype ?? 'float32') {
    case 'float32':
      return new Float32Array(size);
    case 'int32':
      return new Int32Array(size);
    case 'bool':
      return new Uint8Array(size);
    default:
      throw new Error(`Unknown data type ${dtype}`);
  }
}

/**
 * Converts values to the typed array of `dtype`. Returns the argument itself if it is one already. Throws for string.
 * @example
 * tf.util.toTypedArray([1.5, 2], 'float32'); // [1.5, 2]
 */
export function toTypedArray(values: TensorLike, dtype: DataType): TypedArray {
  assert(dtype !== 'string', () => 'Cannot convert a string[] to a TypedArray');
  if (isTypedArray(values)) return convertTypedArray(values, dtype);
  const nested = Array.isArray(values) ? values : [values];
  const shape = inferShape(nested);
  return copyNested(nested, shape, newValues(dtype, sizeFromShape(shape)));
}

function convertTypedArray(values: TypedArray | Uint8ClampedArray, dtype: DataType): TypedArray {
  const name = typedArrayName(values);
  if (dtype === 'float32' && name === 'Float32Array') return values as Float32Array;
  if (dtype === 'int32' && name === 'Int32Array') return values as Int32Array;
  if (dtype === 'bool' && name === 'Uint8Array' && (values as Uint8Array).every((value) => value <= 1))
    return values as Uint8Array;
  return copyNested(values, [values.length], newValues(dtype, values.length));
}

/** Encodes strings as UTF-8; Uint8Arrays among them count as encoded. Throws for any other value. */
export function encodeTexts(values: readonly unknown[]): Uint8Array[] {
  return Array.from(values, (value) => {
    if (isString(value)) return encodeString(value);
    if (typedArrayName(value) === 'Uint8Array') return value as Uint8Array;
    throw new Error(`expected strings, or Uint8Arrays of their bytes, got ${value === null ? 'null' : typeof value}`);
  });
}

/**
 * Appends all elements of nested arrays, and of objects with integer keys, to `result`, and returns it. With
 * `skipTypedArray`, typed arrays are appended whole.
 * @param values Nested arrays.
 * @param result Array to append to: a new one by default.
 * @param skipTypedArray True to append typed arrays whole; false by default.
 * @example
 * tf.util.flatten([[1, 2], [3, [4]]]); // [1, 2, 3, 4]
 */
export function flatten<T>(values: unknown, result: T[] = [], skipTypedArray = false): T[] {
  if (
    typeof values !== 'object' ||
    values === null ||
    isPromise(values) ||
    (ArrayBuffer.isView(values) && skipTypedArray)
  ) {
    result.push(values as T);
  } else {
    const isList = Array.isArray(values) || ArrayBuffer.isView(values);
    const elements = isList
      ? (values as unknown[])
      : Object.entries(values).flatMap(([key, value]) => (/^(0|[1-9]\d*)$/.test(key) ? [value as unknown] : []));
    for (const value of elements) flatten(value, result, skipTypedArray);
  }
  return result;
}

/**
 * Returns flat values as nested arrays of a shape, or an empty array if there are none. Complex numbers are two values
 * each, interleaved in the innermost arrays. Throws if the number of values is not that of the shape.
 * @param shape Shape of the result.
 * @param values Values in row-major order.
 * @param isComplex True if they are interleaved complex numbers; false by default.
 * @example
 * tf.util.toNestedArray([2, 2], [1, 2, 3, 4]); // [[1, 2], [3, 4]]
 */
export function toNestedArray(shape: readonly number[], values: ArrayLike<unknown>, isComplex = false): unknown {
  if (shape.length === 0) return values[0];
  if (isComplex) shape = [...shape.slice(0, -1), 2 * shape[shape.length - 1]!];
  const size = sizeFromShape(shape);
  if (size === 0) return [];
  assert(size === values.length, () => `[${shape}] does not match the input size ${values.length}.`);
  const last = shape.length - 1;
  let at = 0;
  const build = (depth: number): unknown[] => {
    const extent = shape[depth]!;
    if (depth === last) return copyRow(values, at, (at += extent));
    const list = new Array<unknown>(extent);
    for (let i = 0; i < extent; i++) list[i] = build(depth + 1);
    return list;
  };
  return build(0);
}

/**
 * Copies an innermost row. Rows are created apart from arrays of arrays, so that JavaScript engines store their numbers
 * unboxed.
 */
function copyRow(values: ArrayLike<unknown>, from: number, to: number): unknown[] {
  if (Array.isArray(values)) return values.slice(from, to);
  const row = new Array<unknown>(to - from);
  for (let i = from; i < to; i++) row[i - from] = values[i];
  return row;
}

/**
 * Returns zeros as nested arrays of a shape.
 * @example
 * tf.util.makeZerosNestedTypedArray([2, 2], 'float32'); // [[0, 0], [0, 0]]
 */
export function makeZerosNestedTypedArray(shape: number[], dtype: DataType): unknown {
  return toNestedArray(shape, newValues(dtype, sizeFromShape(shape)));
}

/**
 * Throws if a value is NaN or infinite, which int32 and bool cannot hold.
 * @example
 * tf.util.checkConversionForErrors([1, NaN], 'int32'); // throws Error: A tensor of type int32 being uploaded contains NaN.
 */
export function checkConversionForErrors(values: ArrayLike<number>, dtype: DataType): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!))
      throw new Error(`A tensor of type ${dtype} being uploaded contains ${values[i]}.`);
  }
}

/**
 * Returns a single value in the typed array of `dtype`, or a string's UTF-8 bytes.
 * @example
 * tf.util.createScalarValue(3, 'int32'); // [3]
 */
export function createScalarValue(value: unknown, dtype: DataType): TypedArray | Uint8Array {
  return dtype === 'string' ? encodeString(String(value)) : toTypedArray([value as number], dtype);
}

/**
 * Converts the bytes of a tensor to the typed array of `dtype`; those of bool are int32 values. Returns arrays, and
 * typed arrays of that kind, as they are.
 * @example
 * tf.util.convertBackendValuesAndArrayBuffer(new Float32Array([1, 2]).buffer, 'float32'); // [1, 2]
 */
export function convertBackendValuesAndArrayBuffer(data: unknown, dtype: DataType): unknown {
  if (Array.isArray(data)) return data;
  if (dtype === 'float32') return data instanceof Float32Array ? data : new Float32Array(data as ArrayBuffer);
  if (dtype === 'int32') return data instanceof Int32Array ? data : new Int32Array(data as ArrayBuffer);
  if (dtype === 'bool') return data instanceof Uint8Array ? data : Uint8Array.from(new Int32Array(data as ArrayBuffer));
  throw new Error(`Unknown dtype ${dtype}`);
}

/**
 * Returns the number of bytes of a stored element. Throws for string.
 * @example
 * tf.util.bytesPerElement('complex64'); // 8
 */
export function bytesPerElement(dtype: DataType): number {
  if (dtype === 'bool') return 1;
  if (dtype === 'complex64') return 8;
  assert(dtype === 'float32' || dtype === 'int32', () => `Unknown dtype ${dtype}`);
  return 4;
}

/** Returns the number of bytes of a tensor's elements; 0 for strings, whose lengths the shape does not determine. */
export function sizeInBytes(shape: readonly number[], dtype: DataType): number {
  return dtype === 'string' ? 0 : shape.reduce((bytes, extent) => bytes * extent, bytesPerElement(dtype));
}

/**
 * True if converting values from `oldType` to `newType` can change them.
 * @example
 * tf.util.hasEncodingLoss('float32', 'int32'); // true
 */
export function hasEncodingLoss(oldType: DataType, newType: DataType): boolean {
  const order: DataType[] = ['bool', 'int32', 'float32', 'complex64'];
  return order.indexOf(newType) < order.indexOf(oldType);
}
