import { isNode } from '../runtime/built_in.js';
import { CompositeArrayBuffer } from './buffers.js';
import { fileHandler } from './file.js';
import { http } from './http.js';
import { getLoadHandlers, getSaveHandlers } from './router.js';
import type { IOHandler, LoadOptions, ModelArtifacts, ModelSource } from './types.js';

/** The parts of a model, from wherever it is. Errors name the URL or path, and what is wrong there. */
export async function resolveArtifacts(source: ModelSource, options: LoadOptions = {}): Promise<ModelArtifacts> {
  return wholeArtifacts(await findLoadHandler(source, options).load!(), source);
}

/** What loads from a source: itself, or the handler that a URL has. Throws where there is none. */
export function findLoadHandler(source: ModelSource | undefined, options: LoadOptions = {}): IOHandler {
  if (source === null || source === undefined) {
    throw new Error('The URL or the IO handler that a model is to be loaded from must be given.');
  }
  const handler = typeof source === 'string' ? loadHandlerFor(source, options) : source;
  if (typeof handler.load === 'function') return handler;
  throw new Error('Cannot proceed with model loading because the IOHandler provided does not have the `load` method implemented.');
}

/** What a handler gave, with the weights that were to be streamed. Throws when there is no model in it. */
export async function wholeArtifacts(artifacts: ModelArtifacts, source: ModelSource | undefined): Promise<ModelArtifacts> {
  checkTopology(artifacts, source);
  if (artifacts.weightData || !artifacts.getWeightStream) return artifacts;
  return { ...artifacts, weightData: await gathered(artifacts.getWeightStream()) };
}

/** Throws where what a handler gave has no model in it. */
export function checkTopology(artifacts: ModelArtifacts | null | undefined, source: ModelSource | undefined): void {
  if (!artifacts?.modelTopology) throw new Error(`The model from ${nameOf(source)} has no modelTopology.`);
}

/** What a model's save() writes with: a handler, or the one that a URL has. */
export function resolveSaving(className: string, target: string | IOHandler): Required<Pick<IOHandler, 'save'>> {
  const handler = typeof target === 'string' ? saveHandlerFor(target) : target;
  if (typeof handler.save === 'function') return handler as Required<IOHandler>;
  throw new Error(`${className}.save() cannot proceed because the IOHandler provided does not have the \`save\` attribute defined.`);
}

function saveHandlerFor(url: string): IOHandler {
  const handlers = getSaveHandlers(url);
  if (handlers.length === 0) throw new Error(`Cannot find any save handlers for URL '${url}'`);
  if (handlers.length > 1) throw new Error(`Found more than one (${handlers.length}) save handlers for URL '${url}'`);
  return handlers[0]!;
}

async function gathered(stream: ReadableStream<ArrayBuffer>): Promise<ArrayBuffer> {
  const chunks: ArrayBuffer[] = [];
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
  return new CompositeArrayBuffer(chunks).slice();
}

function loadHandlerFor(source: string, options: LoadOptions): IOHandler {
  const handlers = getLoadHandlers(source, options);
  if (handlers.length > 1) throw new Error(`Found more than one (${handlers.length}) load handlers for URL '${source}'`);
  if (handlers.length === 1) return handlers[0]!;
  if (/^(data|blob):/.test(source)) return http(source, options);
  if (/^[a-z]+:\/\//.test(source)) throw new Error(`Cannot find any load handlers for URL '${source}'`);
  return isNode ? fileHandler(source, options) : http(source, options);
}

function nameOf(source: ModelSource | undefined): string {
  return typeof source === 'string' ? source : 'the IO handler';
}
