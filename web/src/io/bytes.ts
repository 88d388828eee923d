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

/** Resolves to the bytes at a URL or, in Node, at a path. Rejects with an error that names it. */
export async function readBytes(source: string, options: ReadOptions = {}): Promise<Uint8Array> {
  options.onProgress?.(0);
  const isUrl = /^(?:https?|data|blob):/.test(source);
  const bytes = await (isNode && !isUrl && !options.fetchFunc ? readFile(source) : fetchBytes(source, options));
  options.onProgress?.(1);
  return bytes;
}

async function readFile(source: string): Promise<Uint8Array> {
  const fs = nodeBuiltin('node:fs')?.promises;
  if (!fs) throw new Error(`Cannot open ${source}: there are no files here`);
  try {
    return await fs.readFile(findExistingPath(source));
  } catch (error) {
    throw new Error(`Cannot read ${source}: ${getErrorMessage(error)}`, { cause: error });
  }
}

async function fetchBytes(source: string, { requestInit, fetchFunc, onProgress }: ReadOptions): Promise<Uint8Array> {
  const response = await (fetchFunc ? fetchFunc(source, requestInit) : platform().fetch(source, requestInit));
  if (!response.ok) throw new Error(`Request to ${source} failed with status code ${response.status}.`);
  const length = Number(response.headers?.get('Content-Length') ?? 0);
  if (!onProgress || !response.body || !(length > 0)) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    chunks.push(chunk.value);
    size += chunk.value.length;
    // A compressed response has more bytes than its length says.
    onProgress(Math.min(size / length, 1));
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
