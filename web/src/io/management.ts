// Management of models that are stored under URLs, in local storage and IndexedDB.
import { indexedDbManager } from './indexed_db.js';
import { localStorageManager } from './local_storage.js';
import { getLoadHandlers, getSaveHandlers } from './router.js';
import type { IOHandler, ModelArtifactsInfo, ModelStoreManager } from './types.js';
import { assert } from '../util/checks.js';

/** Returns the stores that exist here, by URL scheme. */
function managers(): Record<string, ModelStoreManager> {
  return {
    ...(typeof window !== 'undefined' && { localstorage: localStorageManager }),
    ...(typeof indexedDB !== 'undefined' && { indexeddb: indexedDbManager }),
  };
}

/**
 * Resolves to the dates and sizes of the models in all stores, by URL.
 * @example
 * await tf.io.listModels(); // {}: in a page, the models in localStorage and IndexedDB
 */
export async function listModels(): Promise<Record<string, ModelArtifactsInfo>> {
  const infos: Record<string, ModelArtifactsInfo> = {};
  for (const [scheme, manager] of Object.entries(managers())) {
    for (const [path, info] of Object.entries(await manager.listModels())) infos[`${scheme}://${path}`] = info;
  }
  return infos;
}

/**
 * Removes the model at a URL, and resolves to its info. Rejects if there is none.
 * @example
 * await tf.io.removeModel('localstorage://none'); // throws Error: Cannot find model manager for scheme 'localstorage'
 */
export async function removeModel(url: string): Promise<ModelArtifactsInfo> {
  const { manager, path } = resolveUrl(url);
  return manager.removeModel(path);
}

/**
 * Copies the model at one URL to another, and resolves to its info. Rejects unless each URL has exactly one handler.
 * @example
 * await tf.io.copyModel('localstorage://none', 'localstorage://copy'); // throws Error: Copying failed because no load handler is found for source URL localstorage://none.
 */
export async function copyModel(sourceURL: string, destURL: string): Promise<ModelArtifactsInfo> {
  assert(sourceURL !== destURL, () => `Old path and new path are the same: '${sourceURL}'`);
  const source = getSingleHandler(getLoadHandlers(sourceURL), 'load', `source URL ${sourceURL}`);
  const destination = getSingleHandler(getSaveHandlers(destURL), 'save', `destination URL ${destURL}`);
  const { modelArtifactsInfo } = await destination.save!(await source.load!());
  return modelArtifactsInfo;
}

/**
 * Moves the model at one URL to another, and resolves to its info. Rejects unless each URL has exactly one handler.
 * @example
 * await tf.io.moveModel('localstorage://none', 'localstorage://moved'); // throws Error: Cannot find model manager for scheme 'localstorage'
 */
export async function moveModel(sourceURL: string, destURL: string): Promise<ModelArtifactsInfo> {
  const { manager, path } = resolveUrl(sourceURL);
  const info = await copyModel(sourceURL, destURL);
  await manager.removeModel(path);
  return info;
}

function getSingleHandler(handlers: IOHandler[], what: string, where: string): IOHandler {
  assert(handlers.length > 0, () => `Copying failed because no ${what} handler is found for ${where}.`);
  assert(
    handlers.length < 2,
    () => `Copying failed because more than one (${handlers.length}) ${what} handlers for ${where}.`,
  );
  return handlers[0]!;
}

function resolveUrl(url: string): { manager: ModelStoreManager; path: string } {
  const known = managers();
  const at = url.indexOf('://');
  if (at === -1) {
    throw new Error(
      `The url string provided does not contain a scheme. Supported schemes are: ${Object.keys(known).join(',')}`,
    );
  }
  const scheme = url.slice(0, at);
  const manager = Object.hasOwn(known, scheme) ? known[scheme] : undefined;
  if (!manager) throw new Error(`Cannot find model manager for scheme '${scheme}'`);
  return { manager, path: url.slice(at + 3) };
}
