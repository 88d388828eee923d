// Models in IndexedDB, in the database and format of TensorFlow.js: each reads what the other wrote.
import { serializeArtifacts } from './artifacts.js';
import type { IOHandler, ModelArtifacts, ModelArtifactsInfo, ModelStoreManager } from './types.js';

const kScheme = 'indexeddb://';
const kModels = 'models_store';
const kInfos = 'model_info_store';

/** A row of either store. Rows of the info store have no artifacts. */
interface Row {
  modelPath: string;
  modelArtifacts?: ModelArtifacts;
  modelArtifactsInfo: ModelArtifactsInfo;
}

const notFoundError = (path: string) => new Error(`Cannot find model with path '${path}' in IndexedDB.`);

/** Returns a handler that stores a model under a name. Throws if the name is empty. */
function indexedDbHandler(path: string): IOHandler {
  if (!path) throw new Error('For IndexedDB, modelPath must not be null, undefined or empty.');
  return {
    load: async () => {
      const row = await transact<Row | undefined>(
        'readonly',
        ({ models }) => models.get(path) as IDBRequest<Row | undefined>,
      );
      if (!row) throw notFoundError(path);
      return row.modelArtifacts!;
    },
    save: async (artifacts) => {
      const { weights, modelArtifactsInfo } = serializeArtifacts(artifacts, '', 'BrowserIndexedDB.save()');
      const modelArtifacts = { ...artifacts, ...(weights && { weightData: weights }) };
      await transact('readwrite', ({ models, infos }) => {
        infos.put({ modelPath: path, modelArtifactsInfo });
        return models.put({ modelPath: path, modelArtifacts, modelArtifactsInfo });
      });
      return { modelArtifactsInfo };
    },
  };
}

/** Returns a handler for `indexeddb://name` if IndexedDB exists, as in pages and their workers, else null. */
export function indexedDbRouter(url: string | string[]): IOHandler | null {
  if (typeof indexedDB === 'undefined' || Array.isArray(url) || !url.startsWith(kScheme)) return null;
  return indexedDbHandler(url.slice(kScheme.length));
}

/**
 * Runs requests in one transaction on both stores. Resolves to the result of the last one when everything is written.
 */
async function transact<T>(
  mode: IDBTransactionMode,
  request: (stores: { models: IDBObjectStore; infos: IDBObjectStore }) => IDBRequest<T>,
): Promise<T> {
  const database = await opened();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction([kModels, kInfos], mode);
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB aborted the transaction'));
      try {
        const last = request({ models: transaction.objectStore(kModels), infos: transaction.objectStore(kInfos) });
        transaction.oncomplete = () => resolve(last.result);
      } catch (error) {
        // A value that cannot be cloned, for example, throws here. Then nothing of the transaction may be written.
        transaction.abort();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  if (typeof indexedDB === 'undefined') {
    return Promise.reject(new Error('The current browser does not appear to support IndexedDB.'));
  }
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('tensorflowjs', 1);
    request.onupgradeneeded = () => {
      for (const name of [kModels, kInfos]) request.result.createObjectStore(name, { keyPath: 'modelPath' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB cannot be opened'));
  });
}

/** The models in IndexedDB. */
export const indexedDbManager: ModelStoreManager = {
  async listModels() {
    const rows = await transact('readonly', ({ infos }) => infos.getAll() as IDBRequest<Row[]>);
    return Object.fromEntries(rows.map(({ modelPath, modelArtifactsInfo }) => [modelPath, modelArtifactsInfo]));
  },
  async removeModel(path) {
    const row = await transact<Row | undefined>('readwrite', ({ models, infos }) => {
      const found = infos.get(path) as IDBRequest<Row | undefined>;
      infos.delete(path);
      models.delete(path);
      return found;
    });
    if (!row) throw notFoundError(path);
    return row.modelArtifactsInfo;
  },
};
