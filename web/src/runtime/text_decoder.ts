/** What the script of Emscripten reads texts in the engine's memory with: browsers decode nothing out of shared memory. */
export class HeapTextDecoder {
  readonly #decoder: TextDecoder;

  constructor(encoding?: string) {
    this.#decoder = new globalThis.TextDecoder(encoding);
  }

  decode(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
  }
}
