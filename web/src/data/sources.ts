import { nodeBuiltin, isNode } from '../runtime/node_builtins.js';
import { assert } from '../util/checks.js';
import { findExistingPath } from '../util/file_url.js';
import { readChunks, gunzip } from './gunzip.js';

/** A source of bytes, which are read in chunks, from the beginning each time. */
export abstract class DataSource {
  /** Name for messages: a URL, or a file's name. */
  abstract readonly name: string;
  /** Returns the bytes from the beginning, in chunks. Leaving the loop ends the reading. */
  abstract chunks(): AsyncIterable<Uint8Array>;

  /** Resolves to an iterator over the chunks, from the beginning. */
  iterator(): Promise<AsyncIterator<Uint8Array>> {
    return Promise.resolve(this.chunks()[Symbol.asyncIterator]());
  }
}

/** Options of FileDataSource. */
export interface FileDataSourceOptions {
  /** Offset to begin at, in bytes; 0 by default. */
  offset?: number;
  /** Size of chunks in bytes; 1 MiB by default. */
  chunkSize?: number;
  /** True to decompress gzip; by default, if the name ends in .gz and the bytes are gzip. */
  gzip?: boolean;
}

const kChunkSize = 1024 * 1024;

/**
 * The bytes of a file that the user chose in a page, of a Blob, or of an array; in Node also of the file at a path.
 * @example
 * const source = new tf.data.FileDataSource(new Blob(['one\ntwo\n']));
 * const iterator = await source.iterator();
 * const { value } = await iterator.next();
 * value.length; // 8
 */
export class FileDataSource extends DataSource {
  /** Name of the file, or its path, for messages. */
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
    return gunzip(this.#rawChunks(), this.name, this.#options.gzip);
  }

  async *#rawChunks(): AsyncGenerator<Uint8Array, void> {
    const file = this.#file;
    const { offset = 0, chunkSize = kChunkSize } = this.#options;
    if (typeof file === 'string') return yield* readChunks(openFile(file, offset, chunkSize));
    const size = file instanceof Uint8Array ? file.byteLength : file.size;
    for (let at = offset; at < size; at += chunkSize) {
      const piece = file.slice(at, Math.min(size, at + chunkSize));
      yield piece instanceof Uint8Array ? piece : new Uint8Array(await piece.arrayBuffer());
    }
  }
}

/** Options of URLDataSource, and of its request. */
export interface URLDataSourceOptions extends RequestInit {
  /**
   * True to decompress gzip; by default, if the name ends in .gz and the bytes are gzip, as a server may have
   * decompressed them.
   */
  gzip?: boolean;
}

/**
 * The bytes at a URL (http, https, data, blob; in Node also file, and paths), as they arrive.
 * @example
 * const url = URL.createObjectURL(new Blob(['hello\n']));
 * await new tf.data.TextLineDataset(new tf.data.URLDataSource(url)).toArray(); // ['hello']
 * URL.revokeObjectURL(url);
 */
export class URLDataSource extends DataSource {
  /** URL, for messages. */
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
    return gunzip(this.#rawChunks(init), this.name, gzip);
  }

  async *#rawChunks(init: RequestInit): AsyncGenerator<Uint8Array, void> {
    if (isPath(this.name)) return yield* readChunks(openFile(this.name, 0, kChunkSize));
    const response = await fetch(this.#request, init);
    if (!response.ok) throw new Error(`${this.name}: ${response.status} ${response.statusText}`.trimEnd());
    yield* readChunks(response.body ?? new Blob([]).stream());
  }
}

/**
 * True if a name is that of a file: it begins with file: or, in Node, has no URL scheme. A drive letter is not a scheme.
 */
function isPath(name: string): boolean {
  return name.startsWith('file:') || (isNode && !/^[a-z][a-z\d+.-]+:/i.test(name));
}

function openFile(name: string, start: number, highWaterMark: number): ReadableStream<Uint8Array> {
  const fs = nodeBuiltin('node:fs');
  const stream = nodeBuiltin('node:stream');
  if (!fs || !stream) throw new Error(`Cannot open ${name}: there is no file system here`);
  return stream.Readable.toWeb(
    fs.createReadStream(findExistingPath(name), { start, highWaterMark }),
  ) as unknown as ReadableStream<Uint8Array>;
}
