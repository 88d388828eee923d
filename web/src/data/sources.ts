import { builtIn, isNode } from '../runtime/built_in.js';
import { assert } from '../util/checks.js';
import { pathOfExistingFile } from '../util/file_url.js';
import { piecesOf, unzipped } from './unzip.js';

/** Bytes, read piece by piece each time they are asked for. */
export abstract class DataSource {
  /** What messages call it: a URL, or a file's name. */
  abstract readonly name: string;
  /** The bytes from the beginning; leaving the loop ends the reading. */
  abstract chunks(): AsyncIterable<Uint8Array>;

  /** The pieces one by one. */
  iterator(): Promise<AsyncIterator<Uint8Array>> {
    return Promise.resolve(this.chunks()[Symbol.asyncIterator]());
  }
}

/** How a FileDataSource reads. */
export interface FileDataSourceOptions {
  /** Where to begin, in bytes. */
  offset?: number;
  /** Bytes read at a time. */
  chunkSize?: number;
  /** Whether the bytes are to be unzipped; by default where the name ends in .gz. */
  gzip?: boolean;
}

const kChunkSize = 1024 * 1024;

/**
 * The bytes of a file, as the user chose it in a page, of a Blob, or of an array; in Node also of a file's path.
 * @example
 * const source = new tf.data.FileDataSource(new Blob(['one\ntwo\n']));
 * const iterator = await source.iterator();
 * const { value } = await iterator.next();
 * value.length; // 8
 */
export class FileDataSource extends DataSource {
  readonly name: string;
  readonly #file: Blob | Uint8Array | string;
  readonly #options: FileDataSourceOptions;

  constructor(input: Blob | Uint8Array | string, options: FileDataSourceOptions = {}) {
    super();
    const isBytes = input instanceof Uint8Array || (typeof Blob === 'function' && input instanceof Blob);
    assert(
      isBytes || (typeof input === 'string' && isPath(input)),
      () => 'FileDataSource only supports `Blob` and `Uint8Array`, `File` in pages, and paths in Node.',
    );
    this.name = typeof input === 'string' ? input : ((input as File).name ?? 'a file');
    this.#file = input;
    this.#options = options;
  }

  override chunks(): AsyncIterable<Uint8Array> {
    return unzipped(this.#pieces(), this.name, this.#options.gzip);
  }

  async *#pieces(): AsyncGenerator<Uint8Array, void> {
    const file = this.#file;
    const { offset = 0, chunkSize = kChunkSize } = this.#options;
    if (typeof file === 'string') return yield* piecesOf(openFile(file, offset, chunkSize));
    const size = file instanceof Uint8Array ? file.byteLength : file.size;
    for (let at = offset; at < size; at += chunkSize) {
      const piece = file.slice(at, Math.min(size, at + chunkSize));
      yield piece instanceof Uint8Array ? piece : new Uint8Array(await piece.arrayBuffer());
    }
  }
}

/** How a URLDataSource reads. */
export interface URLDataSourceOptions extends RequestInit {
  /** Whether the bytes are to be unzipped; by default where the name ends in .gz and a server has not done it. */
  gzip?: boolean;
}

/**
 * The bytes behind a URL (http, https, data, blob; in Node also file, and paths), as they arrive.
 * @example
 * const url = URL.createObjectURL(new Blob(['hello\n']));
 * await new tf.data.TextLineDataset(new tf.data.URLDataSource(url)).toArray(); // ['hello']
 * URL.revokeObjectURL(url);
 */
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

  override chunks(): AsyncIterable<Uint8Array> {
    const { gzip, ...init } = this.#options;
    return unzipped(this.#pieces(init), this.name, gzip);
  }

  async *#pieces(init: RequestInit): AsyncGenerator<Uint8Array, void> {
    if (isPath(this.name)) return yield* piecesOf(openFile(this.name, 0, kChunkSize));
    const response = await fetch(this.#request, init);
    if (!response.ok) throw new Error(`${this.name}: ${response.status} ${response.statusText}`.trimEnd());
    yield* piecesOf(response.body ?? new Blob([]).stream());
  }
}

/** Whether a name is that of a file: file://, or in Node what has no scheme of a URL, or a drive's letter for one. */
function isPath(name: string): boolean {
  return name.startsWith('file:') || (isNode && !/^[a-z][a-z\d+.-]+:/i.test(name));
}

function openFile(name: string, start: number, highWaterMark: number): ReadableStream<Uint8Array> {
  const fs = builtIn('node:fs');
  const stream = builtIn('node:stream');
  if (!fs || !stream) throw new Error(`Cannot open ${name}: there are no files here`);
  return stream.Readable.toWeb(fs.createReadStream(pathOfExistingFile(name), { start, highWaterMark })) as unknown as ReadableStream<Uint8Array>;
}
