import { builtIn } from '../runtime/built_in.js';
import { assert } from '../util/checks.js';

/** Bytes, read piece by piece each time they are asked for. */
export abstract class DataSource {
  /** What messages call it: a URL, or a file's name. */
  abstract readonly name: string;
  /** @internal */
  abstract chunks(): AsyncIterable<Uint8Array>;
}

/** How a FileDataSource reads. */
export interface FileDataSourceOptions {
  /** Where to begin, in bytes. */
  offset?: number;
  /** Bytes read at a time. */
  chunkSize?: number;
}

const kChunkSize = 1024 * 1024;

/** The bytes of a file, as the user chose it in a page, of a Blob, or of an array. */
export class FileDataSource extends DataSource {
  readonly name: string;
  readonly #file: Blob | Uint8Array;
  readonly #options: FileDataSourceOptions;

  constructor(input: Blob | Uint8Array, options: FileDataSourceOptions = {}) {
    super();
    assert(
      input instanceof Uint8Array || (typeof Blob === 'function' && input instanceof Blob),
      () => 'FileDataSource only supports `Blob` and `Uint8Array`, and `File` in pages.',
    );
    this.name = (input as File).name ?? 'a file';
    this.#file = input;
    this.#options = options;
  }

  override async *chunks(): AsyncIterable<Uint8Array> {
    const file = this.#file;
    const { offset = 0, chunkSize = kChunkSize } = this.#options;
    const size = file instanceof Uint8Array ? file.byteLength : file.size;
    for (let at = offset; at < size; at += chunkSize) {
      const piece = file.slice(at, Math.min(size, at + chunkSize));
      yield piece instanceof Uint8Array ? piece : new Uint8Array(await piece.arrayBuffer());
    }
  }
}

/** How a URLDataSource reads. */
export interface URLDataSourceOptions extends RequestInit {
  /** Whether the bytes are to be unzipped; by default where the name ends in .gz. */
  gzip?: boolean;
}

/** The bytes behind a URL (http, https, data, blob; file in Node), as they arrive. */
export class URLDataSource extends DataSource {
  readonly name: string;
  readonly #request: RequestInfo | URL;
  readonly #options: URLDataSourceOptions;

  constructor(url: RequestInfo | URL, options: URLDataSourceOptions = {}) {
    super();
    this.#request = url;
    this.#options = options;
    this.name = url instanceof Request ? url.url : String(url);
  }

  override async *chunks(): AsyncIterable<Uint8Array> {
    const { gzip = /\.gz($|\?)/.test(this.name), ...init } = this.#options;
    const raw = this.name.startsWith('file:') ? readFile(this.name) : await this.#fetch(init);
    const stream = gzip ? raw.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>) : raw;
    const reader = stream.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      // Also where the loop is left in the middle: the download ends.
      await reader.cancel().catch(() => undefined);
    }
  }

  async #fetch(init: RequestInit): Promise<ReadableStream<Uint8Array>> {
    const response = await fetch(this.#request, init);
    if (!response.ok) throw new Error(`${this.name}: ${response.status} ${response.statusText}`.trimEnd());
    return response.body ?? new Blob([]).stream();
  }
}

function readFile(url: string): ReadableStream<Uint8Array> {
  const fs = builtIn('node:fs');
  const stream = builtIn('node:stream');
  if (!fs || !stream) throw new Error(`Cannot open ${url}: there are no files here`);
  // TensorFlow.js takes file://relative/path too, which is no URL.
  const path = url.startsWith('file:///') ? new URL(url) : url.slice('file://'.length);
  return stream.Readable.toWeb(fs.createReadStream(path, { highWaterMark: kChunkSize })) as unknown as ReadableStream<Uint8Array>;
}
