// Reads files as bytes.
import { getErrorMessage } from '../runtime/errors.js';
import { isNode, nodeBuiltin } from '../runtime/node_builtins.js';
import { platform } from '../runtime/platform.js';
import { findExistingPath } from '../util/file_url.js';

/** Options of reading a file. */
export interface ReadOptions {
  /** Options of the request. */
  requestInit?: RequestInit;
  /** Called in place of the platform's fetch(). */
  fetchFunc?: typeof fetch;
  /** Called with the fraction of the file that has been read, from 0 to 1, if the server tells its length. */
  onProgress?: (fraction: number) => void;
}

/** The bytes of a file as they arrive. */
export interface ByteStream {
  /** Number of bytes, if it is known. It may be wrong: a server tells that of the compressed bytes. */
  length: number | undefined;
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const kChunkBytes = 2 ** 20;

/** Opens the file at a URL or, in Node, at a path. Rejects, as reading its chunks does, with an error that names it. */
export async function openBytes(source: string, options: ReadOptions = {}): Promise<ByteStream> {
  options.onProgress?.(0);
  return isFilePath(source, options) ? openFile(source, options) : openResponse(source, options);
}

/** True if a source is the path of a file in Node, not an address to fetch. */
export function isFilePath(source: string, { fetchFunc }: ReadOptions): boolean {
  return isNode && !fetchFunc && !/^(?:https?|data|blob):/.test(source);
}

/** Resolves to all bytes of a stream, in chunks. */
export async function readChunks({ chunks }: ByteStream): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

async function openFile(source: string, { onProgress }: ReadOptions): Promise<ByteStream> {
  const fs = nodeBuiltin('node:fs')?.promises;
  if (!fs) throw new Error(`Cannot open ${source}: there is no file system here`);
  const explain = (error: unknown): never => {
    throw new Error(`Cannot read ${source}: ${getErrorMessage(error)}`, { cause: error });
  };
  const path = findExistingPath(source);
  const { size } = await fs.stat(path).catch(explain);
  return { length: size, chunks: readFile() };

  // Opens the file, too, so that one whose chunks are not iterated is not left open.
  async function* readFile(): AsyncGenerator<Uint8Array> {
    const file = await fs!.open(path).catch(explain);
    try {
      for (let done = 0; ; ) {
        const buffer = new Uint8Array(Math.min(size - done, kChunkBytes) || 1);
        const { bytesRead } = await file.read(buffer, 0, buffer.length).catch(explain);
        if (bytesRead === 0) break;
        yield buffer.subarray(0, bytesRead);
        done += bytesRead;
        onProgress?.(Math.min(done / size, 1));
      }
      onProgress?.(1);
    } finally {
      await file.close();
    }
  }
}

async function openResponse(source: string, { requestInit, fetchFunc, onProgress }: ReadOptions): Promise<ByteStream> {
  const explain = (error: unknown): unknown => {
    // The reason of a caller that aborts the request stays as it is.
    if (requestInit?.signal?.aborted) return error;
    return new Error(`Request to ${source} failed: ${getErrorMessage(error)}`, { cause: error });
  };
  let response: Response;
  try {
    response = await (fetchFunc ? fetchFunc(source, requestInit) : platform().fetch(source, requestInit));
  } catch (error) {
    throw explain(error);
  }
  if (requestInit?.signal?.aborted) {
    // A custom fetchFunc may resolve although the request was aborted.
    void response.body?.cancel?.();
    throw requestInit.signal.reason;
  }
  if (!response.ok) throw new Error(`Request to ${source} failed with status code ${response.status}.`);
  const length = Number(response.headers?.get('Content-Length') ?? 0) || undefined;
  return { length, chunks: readResponse() };

  async function* readResponse(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of readBody()) {
      yield chunk;
      size += chunk.length;
      // A compressed response has more bytes than its length says.
      if (length) onProgress?.(Math.min(size / length, 1));
    }
    onProgress?.(1);
  }

  async function* readBody(): AsyncGenerator<Uint8Array> {
    try {
      yield* responseChunks(response);
    } catch (error) {
      throw explain(error);
    }
  }
}

/** Returns the bytes of a response as they arrive. The response is cancelled if not all of them are taken. */
export async function* responseChunks(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  // The response of a custom fetchFunc may have no stream, or one of another kind.
  if (typeof response.body?.getReader !== 'function') return yield new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
