import { Decoder } from '../../runtime/text_coding.js';
import { setEntry } from '../../util/entries.js';
import { getErrorMessage } from '../../runtime/errors.js';

/**
 * Values of a feature of tf.train.Example: bytes, float32, or int64, which are bigint if a number cannot represent
 * them.
 */
export type FeatureValues = Uint8Array[] | Float32Array | (number | bigint)[];

/** Wire types of protocol buffers: https://protobuf.dev/programming-guides/encoding. */
const enum Wire {
  varint = 0,
  fixed64 = 1,
  bytes = 2,
  fixed32 = 5,
}

/** A reader of a message's fields. Throws if a field does not fit into the message. */
class Message {
  #at = 0;
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get more(): boolean {
    return this.#at < this.bytes.length;
  }
  /** Reads the tag of a field: its number times 8, plus its wire type. */
  tag(): number {
    return Number(this.varint());
  }
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new Error('it ends within a varint');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new Error('a varint has more than 64 bits');
  }
  float(): number {
    this.#need(4);
    return this.#view.getFloat32((this.#at += 4) - 4, true);
  }
  part(): Uint8Array {
    const length = Number(this.varint());
    this.#need(length);
    return this.bytes.subarray(this.#at, (this.#at += length));
  }
  skip(tag: number): void {
    const wire: Wire = tag & 7;
    if (wire === Wire.varint) this.varint();
    else if (wire === Wire.bytes) this.part();
    else if (wire === Wire.fixed64 || wire === Wire.fixed32) {
      const length = wire === Wire.fixed64 ? 8 : 4;
      this.#need(length);
      this.#at += length;
    } else throw new Error(`a field has the unknown wire type ${tag & 7}`);
  }

  #need(length: number): void {
    if (length > this.bytes.length - this.#at)
      throw new Error(`a field has ${length} bytes where ${this.bytes.length - this.#at} are left`);
  }
}

const kLengthDelimited = (field: number) => field * 8 + Wire.bytes;

/** Returns the features of a serialized tf.train.Example, by name. Throws if it is malformed. */
export function parseExample(bytes: Uint8Array): Record<string, FeatureValues> {
  const features: Record<string, FeatureValues> = {};
  forEachField(bytes, 1, (all) => {
    forEachField(all, 1, (entry) => {
      let name = '';
      let value: FeatureValues = [];
      forEachField(entry, 1, (text) => (name = new Decoder().decode(text)));
      forEachField(entry, 2, (feature) => (value = readFeature(feature, name)));
      setEntry(features, name, value);
    });
  });
  return features;
}

/** Calls `visit` for each length-delimited value of a field, and skips all other fields. */
function forEachField(bytes: Uint8Array, field: number, visit: (part: Uint8Array) => void): void {
  const message = new Message(bytes);
  while (message.more) {
    const tag = message.tag();
    if (tag === kLengthDelimited(field)) visit(message.part());
    else message.skip(tag);
  }
}

function readFeature(feature: Uint8Array, name: string): FeatureValues {
  let values: FeatureValues = [];
  try {
    forEachField(feature, 1, (list) => (values = readBytesList(list)));
    forEachField(feature, 2, (list) => (values = readFloatList(list)));
    forEachField(feature, 3, (list) => (values = readInt64List(list)));
  } catch (error) {
    throw new Error(`feature '${name}': ${getErrorMessage(error)}`, { cause: error });
  }
  return values;
}

function readBytesList(list: Uint8Array): Uint8Array[] {
  const values: Uint8Array[] = [];
  forEachField(list, 1, (value) => values.push(value.slice()));
  return values;
}

function readFloatList(list: Uint8Array): Float32Array {
  const values: number[] = [];
  const message = new Message(list);
  while (message.more) {
    const tag = message.tag();
    if (tag === kLengthDelimited(1)) {
      const packed = new Message(message.part());
      while (packed.more) values.push(packed.float());
    } else if (tag === 8 + Wire.fixed32) values.push(message.float());
    else message.skip(tag);
  }
  return Float32Array.from(values);
}

function readInt64List(list: Uint8Array): (number | bigint)[] {
  const values: (number | bigint)[] = [];
  const add = (value: bigint) => {
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    values.push(Number.isSafeInteger(number) ? number : signed);
  };
  const message = new Message(list);
  while (message.more) {
    const tag = message.tag();
    if (tag === kLengthDelimited(1)) {
      const packed = new Message(message.part());
      while (packed.more) add(packed.varint());
    } else if (tag === 8 + Wire.varint) add(message.varint());
    else message.skip(tag);
  }
  return values;
}
