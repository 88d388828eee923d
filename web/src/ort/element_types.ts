// The element types of ONNX in JavaScript, and in the engine.
import type { Tensor } from 'onnxruntime-common';
import { floatToHalf, halfToFloat } from './half.js';

/** Values of a tensor of the engine: floats, 32-bit integers, truth values, or text. */
export type EngineValues = Float32Array | Int32Array | Uint8Array | string[];
type NumberArray = Exclude<Tensor.DataType, readonly string[] | BigInt64Array | BigUint64Array>;

/** An element type. */
export interface ElementType {
  /** Name of the type. */
  readonly type: Tensor.Type;
  /** Type of the elements in the engine. */
  readonly dtype: 'float32' | 'int32' | 'bool' | 'string';
  /** Converts the values of `size` elements for the engine. Throws a RangeError for an integer of 64 bits beyond int32. */
  decode(data: Tensor.DataType, size: number): EngineValues;
  /** Converts values of the engine to those of a tensor. The result may be the argument itself. */
  encode(values: EngineValues): Tensor.DataType;
}

/** The element types by their names. */
const types = new Map<string, ElementType>();

/** Returns an element type; undefined if tensors of JavaScript cannot have it. */
export function findType(name: string): ElementType | undefined {
  return types.get(name);
}

function addNumeric(
  type: Tensor.Type,
  dtype: 'float32' | 'int32' | 'bool',
  decode: (data: Tensor.DataType, size: number) => EngineValues,
  encode: (values: NumberArray) => Tensor.DataType,
): void {
  types.set(type, { type, dtype, decode, encode: (values) => encode(toNumbers(values)) });
}

addNumeric('float32', 'float32', toFloats, toFloats);
addNumeric('float16', 'float32', (data) => halfToFloat(toNumbers(data)), floatToHalf);
addNumeric('float64', 'float32', toFloats, (values) => Float64Array.from(values));
addNumeric('int32', 'int32', toIntegers, toIntegers);
addNumeric('int16', 'int32', toIntegers, (values) => Int16Array.from(values));
addNumeric('int8', 'int32', toIntegers, (values) => Int8Array.from(values));
addNumeric('uint16', 'int32', toIntegers, (values) => Uint16Array.from(values));
addNumeric('uint8', 'int32', toIntegers, (values) => Uint8Array.from(values));
addNumeric('uint32', 'int32', decodeUint32, (values) => Uint32Array.from(values));
addNumeric('int64', 'int32', decodeInt64, (values) => new BigInt64Array(widen(values)));
addNumeric('uint64', 'int32', decodeInt64, (values) => new BigUint64Array(widen(values)));
addNumeric('int4', 'int32', (data, size) => unpack(toNumbers(data), size, 8), pack);
addNumeric('uint4', 'int32', (data, size) => unpack(toNumbers(data), size, 0), pack);
addNumeric('bool', 'bool', toBytes, toBytes);
types.set('string', { type: 'string', dtype: 'string', decode: toTexts, encode: toTexts });

/** Returns the elements as numbers. Throws if they are not numbers. */
function toNumbers(data: Tensor.DataType): NumberArray {
  if (Array.isArray(data) || data instanceof BigInt64Array || data instanceof BigUint64Array)
    throw new TypeError(`its elements are of type ${typeof data[0]}, numbers were expected`);
  return data;
}

function toFloats(data: Tensor.DataType): Float32Array {
  return data instanceof Float32Array ? data : Float32Array.from(toNumbers(data));
}

function toIntegers(data: Tensor.DataType): Int32Array {
  return data instanceof Int32Array ? data : Int32Array.from(toNumbers(data));
}

function toBytes(data: Tensor.DataType): Uint8Array {
  return data instanceof Uint8Array ? data : Uint8Array.from(toNumbers(data));
}

function toTexts(data: Tensor.DataType): string[] {
  if (!Array.isArray(data)) throw new TypeError(`its elements are of type ${typeof data[0]}, text was expected`);
  return data;
}

/** Returns the bits: numbers beyond int32 are negative in the engine. */
function decodeUint32(data: Tensor.DataType): Int32Array {
  const values = data instanceof Uint32Array ? data : Uint32Array.from(toNumbers(data));
  return new Int32Array(values.buffer, values.byteOffset, values.length);
}

function decodeInt64(data: Tensor.DataType): Int32Array {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array))
    throw new TypeError('its elements are not 64-bit integers');
  const halves = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  const result = new Int32Array(data.length);
  for (let i = 0; i < result.length; i++) {
    const low = halves[2 * i]!;
    const high = halves[2 * i + 1];
    // The upper half of an int64 within int32 repeats the sign. That of a uint64 is 0.
    if (high !== low >> 31 || (high !== 0 && data instanceof BigUint64Array)) throw beyondInt32(i, data[i]!);
    result[i] = low;
  }
  return result;
}

/** Unpacks `size` elements of 4 bits, the low bits of a byte first. `sign` is the bit of the sign, or 0. */
function unpack(bytes: NumberArray, size: number, sign: number): Int32Array {
  return Int32Array.from({ length: size }, (_, i) => {
    const code = (bytes[i >> 1]! >> (4 * (i & 1))) & 15;
    return (code ^ sign) - sign;
  });
}

function pack(values: NumberArray): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 2));
  for (let i = 0; i < values.length; i++) bytes[i >> 1]! |= (values[i]! & 15) << (4 * (i & 1));
  return bytes;
}

/** Returns int32 values as the bytes of int64. */
function widen(values: NumberArray): ArrayBuffer {
  const halves = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    halves[2 * i] = values[i]!;
    halves[2 * i + 1] = values[i]! >> 31;
  }
  return halves.buffer;
}

function beyondInt32(index: number, value: number | bigint): RangeError {
  return new RangeError(`its element ${index} is ${value}, which is beyond int32, in which Tenure computes integers`);
}
