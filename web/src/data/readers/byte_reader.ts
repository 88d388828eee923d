/** Bytes that arrive piece by piece, read in pieces of any other size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array, undefined>;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;
  #ended = false;
  /** How many bytes were read. */
  offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  }

  /**
   * The next `count` bytes, or those that are left where there are fewer. Memory is taken for what is there, whatever
   * `count` says. They may be a view of what arrived: copy what shall last.
   */
  async take(count: number): Promise<Uint8Array> {
    if (this.#at + count <= this.#chunk.length) return this.#cut(count);
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0 && (await this.#fill())) {
      const part = this.#cut(Math.min(missing, this.#chunk.length - this.#at));
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0]! : joined(parts, count - missing);
  }

  /** Ends the source, also in the middle. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #cut(count: number): Uint8Array {
    this.offset += count;
    return this.#chunk.subarray(this.#at, (this.#at += count));
  }

  async #fill(): Promise<boolean> {
    while (!this.#ended && this.#at === this.#chunk.length) {
      const { value, done } = await this.#chunks.next();
      this.#ended = done === true;
      this.#chunk = this.#ended ? new Uint8Array() : value!;
      this.#at = 0;
    }
    return !this.#ended;
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
