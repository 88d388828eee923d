import { nodeBuiltin, isNode } from '../runtime/node_builtins.js';
import { findExistingPath, pathFromFileUrl } from '../util/file_url.js';
import { serializeArtifacts } from './artifacts.js';
import { loadWeights, parseModelJson } from './model_json.js';
import type { IOHandler, LoadOptions, ModelArtifacts, SaveResult } from './types.js';
import { weightPath } from './weight_paths.js';
import { getErrorMessage } from '../runtime/errors.js';

/** Returns a handler that loads a model.json and its weights from files in Node, or saves them into a folder. */
export function fileHandler(path: string, options: LoadOptions = {}): IOHandler {
  return { load: () => load(path, options), save: (artifacts) => save(path, artifacts) };
}

/** Returns a handler for `file://path` in Node, else null. */
export function fileRouter(url: string | string[], options?: LoadOptions): IOHandler | null {
  return isNode && !Array.isArray(url) && url.startsWith('file://') ? fileHandler(url, options) : null;
}

/** Writes model.json and weights.bin into a folder, which is created if needed. Rejects if the path is a file. */
async function save(path: string, artifacts: ModelArtifacts): Promise<SaveResult> {
  const { fs, nodePath } = modules(path);
  const { json, weights, modelArtifactsInfo } = serializeArtifacts(artifacts, 'weights.bin', 'NodeFileSystem.save()');
  const folder = pathFromFileUrl(path);
  const found = await fs.stat(folder).catch(() => undefined);
  if (found && !found.isDirectory()) {
    throw new Error(`Path ${folder} exists as a file. The path must be nonexistent or point to a directory.`);
  }
  await fs.mkdir(folder, { recursive: true });
  if (weights) await fs.writeFile(nodePath.join(folder, 'weights.bin'), new Uint8Array(weights));
  await fs.writeFile(nodePath.join(folder, 'model.json'), json);
  return { modelArtifactsInfo };
}

async function load(path: string, options: LoadOptions): Promise<ModelArtifacts> {
  const { fs } = modules(path);
  const readBytes = async (name: string, what: string) => {
    try {
      return await fs.readFile(name);
    } catch (error) {
      throw new Error(`Cannot read ${what}: ${getErrorMessage(error)}`, { cause: error });
    }
  };
  const file = findExistingPath(path);
  const text = (await readBytes(file, `the model JSON ${file}`)).toString('utf8');
  const model = parseModelJson(text, file, 'Please make sure it is the model.json of a TensorFlow.js model.');
  const read = async (name: string, onResponse: () => void) => {
    const { weightUrlConverter } = options;
    const shard = await (weightUrlConverter ? weightUrlConverter(name) : weightPath(name, file, options));
    onResponse();
    const { buffer, byteOffset, byteLength } = await readBytes(shard, `weights of ${file}`);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  };
  return loadWeights(model, read, options.onProgress);
}

function modules(path: string) {
  const fs = nodeBuiltin('node:fs')?.promises;
  const nodePath = nodeBuiltin('node:path');
  if (!fs || !nodePath) throw new Error(`Cannot open ${path}: there is no file system here`);
  return { fs, nodePath };
}
