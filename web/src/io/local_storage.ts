// Models in the page's localStorage, under the keys of TensorFlow.js: each reads what the other wrote.
import { pickDescription, serializeArtifacts } from './artifacts.js';
import type {
  IOHandler,
  ModelArtifacts,
  ModelArtifactsInfo,
  ModelStoreManager,
  WeightsManifestEntry,
} from './types.js';
import { setEntry } from '../util/entries.js';
import { parseJson } from '../util/json.js';

const kScheme = 'localstorage://';
const kRoot = 'tensorflowjs_models/';
const kParts = ['info', 'model_topology', 'weight_specs', 'weight_data', 'model_metadata'] as const;
const itemKey = (path: string, part: (typeof kParts)[number]) => `${kRoot}${path}/${part}`;

function storage(): Storage {
  const found = typeof window === 'undefined' ? undefined : window.localStorage;
  if (!found) throw new Error('The current environment does not support local storage.');
  return found;
}

/** Returns a handler that stores a model under a name. Throws if the name is empty or there is no local storage. */
function localStorageHandler(path: string): IOHandler {
  const store = storage();
  if (!path) throw new Error('For local storage, modelPath must not be null, undefined or empty.');
  return {
    load: () => new Promise((resolve) => resolve(read(store, path))),
    save: (artifacts) => new Promise((resolve) => resolve({ modelArtifactsInfo: write(store, path, artifacts) })),
  };
}

/** Returns a handler for `localstorage://name` in pages, else null. */
export function localStorageRouter(url: string | string[]): IOHandler | null {
  if (typeof window === 'undefined' || Array.isArray(url) || !url.startsWith(kScheme)) return null;
  return localStorageHandler(url.slice(kScheme.length));
}

function write(store: Storage, path: string, artifacts: ModelArtifacts): ModelArtifactsInfo {
  const { weights, modelArtifactsInfo: info } = serializeArtifacts(artifacts, '', 'BrowserLocalStorage.save()');
  const { modelTopology, ...metadata } = pickDescription(artifacts);
  const values = {
    info,
    model_topology: modelTopology,
    weight_specs: artifacts.weightSpecs ?? [],
    weight_data: encodeBase64(new Uint8Array(weights ?? new ArrayBuffer(0))),
    model_metadata: metadata,
  };
  const entries = kParts.map((part) => {
    const value = values[part];
    return { key: itemKey(path, part), text: typeof value === 'string' ? value : JSON.stringify(value) };
  });
  try {
    replaceItems(store, entries);
  } catch (error) {
    throw new Error(
      `Failed to save model '${path}' to local storage: size quota being exceeded is a possible cause of this failure: ` +
        `modelTopologyBytes=${info.modelTopologyBytes}, weightSpecsBytes=${info.weightSpecsBytes}, ` +
        `weightDataBytes=${info.weightDataBytes}.`,
      { cause: error },
    );
  }
  return info;
}

interface Item {
  key: string;
  text: string;
}

/**
 * Writes all items, or restores the previous ones: a model that does not fit must not destroy the one that it replaces.
 * The item that grows most is written first, so that it fails before anything is changed. If that fails and some items
 * shrink, they are written in reverse order, to make room first. Throws what the store throws.
 */
function replaceItems(store: Storage, items: readonly Item[]): void {
  const old = new Map(items.map(({ key }) => [key, store.getItem(key)]));
  const growth = ({ key, text }: Item) => text.length - (old.get(key)?.length ?? 0);
  const largestFirst = [...items].sort((a, b) => growth(b) - growth(a));
  try {
    writeItems(store, largestFirst, old);
  } catch (error) {
    if (!items.some((item) => growth(item) < 0)) throw error;
    writeItems(store, largestFirst.reverse(), old);
  }
}

/** Writes items in order. If the store throws, restores the previous items and throws the same. */
function writeItems(store: Storage, items: readonly Item[], old: ReadonlyMap<string, string | null>): void {
  const written: string[] = [];
  try {
    for (const { key, text } of items) {
      store.setItem(key, text);
      written.push(key);
    }
  } catch (error) {
    restoreItems(store, written, old);
    throw error;
  }
}

/**
 * Restores the previous items of the written keys. If another page has used up their room meanwhile, removes all items,
 * as a mix of two models is unusable.
 */
function restoreItems(store: Storage, written: readonly string[], old: ReadonlyMap<string, string | null>): void {
  try {
    for (const key of written) if (old.get(key) === null) store.removeItem(key);
    for (const key of [...written].reverse()) {
      const text = old.get(key);
      if (typeof text === 'string') store.setItem(key, text);
    }
  } catch {
    for (const key of old.keys()) store.removeItem(key);
  }
}

function read(store: Storage, path: string): ModelArtifacts {
  const get = (part: (typeof kParts)[number], missing: string) => {
    const text = store.getItem(itemKey(path, part));
    if (text === null) throw new Error(`In local storage, ${missing}`);
    return text;
  };
  const info = parseJson<ModelArtifactsInfo>(get('info', `there is no model with name '${path}'`));
  if (info.modelTopologyType !== 'JSON') {
    throw new Error('BrowserLocalStorage does not support loading non-JSON model topology yet.');
  }
  const modelTopology = parseJson<object>(get('model_topology', `the topology of model '${path}' is missing.`));
  const specs = get('weight_specs', `the weight specs of model '${path}' are missing.`);
  const bytes = get('weight_data', `the binary weight values of model '${path}' are missing.`);
  return {
    ...parseJson<object>(store.getItem(itemKey(path, 'model_metadata')) ?? '{}'),
    modelTopology,
    weightSpecs: parseJson<WeightsManifestEntry[]>(specs),
    weightData: Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)).buffer,
  };
}

function remove(store: Storage, path: string): void {
  for (const part of kParts) store.removeItem(itemKey(path, part));
}

function encodeBase64(bytes: Uint8Array): string {
  const kChunk = 1 << 15;
  let text = '';
  for (let at = 0; at < bytes.length; at += kChunk) text += String.fromCharCode(...bytes.subarray(at, at + kChunk));
  return btoa(text);
}

/** The models in the page's local storage. */
export const localStorageManager: ModelStoreManager = {
  listModels() {
    const store = storage();
    const infos: Record<string, ModelArtifactsInfo> = {};
    for (let i = 0; i < store.length; i++) {
      const [, path] = /^tensorflowjs_models\/(.+)\/info$/.exec(store.key(i)!) ?? [];
      if (path) setEntry(infos, path, JSON.parse(store.getItem(itemKey(path, 'info'))!));
    }
    return Promise.resolve(infos);
  },
  removeModel(path) {
    const store = storage();
    const info = store.getItem(itemKey(path, 'info'));
    if (info === null) return Promise.reject(new Error(`Cannot find model at path '${path}'`));
    remove(store, path);
    return Promise.resolve(parseJson<ModelArtifactsInfo>(info));
  },
};
