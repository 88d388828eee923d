import { loadWeights, parseModelJson } from './model_json.js';
import type { IOHandler, LoadOptions, ModelArtifacts } from './types.js';

/** A handler that loads a model.json and its weights from files, in Node. */
export function fileHandler(path: string, options: LoadOptions = {}): IOHandler {
  return { load: () => load(path, options) };
}

async function load(path: string, options: LoadOptions): Promise<ModelArtifacts> {
  const fs = await import('node:fs/promises');
  const nodePath = await import('node:path');
  const bytesOf = async (name: string, what: string) => {
    try {
      return await fs.readFile(name);
    } catch (error) {
      throw new Error(`Cannot read ${what}: ${(error as Error).message}`, { cause: error });
    }
  };
  const file = pathOf(path);
  const text = (await bytesOf(file, `the model JSON ${file}`)).toString('utf8');
  const model = parseModelJson(text, file, 'Please make sure it is the model.json of a TensorFlow.js model.');
  const folder = options.weightPathPrefix ?? nodePath.dirname(file);
  const read = async (name: string) => {
    const shard = options.weightUrlConverter ? await options.weightUrlConverter(name) : nodePath.resolve(folder, name);
    const { buffer, byteOffset, byteLength } = await bytesOf(shard, `weights of ${file}`);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  };
  return loadWeights(model, read, options.onProgress);
}

/** TensorFlow.js also takes file://model/model.json for a path from the working folder. */
function pathOf(path: string): string {
  if (!path.startsWith('file:')) return path;
  if (!path.startsWith('file:///')) return path.slice('file://'.length);
  const name = decodeURIComponent(new URL(path).pathname);
  // A drive's letter comes with a slash before it.
  return name.replace(/^\/(?=[A-Za-z]:)/, '');
}
