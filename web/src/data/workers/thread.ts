import { nodeBuiltin } from '../../runtime/node_builtins.js';
import { workerCode } from './worker_code.js';

/** A worker's answer: a result or an error. */
export interface Answer {
  result?: unknown;
  error?: { name: string; message: string; stack?: string };
}

/** A worker of Node or of a page. */
export interface Thread {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Sets whether the worker keeps a Node process alive. */
  setRef(on: boolean): void;
  end(): Promise<void>;
}

/** Starts a worker. Calls `ended` if it ends by itself or fails. */
export function startThread(onAnswer: (answer: Answer) => void, ended: (error: Error) => void): Thread {
  const threads = nodeBuiltin('node:worker_threads');
  if (threads) {
    const worker = new threads.Worker(new URL(`data:text/javascript,${encodeURIComponent(workerCode(true))}`));
    worker.on('message', onAnswer);
    worker.on('messageerror', ended);
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`the worker ended with code ${code}`)));
    worker.unref();
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      setRef: (on) => (on ? worker.ref() : worker.unref()),
      end: async () => void (await worker.terminate()),
    };
  }
  const code = URL.createObjectURL(new Blob([workerCode(false)], { type: 'text/javascript' }));
  const worker = new Worker(code, { type: 'module' });
  worker.onmessage = ({ data }) => onAnswer(data as Answer);
  worker.onmessageerror = () => ended(new Error('a message of the worker cannot be read'));
  worker.onerror = (event) => ended(new Error(event.message || 'the worker could not be started'));
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    setRef: () => undefined,
    end: () => {
      worker.terminate();
      URL.revokeObjectURL(code);
      return Promise.resolve();
    },
  };
}

/**
 * Returns the absolute URL of a module for a worker, which has no base URL. Relative to the page, or in Node to the
 * working folder.
 */
export function resolveModuleUrl(module: string | URL): string {
  const path = nodeBuiltin('node:path');
  const isAddress = module instanceof URL || /^[a-z][a-z\d+.-]+:/i.test(module);
  if (isAddress) return String(module);
  if (path) return nodeBuiltin('node:url')!.pathToFileURL(path.resolve(module)).href;
  return new URL(module, location.href).href;
}
