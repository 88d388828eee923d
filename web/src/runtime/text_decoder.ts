import { Decoder } from './text_coding.js';

/** The TextDecoder of Emscripten's script. Copies bytes in shared memory first, because browsers refuse to decode them. */
export class HeapTextDecoder {
  readonly #decoder: TextDecoder;

  constructor(encoding?: string) {
    this.#decoder = new Decoder(encoding);
  }

  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
  }
}
