// Which handlers a URL has: each router is asked.
import { downloadsRouter } from './browser_files.js';
import { fileRouter } from './file.js';
import { httpRouter } from './http.js';
import { indexedDbRouter } from './indexed_db.js';
import { localStorageRouter } from './local_storage.js';
import type { IOHandler, LoadOptions } from './types.js';

/** A handler for a URL that it knows, else null. */
export type IORouter = (url: string | string[], loadOptions?: LoadOptions) => IOHandler | null;

const loadRouters: IORouter[] = [fileRouter, httpRouter, localStorageRouter, indexedDbRouter];
const saveRouters: IORouter[] = [fileRouter, httpRouter, localStorageRouter, indexedDbRouter, downloadsRouter];

/**
 * From now on, loading asks this function too.
 * @example
 * const artifacts = { modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) };
 * tf.io.registerLoadRouter((url) => (String(url).startsWith('mine://') ? { load: async () => artifacts } : null));
 * tf.io.getLoadHandlers('mine://model').length; // 1
 */
export function registerLoadRouter(loadRouter: IORouter): void {
  loadRouters.push(loadRouter);
}

/**
 * From now on, saving asks this function too.
 * @example
 * tf.io.registerSaveRouter((url) => (String(url).startsWith('yours://') ? { save: async () => ({}) } : null));
 * tf.io.getSaveHandlers('yours://model').length; // 1
 */
export function registerSaveRouter(saveRouter: IORouter): void {
  saveRouters.push(saveRouter);
}

/**
 * The handlers that can load from a URL.
 * @example
 * tf.io.getLoadHandlers('https://example.com/model.json').length; // 1
 */
export function getLoadHandlers(url: string | string[], loadOptions?: LoadOptions): IOHandler[] {
  return loadRouters.map((router) => router(url, loadOptions)).filter((handler) => handler !== null);
}

/**
 * The handlers that can save to a URL.
 * @example
 * tf.io.getSaveHandlers('gopher://model').length; // 0
 */
export function getSaveHandlers(url: string | string[]): IOHandler[] {
  return saveRouters.map((router) => router(url)).filter((handler) => handler !== null);
}
