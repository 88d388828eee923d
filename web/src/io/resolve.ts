import { isNode } from '../runtime/node_builtins.js';
import { CompositeArrayBuffer } from './buffers.js';
import { fileHandler } from './file.js';
import { http } from './http.js';
import { getLoadHandlers, getSaveHandlers } from './router.js';
import type { IOHandler, LoadOptions, ModelArtifacts, ModelSource } from './types.js';

/** Resolves to the artifacts of a model from any source, with its weights in memory. Errors name the URL or path. */
export async function resolveArtifacts(source: ModelSource, options: LoadOptions = {}): Promise<ModelArtifacts> {
  return withWeightData(await findLoadHandler(source, options).load!(), source);
}

/**
 * Returns the handler that loads from a source: the source itself, or the handler of its URL. Throws if there is not
 * exactly one, or if it cannot load.
 */
export function findLoadHandler(source: ModelSource | undefined, options: LoadOptions = {}): IOHandler {
  if (source === null || source === undefined) {
    throw new Error('The URL or the IO handler that a model is to be loaded from must be given.');
  }
  const handler = typeof source === 'string' ? loadHandlerFor(source, options) : source;
  if (typeof handler.load === 'function') return handler;
  throw new Error(
    'Cannot proceed with model loading because the IOHandler provided does not have the `load` method implemented.',
  );
}

/** Resolves as a step of a load does, unless the load is aborted. */
type Wait = <T>(step: Promise<T>) => Promise<T>;

/**
 * Resolves to artifacts whose streamed weights, if any, were read into memory. Rejects if they have no model topology. Reads of
 * the stream are passed to `wait`.
 */
export async function withWeightData(
  artifacts: ModelArtifacts,
  source: ModelSource | undefined,
  wait: Wait = (step) => step,
): Promise<ModelArtifacts> {
  checkTopology(artifacts, source);
  if (artifacts.weightData || !artifacts.getWeightStream) return artifacts;
  return { ...artifacts, weightData: await readStream(artifacts.getWeightStream(), wait) };
}

/** Throws if artifacts have no model topology. */
export function checkTopology(artifacts: ModelArtifacts | null | undefined, source: ModelSource | undefined): void {
  if (!artifacts?.modelTopology) throw new Error(`The model from ${sourceName(source)} has no modelTopology.`);
}

/**
 * Returns the handler that a model's save() uses: the target itself, or the handler of its URL. Throws if there is not
 * exactly one, or if it cannot save; the message begins with `className`.
 */
export function findSaveHandler(className: string, target: string | IOHandler): Required<Pick<IOHandler, 'save'>> {
  const handler = typeof target === 'string' ? saveHandlerFor(target) : target;
  if (typeof handler.save === 'function') return handler as Required<IOHandler>;
  throw new Error(
    `${className}.save() cannot proceed because the IOHandler provided does not have the \`save\` attribute defined.`,
  );
}

function saveHandlerFor(url: string): IOHandler {
  const handlers = getSaveHandlers(url);
  if (handlers.length === 0) throw new Error(`Cannot find any save handlers for URL '${url}'`);
  if (handlers.length > 1) throw new Error(`Found more than one (${handlers.length}) save handlers for URL '${url}'`);
  return handlers[0]!;
}

async function readStream(stream: ReadableStream<ArrayBuffer>, wait: Wait): Promise<ArrayBuffer> {
  const chunks: ArrayBuffer[] = [];
  const reader = stream.getReader();
  try {
    for (let chunk = await wait(reader.read()); !chunk.done; chunk = await wait(reader.read()))
      chunks.push(chunk.value);
  } catch (error) {
    reader.cancel(error).catch(() => {});
    throw error;
  }
  return new CompositeArrayBuffer(chunks).slice();
}

function loadHandlerFor(source: string, options: LoadOptions): IOHandler {
  const handlers = getLoadHandlers(source, options);
  if (handlers.length > 1)
    throw new Error(`Found more than one (${handlers.length}) load handlers for URL '${source}'`);
  if (handlers.length === 1) return handlers[0]!;
  if (/^(data|blob):/.test(source)) return http(source, options);
  if (/^[a-z]+:\/\//.test(source)) throw new Error(`Cannot find any load handlers for URL '${source}'`);
  return isNode ? fileHandler(source, options) : http(source, options);
}

function sourceName(source: ModelSource | undefined): string {
  return typeof source === 'string' ? source : 'the IO handler';
}
