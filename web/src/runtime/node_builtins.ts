import type * as asyncHooksModule from 'node:async_hooks';
import type * as fs from 'node:fs';
import type * as os from 'node:os';
import type * as path from 'node:path';
import type * as stream from 'node:stream';
import type * as url from 'node:url';
import type * as util from 'node:util';
import type * as workerThreads from 'node:worker_threads';
import type * as zlib from 'node:zlib';

interface NodeBuiltins {
  'node:async_hooks': typeof asyncHooksModule;
  'node:fs': typeof fs;
  'node:os': typeof os;
  'node:path': typeof path;
  'node:stream': typeof stream;
  'node:url': typeof url;
  'node:util': typeof util;
  'node:worker_threads': typeof workerThreads;
  'node:zlib': typeof zlib;
}

/** True in Node, and in environments that emulate it by setting process.versions.node. */
export const isNode = typeof process === 'object' && Boolean(process.versions?.node);

/** Node's global `process`; undefined outside Node. Parcel would look for a package in the place of a plain `process`. */
export const nodeProcess = isNode ? globalThis.process : undefined;

/** Returns a built-in module of Node; undefined outside Node, and in Node before 20.16 and 22.3. */
export function nodeBuiltin<K extends keyof NodeBuiltins>(name: K): NodeBuiltins[K] | undefined {
  return nodeProcess?.getBuiltinModule?.(name);
}

/** The module node:async_hooks, which has AsyncLocalStorage; undefined outside Node. */
export const asyncHooks = nodeBuiltin('node:async_hooks');
