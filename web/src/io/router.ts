// Lookup of the IO handlers of a URL, by calling each router.
import { downloadsRouter } from './browser_files.js';
import { fileRouter } from './file.js';
import { httpRouter } from './http.js';
import { indexedDbRouter } from './indexed_db.js';
import { localStorageRouter } from './local_storage.js';
import type { IOHandler, LoadOptions } from './types.js';

/** A function that returns a handler for a URL that it supports, else null. */
export type IORouter = (url: string | string[], loadOptions?: LoadOptions) => IOHandler | null;

const loadRouters: IORouter[] = [fileRouter, httpRouter, localStorageRouter, indexedDbRouter];
const saveRouters: IORouter[] = [fileRouter, httpRouter, localStorageRouter, indexedDbRouter, downloadsRouter];

/**
 * Registers a router for loading, in addition to the present ones.
 * @example
 * const artifacts = { modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) };
 * tf.io.registerLoadRouter((url) => (String(url).startsWith('mine://') ? { load: async () => artifacts } : null));
 * tf.io.getLoadHandlers('mine://model').length; // 1
 */
export function registerLoadRouter(loadRouter: IORouter): void {
  loadRouters.push(loadRouter);
}

/**
 * Registers a router for saving, in addition to the present ones.
 * @example
 * tf.io.registerSaveRouter((url) => (String(url).startsWith('yours://') ? { save: async () => ({}) } : null));
 * tf.io.getSaveHandlers('yours://model').length; // 1
 */
export function registerSaveRouter(saveRouter: IORouter): void {
  saveRouters.push(saveRouter);
}

/**
 * Returns the handlers that can load from a URL.
 * @example
 * tf.io.getLoadHandlers('https://example.com/model.json').length; // 1
 */
export function getLoadHandlers(url: string | string[], loadOptions?: LoadOptions): IOHandler[] {
  return loadRouters.map((router) => router(url, loadOptions)).filter((handler) => handler !== null);
}

/**
 * Returns the handlers that can save to a URL.
 * @example
 * tf.io.getSaveHandlers('gopher://model').length; // 0
 */
export function getSaveHandlers(url: string | string[]): IOHandler[] {
  return saveRouters.map((router) => router(url)).filter((handler) => handler !== null);
}
