// Splits an ONNX file as it arrives: the data of its large tensors goes into blocks of the engine's memory, and what is left is a
// file whose tensors name the blocks as external data. Numbers of fields are those of ONNX's onnx.proto, the encoding that of
// Protocol Buffers (protobuf.dev/programming-guides/encoding).
import { wasm } from '../../runtime/runtime.js';
import { allocateBlock, type MemoryBlock } from '../../runtime/wasm_memory.js';
import { encodeString } from '../../util/numbers.js';

/** A block of the engine's memory with bytes of a file. */
export interface FileBlock extends MemoryBlock {
  path: string;
  /** Position of the bytes in the file. */
  offset: number;
}

/** Smaller tensors stay in the file: the bookkeeping of a block takes as much memory as is saved. */
const kMinBlockBytes = 256;
/** Path of the blocks with data of the file itself, one after the other, which no other file has. */
const kOwnPath = '';

// Wire types.
const kVarint = 0;
const kFixed64 = 1;
const kBytes = 2;
const kFixed32 = 5;

/** Code of "<", with which pages of HTML begin, and no field does. */
const kLess = 60;

// Fields of a tensor.
const kRawData = 9;
const kExternalData = 13;
const kDataLocation = 14;

/** A message whose fields are read: the messages inside that are, too, by their fields. */
type Level = { readonly [field: number]: Level | undefined };

const kTensor: Level = {};
/** An attribute of a node has a tensor. */
const kAttribute: Level = { 5: kTensor };
/** A graph has nodes and initializers. */
const kGraph: Level = { 1: { 5: kAttribute }, 5: kTensor };
const kModel: Level = { 7: kGraph };

/** Parts of a message, one after the other. */
type Parts = Uint8Array[];

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** Returns a field of bytes. */
function toField(field: number, content: Parts): Parts {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return [Uint8Array.from([...varint(field * 8 + kBytes), ...varint(size)]), ...content];
}

/** Reads a file chunk by chunk. Every length is checked; what is inside of fields is left to the engine. */
export class OnnxSplitter {
  /** The blocks, which are the caller's to free. */
  readonly blocks: FileBlock[] = [];
  readonly #length: number;
  readonly #steps = this.#readMessage(Infinity, kModel);
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Bytes of all earlier chunks. */
  #before = 0;
  /** Bytes in blocks. */
  #moved = 0;
  #isLast = false;

  /** `length` is the expected number of bytes; larger data of a tensor gets its block only once all of it is there. */
  constructor(length = 0) {
    this.#length = length;
  }

  /** Reads the next bytes, which must not change. Throws for bytes that are not an ONNX file, and OutOfMemoryError. */
  write(chunk: Uint8Array): void {
    this.#before += this.#chunk.length;
    this.#chunk = chunk;
    this.#at = 0;
    this.#steps.next();
  }

  /** Returns the file without the data in blocks, in parts. Throws if the file ends too early. */
  end(): Parts {
    this.#isLast = true;
    return this.#steps.next().value!;
  }

  get #position(): number {
    return this.#before + this.#at;
  }

  *#readMessage(end: number, level: Level): Generator<undefined, Parts> {
    const parts: Parts = [];
    let isMoved = false;
    while (end === Infinity ? yield* this.#hasMore() : this.#position < end) {
      const header: number[] = [];
      const tag = yield* this.#readVarint(header);
      const type = tag % 8;
      const field = Math.floor(tag / 8);
      let size = 0;
      if (type === kVarint) yield* this.#readVarint(header);
      else if (type === kBytes) size = yield* this.#readVarint(header);
      else if (type === kFixed32 || type === kFixed64) size = type === kFixed32 ? 4 : 8;
      else
        throw invalid(
          tag === kLess && this.#position === 1 ? 'it looks like HTML' : `field ${field} has the wire type ${type}`,
        );
      if (size > end - this.#position) throw endsWithin(size);
      const inner = type === kBytes && level[field];
      let content: Parts = [Uint8Array.from(header)];
      if (inner) content = toField(field, yield* this.#readMessage(this.#position + size, inner));
      else if (type === kBytes && level === kTensor && field === kRawData && size >= kMinBlockBytes) {
        content = yield* this.#moveToBlock(size);
        isMoved = true;
      } else {
        // A copy, as a part of a chunk would keep all of the chunk.
        yield* this.#read(size, (part) => content.push(part.slice()));
        // The block replaces external data that the file states as well.
        if (isMoved && (field === kExternalData || field === kDataLocation)) continue;
      }
      for (const part of content) parts.push(part);
    }
    if (end < this.#position) throw endsWithin(this.#position - end);
    return parts;
  }

  /** Waits for the next byte. Returns false at the end of the file. */
  *#hasMore(): Generator<undefined, boolean> {
    while (this.#at === this.#chunk.length) {
      if (this.#isLast) return false;
      yield;
    }
    return true;
  }

  /** Reads a number, and appends its bytes. */
  *#readVarint(bytes: number[]): Generator<undefined, number> {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      if (!(yield* this.#hasMore())) throw endsWithin(1);
      const byte = this.#chunk[this.#at++]!;
      bytes.push(byte);
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    throw invalid('a number has more than 64 bits');
  }

  /** Passes the next `size` bytes on, part by part. */
  *#read(size: number, use: (part: Uint8Array) => void): Generator<undefined, void> {
    for (let left = size; left > 0; ) {
      if (!(yield* this.#hasMore())) throw endsWithin(size);
      const part = this.#chunk.subarray(this.#at, this.#at + left);
      use(part);
      this.#at += part.length;
      left -= part.length;
    }
  }

  /** Moves a tensor's data to a block, and returns the fields that say where it is. */
  *#moveToBlock(length: number): Generator<undefined, Parts> {
    const isExpected = length <= this.#length - this.#position;
    // A file that claims more bytes than it has must not take memory for them.
    const early: Parts = [];
    if (!isExpected) yield* this.#read(length, (part) => early.push(part));
    const block = allocateBlock(length);
    const offset = this.#moved;
    this.#moved += length;
    this.blocks.push({ ...block, path: kOwnPath, offset });
    let to = block.address;
    const store = (part: Uint8Array) => {
      wasm.HEAPU8.set(part, to);
      to += part.length;
    };
    early.forEach(store);
    if (isExpected) yield* this.#read(length, store);
    return [
      ...Object.entries({ offset, length }).flatMap(([key, value]) =>
        toField(kExternalData, [...toField(1, [encodeString(key)]), ...toField(2, [encodeString(String(value))])]),
      ),
      Uint8Array.from([kDataLocation * 8 + kVarint, 1]),
    ];
  }
}

function endsWithin(size: number): Error {
  return invalid(`the file ends within a field of ${size} bytes`);
}

function invalid(message: string): Error {
  return new Error(`the file is not an ONNX model: ${message}`);
}
