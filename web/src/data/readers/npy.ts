import { Decoder } from '../../runtime/text_coding.js';
import { tensor } from '../../ops/movement/tensor_creation.js';
import type { DataType, TypedArray } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import { sizeFromShape } from '../../util/shape.js';
import type { Dataset } from '../dataset.js';
import type { ByteReader } from './byte_reader.js';
import { readRecords, toDataSource, type RecordSource } from './records.js';

/** Conversion of a NumPy type: bytes per value, dtype of the tensor, and a function that reads a value. */
interface Format {
  readonly bytes: number;
  readonly dtype: DataType;
  read(view: DataView, at: number, little: boolean): number | bigint;
}

const kFormats: Record<string, Format> = {
  f2: { bytes: 2, dtype: 'float32', read: (view, at, little) => halfToFloat(view.getUint16(at, little)) },
  f4: { bytes: 4, dtype: 'float32', read: (view, at, little) => view.getFloat32(at, little) },
  f8: { bytes: 8, dtype: 'float32', read: (view, at, little) => view.getFloat64(at, little) },
  i1: { bytes: 1, dtype: 'int32', read: (view, at) => view.getInt8(at) },
  i2: { bytes: 2, dtype: 'int32', read: (view, at, little) => view.getInt16(at, little) },
  i4: { bytes: 4, dtype: 'int32', read: (view, at, little) => view.getInt32(at, little) },
  i8: { bytes: 8, dtype: 'int32', read: (view, at, little) => view.getBigInt64(at, little) },
  u1: { bytes: 1, dtype: 'int32', read: (view, at) => view.getUint8(at) },
  u2: { bytes: 2, dtype: 'int32', read: (view, at, little) => view.getUint16(at, little) },
  u4: { bytes: 4, dtype: 'int32', read: (view, at, little) => view.getUint32(at, little) },
  u8: { bytes: 8, dtype: 'int32', read: (view, at, little) => view.getBigUint64(at, little) },
  b1: { bytes: 1, dtype: 'bool', read: (view, at) => (view.getUint8(at) ? 1 : 0) },
};

/**
 * Returns a dataset of the rows of an array in NumPy's file format .npy: one float32, int32 or bool tensor per index of
 * its first dimension. Rows are read on demand. A 32-bit unsigned or 64-bit integer that does not fit int32 throws, with its
 * row.
 * @example
 * const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }".padEnd(117) + '\n';
 * const bytes = new Blob(['\x93NUMPY\x01\x00v\x00'.slice(1), header, new Float32Array([1, 2, 3, 4])]);
 * const file = new Blob([new Uint8Array([0x93]), bytes]); // as numpy.save() writes it
 * const rows = await tf.data.npy(file).toArray();
 * rows; // [[1, 2], [3, 4]]
 * tf.dispose(rows);
 */
export function npy(from: RecordSource): Dataset<Tensor> {
  return readRecords(toDataSource(from), readRows);
}

async function* readRows(bytes: ByteReader, name: string): AsyncGenerator<Tensor, void> {
  const { format, little, shape } = await readHeader(bytes, name);
  const [count = 1, ...rowShape] = shape;
  const size = sizeFromShape(rowShape) * format.bytes;
  for (let row = 0; row < count; row++) {
    const found = await bytes.take(size);
    if (found.length < size) throw npyError(name, `ends in row ${row} of ${count}`);
    yield tensor(convertValues(found, format, little, `${name}, row ${row}`), rowShape, format.dtype);
  }
}

/** Reads the header, in versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
async function readHeader(
  bytes: ByteReader,
  name: string,
): Promise<{ format: Format; little: boolean; shape: number[] }> {
  const start = await bytes.take(8);
  if (String.fromCharCode(...start.subarray(0, 6)) !== '\x93NUMPY') throw npyError(name, 'is not an .npy file');
  const wide = start[6]! > 1;
  const lengthBytes = await bytes.take(wide ? 4 : 2);
  if (lengthBytes.length < (wide ? 4 : 2)) throw npyError(name, 'ends within its header');
  const view = toDataView(lengthBytes);
  const length = wide ? view.getUint32(0, true) : view.getUint16(0, true);
  const header = new Decoder().decode(await bytes.take(length));
  const type = /'descr': *'([<>|=]?)([^']+)'/.exec(header);
  const shape = /'shape': *\(([\d, L]*)\)/.exec(header);
  const order = /'fortran_order': *(True|False)/.exec(header);
  if (!type || !shape || !order)
    throw npyError(name, `has a header that cannot be read: ${header.slice(0, 200).trim()}`);
  const format = Object.hasOwn(kFormats, type[2]!) ? kFormats[type[2]!] : undefined;
  if (!format) throw npyError(name, `has values of type '${type[1]}${type[2]}', which no tensor has`);
  const extents = shape[1]!
    .split(',')
    .map((text) => parseInt(text, 10))
    .filter((extent) => !Number.isNaN(extent));
  if (order[1] === 'True' && extents.length > 1) {
    throw npyError(name, 'stands column by column (Fortran order): save numpy.ascontiguousarray() of it');
  }
  return { format, little: type[1] !== '>', shape: extents };
}

function convertValues(bytes: Uint8Array, format: Format, little: boolean, where: string): TypedArray {
  const count = bytes.length / format.bytes;
  const values =
    format.dtype === 'float32'
      ? new Float32Array(count)
      : format.dtype === 'bool'
        ? new Uint8Array(count)
        : new Int32Array(count);
  if (little && (format === kFormats.f4 || format === kFormats.i4)) {
    new Uint8Array(values.buffer).set(bytes);
    return values;
  }
  const view = toDataView(bytes);
  const isLong = format.dtype === 'int32' && (format.bytes === 8 || format === kFormats.u4);
  for (let i = 0; i < count; i++) {
    const value = format.read(view, i * format.bytes, little);
    values[i] = Number(value);
    if (isLong && BigInt(values[i]!) !== BigInt(value)) throw npyError(where, `has ${value}, which is not an int32`);
  }
  return values;
}

/** Converts the bits of an IEEE 754 binary16 number. */
function halfToFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function npyError(name: string, what: string): Error {
  return new Error(`[npy] ${name} ${what}`);
}
