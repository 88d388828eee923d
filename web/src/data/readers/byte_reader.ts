/** A reader of bytes that arrive in chunks, in pieces of any other size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array, undefined>;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;
  #ended = false;
  /** Number of bytes that were read. */
  offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  }

  /**
   * Resolves to the next `count` bytes, or fewer at the end. Only allocates for bytes that arrive, whatever `count` is.
   * They may be a view of a chunk: copy what must outlive it.
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
    return parts.length === 1 ? parts[0]! : concatBytes(parts, count - missing);
  }

  /** Closes the source, possibly before its end. */
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

function concatBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
