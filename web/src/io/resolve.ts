import { fileHandler } from './file.js';
import { http } from './http.js';
import type { IOHandler, LoadOptions, ModelArtifacts, ModelSource } from './types.js';

/** The parts of a model, from wherever it is. Errors name the URL or path, and what is wrong there. */
export async function resolveArtifacts(source: ModelSource, options: LoadOptions = {}): Promise<ModelArtifacts> {
  if (source === null || source === undefined) {
    throw new Error('The URL or the IO handler that a model is to be loaded from must be given.');
  }
  const handler = typeof source === 'string' ? handlerFor(source, options) : source;
  if (typeof handler.load !== 'function') {
    throw new Error('Cannot proceed with model loading because the IOHandler provided does not have the `load` method implemented.');
  }
  const artifacts = await handler.load();
  if (!artifacts?.modelTopology) throw new Error(`The model from ${nameOf(source)} has no modelTopology.`);
  return artifacts;
}

function handlerFor(source: string, options: LoadOptions): IOHandler {
  if (/^(https?|data|blob):/.test(source)) return http(source, options);
  const scheme = /^([a-z]+):\/\//.exec(source)?.[1];
  if (scheme && scheme !== 'file') throw new Error(`Cannot find any load handlers for URL '${source}'`);
  const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);
  return isNode ? fileHandler(source, options) : http(source, options);
}

function nameOf(source: ModelSource): string {
  return typeof source === 'string' ? source : 'the IO handler';
}
