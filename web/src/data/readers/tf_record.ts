import { Decoder } from '../../runtime/text_coding.js';
import { tensor } from '../../ops/movement/tensor_creation.js';
import { sizeFromShape } from '../../util/shape.js';
import type { Dataset } from '../dataset.js';
import { setEntry } from '../../util/entries.js';
import type { ByteReader } from './byte_reader.js';
import { maskedCrc32c } from './crc32c.js';
import { parseExample, type FeatureValues } from './example.js';
import { readRecords, toDataSource, type RecordSource } from './records.js';
import { getErrorMessage } from '../../runtime/errors.js';

/** Expected type of a feature of tf.train.Example. */
export interface FeatureSpec {
  /** Type of the values. 'bytes' are Uint8Array, 'string' their text in UTF-8. */
  dtype: 'float32' | 'int32' | 'bytes' | 'string';
  /**
   * Shape of the feature. [] is a single value; other shapes make a tensor of numbers, or a list of bytes or strings.
   * By default all values are a list.
   */
  shape?: readonly number[];
  /** Value of a missing feature; by default that throws. */
  default?: unknown;
}

/** Options of tfRecord(). */
export interface TFRecordOptions {
  /** Reads only these features of tf.train.Example, converted to their expected types. */
  features?: Record<string, FeatureSpec>;
  /** 'bytes' yields the records as Uint8Array, without parsing them; 'example' by default. */
  as?: 'example' | 'bytes';
}

/**
 * Returns a dataset of the records of a TFRecord file: the features of each tf.train.Example by name, as lists unless
 * `features` says more. Lengths and data are verified by their checksums. Errors have the record's number.
 * @example
 * const empty = tf.data.tfRecord(new Uint8Array(0)); // the bytes of a file, its address, or in Node its path
 * await empty.toArray(); // []
 */
export function tfRecord(from: RecordSource, options: TFRecordOptions & { as: 'bytes' }): Dataset<Uint8Array>;
export function tfRecord(from: RecordSource, options?: TFRecordOptions): Dataset<Record<string, unknown>>;
export function tfRecord(from: RecordSource, { features, as = 'example' }: TFRecordOptions = {}): Dataset {
  return readRecords(toDataSource(from), async function* (bytes, name) {
    for (let i = 0; ; i++) {
      const where = `[tfRecord] ${name}, record ${i}`;
      const record = await readRecord(bytes, where);
      if (!record) return;
      if (as === 'bytes') yield record.slice();
      else yield toElement(record, features, where);
    }
  });
}

/**
 * Reads a record: length (8 bytes) and its checksum (4), data and its checksum (4), all little-endian. Resolves to
 * undefined at the end.
 */
async function readRecord(bytes: ByteReader, where: string): Promise<Uint8Array | undefined> {
  const offset = bytes.offset;
  const fail = (what: string) => new Error(`${where}, at byte ${offset}: ${what}`);
  const head = await bytes.take(12);
  if (head.length === 0) return undefined;
  if (head.length < 12) throw fail('the file ends within its length');
  const view = new DataView(head.buffer, head.byteOffset, 12);
  if (view.getUint32(8, true) !== maskedCrc32c(head.subarray(0, 8))) throw fail('the checksum of its length is wrong');
  const length = Number(view.getBigUint64(0, true));
  // The views stay valid: take() does not reuse the memory of earlier results.
  const data = await bytes.take(length);
  const sum = await bytes.take(4);
  if (data.length < length || sum.length < 4) throw fail(`the file ends within its ${length} bytes`);
  if (new DataView(sum.buffer, sum.byteOffset, 4).getUint32(0, true) !== maskedCrc32c(data)) {
    throw fail('the checksum of its data is wrong');
  }
  return data;
}

function toElement(record: Uint8Array, specs: TFRecordOptions['features'], where: string): Record<string, unknown> {
  try {
    const features = parseExample(record);
    if (!specs) return features;
    const element: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(specs)) {
      const values = Object.hasOwn(features, name) ? features[name] : undefined;
      if (values === undefined && spec.default === undefined) {
        throw new Error(`there is no feature '${name}': the record has ${Object.keys(features).join(', ') || 'none'}`);
      }
      setEntry(element, name, values === undefined ? spec.default : toFeatureValue(values, spec, name));
    }
    return element;
  } catch (error) {
    throw new Error(`${where}: ${getErrorMessage(error)}`, { cause: error });
  }
}

const kStoredKinds = { float32: 'float32', int32: 'int64', bytes: 'bytes', string: 'bytes' };

function toFeatureValue(values: FeatureValues, { dtype, shape }: FeatureSpec, name: string): unknown {
  const kind = values instanceof Float32Array ? 'float32' : values[0] instanceof Uint8Array ? 'bytes' : 'int64';
  if (values.length > 0 && kind !== kStoredKinds[dtype])
    throw new Error(`feature '${name}' has ${kind} values, not ${dtype}`);
  if (shape && values.length !== sizeFromShape(shape)) {
    throw new Error(`feature '${name}' has ${values.length} values, which do not fit the shape [${shape as number[]}]`);
  }
  const list = dtype === 'string' ? (values as Uint8Array[]).map((one) => new Decoder().decode(one)) : values;
  if (!shape) return list;
  if (dtype === 'int32') checkIntegers(values as (number | bigint)[], name);
  if (shape.length === 0) return list[0];
  if (dtype === 'bytes' || dtype === 'string') return list;
  return tensor(
    dtype === 'int32' ? Int32Array.from(values as number[]) : (values as Float32Array),
    shape as never,
    dtype,
  );
}

function checkIntegers(values: readonly (number | bigint)[], name: string): void {
  const wrong = values.find((value) => typeof value === 'bigint' || value !== (value | 0));
  if (wrong !== undefined) throw new Error(`feature '${name}' has ${wrong}, which is not an int32`);
}
