import { Encoder } from '../runtime/text_coding.js';
/** Wire types of protocol buffers: https://protobuf.dev/programming-guides/encoding. */
const kVarint = 0;
const kFixed64 = 1;
const kLengthDelimited = 2;
const kFixed32 = 5;

/** A writer of one protocol buffers message. Its methods return the writer, so that fields can be chained. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = [];

  /** Writes an int64 or enum field. `value` is an integer, negative ones as two's complement. */
  int(field: number, value: number): this {
    this.#tag(field, kVarint);
    return this.#varint(BigInt.asUintN(64, BigInt(value)));
  }
  double(field: number, value: number): this {
    this.#tag(field, kFixed64);
    return this.#append(new Uint8Array(Float64Array.of(value).buffer));
  }
  float(field: number, value: number): this {
    this.#tag(field, kFixed32);
    return this.#append(new Uint8Array(Float32Array.of(value).buffer));
  }
  text(field: number, value: string): this {
    return this.bytes(field, new Encoder().encode(value));
  }
  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, kLengthDelimited);
    this.#varint(BigInt(value.length));
    return this.#append(value);
  }
  message(field: number, value: MessageWriter): this {
    return this.bytes(field, value.finish());
  }
  /** Returns the message's bytes. */
  finish(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#parts));
  }

  #tag(field: number, wire: number): void {
    this.#varint(BigInt(field * 8 + wire));
  }
  #varint(value: bigint): this {
    const bytes: number[] = [];
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    return this.#append(Uint8Array.of(...bytes, Number(value)));
  }
  #append(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }
}
