import { serializeArtifacts } from './artifacts.js';
import { responseChunks } from './bytes.js';
import { platform } from '../runtime/platform.js';
import { assert } from '../util/checks.js';
import { loadWeights, parseModelJson } from './model_json.js';
import type { IOHandler, LoadOptions, ModelArtifacts, ModelJSON, SaveResult } from './types.js';
import { weightAddress } from './weight_paths.js';

/**
 * Returns a handler that loads a model.json and its weights over HTTP, or saves them by a request, POST unless
 * `requestInit` says otherwise. Throws if the path is empty or `requestInit` has a body.
 * @example
 * const fetchFunc = async () => new Response(JSON.stringify({ modelTopology: {}, weightsManifest: [] }));
 * const { modelTopology } = await tf.io.http('https://example.com/model.json', { fetchFunc }).load();
 * modelTopology; // {}
 */
export function http(path: string, loadOptions: LoadOptions = {}): IOHandler {
  assert(typeof path === 'string' && path.length > 0, () => 'URL path for http must not be null, undefined or empty.');
  const { fetchFunc, requestInit } = loadOptions;
  assert(
    fetchFunc === undefined || fetchFunc === null || typeof fetchFunc === 'function',
    () =>
      'Must pass a function that matches the signature of `fetch` (see https://developer.mozilla.org/en-US/docs/Web/API/Fetch_API)',
  );
  assert(!requestInit?.body, () => 'requestInit is expected to have no pre-existing body, but has one.');
  return { load: () => load(path, loadOptions), save: (artifacts) => save(path, loadOptions, artifacts) };
}

/** An older name of http(). */
export const browserHTTPRequest: typeof http = http;

/**
 * True if a URL begins with http:// or https://.
 * @example
 * tf.io.isHTTPScheme('https://example.com/model.json'); // true
 */
export function isHTTPScheme(url: string): boolean {
  return /^https?:\/\//.test(url);
}

/** Returns a handler if `url`, or each URL of a list, begins with http:// or https://, else null. */
export function httpRouter(url: string | string[], loadOptions?: LoadOptions): IOHandler | null {
  const isOurs = Array.isArray(url) ? url.every(isHTTPScheme) : isHTTPScheme(url);
  return isOurs ? http(url as string, loadOptions) : null;
}

function getFetch({ fetchFunc }: LoadOptions): typeof fetch {
  // Called without `this`, as the platform's fetch() requires.
  return (url, init) => (fetchFunc ? fetchFunc(url, init) : platform().fetch(url as string, init));
}

async function load(path: string, options: LoadOptions): Promise<ModelArtifacts> {
  const request = getFetch(options);
  const response = await request(path, options.requestInit);
  if (!response.ok) {
    throw new Error(
      `Request to ${path} failed with status code ${response.status}. ` +
        'Please verify this URL points to the model JSON of the model to load.',
    );
  }
  // The response of a custom fetchFunc may have no text().
  const text = typeof response.text === 'function' ? await response.text() : JSON.stringify(await response.json());
  const model = parseModelJson(text, `HTTP path ${path}`, hintFor(path));
  const open = async (name: string) => {
    const url = await weightUrl(name, path, options);
    const shard = await request(url, options.requestInit);
    if (shard.ok) return shard;
    throw new Error(`Request to ${url} failed with status code ${shard.status}: it should hold weights of ${path}.`);
  };
  if (options.streamWeights) return withWeightStream(model, open, options);
  const read = async (name: string, onResponse: () => void) => {
    const shard = await open(name);
    onResponse();
    return shard.arrayBuffer();
  };
  return loadWeights(model, read, options.onProgress);
}

/** Returns a model whose weight files are fetched one after the other, as its stream of weights is read. */
function withWeightStream(
  { weightsManifest = [], ...description }: ModelJSON,
  open: (name: string) => Promise<Response>,
  { onProgress }: LoadOptions,
): ModelArtifacts {
  const names = weightsManifest.flatMap(({ paths }) => paths);
  const getWeightStream = () => {
    const chunks = readAll(names, open, onProgress);
    return new ReadableStream<ArrayBuffer>({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as unknown as ArrayBuffer);
      },
      async cancel() {
        await chunks.return();
      },
    });
  };
  return { ...description, weightSpecs: weightsManifest.flatMap(({ weights }) => weights), getWeightStream };
}

async function* readAll(
  names: string[],
  open: (name: string) => Promise<Response>,
  onProgress?: (fraction: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  onProgress?.(0);
  for (const [index, name] of names.entries()) {
    yield* responseChunks(await open(name));
    onProgress?.((index + 1) / names.length);
  }
}

async function save(path: string, options: LoadOptions, artifacts: ModelArtifacts): Promise<SaveResult> {
  const { json, weights, modelArtifactsInfo } = serializeArtifacts(
    artifacts,
    './model.weights.bin',
    'BrowserHTTPRequest.save()',
  );
  const body = new FormData();
  body.append('model.json', new Blob([json], { type: 'application/json' }), 'model.json');
  if (weights) {
    const blob = new Blob([weights], { type: 'application/octet-stream' });
    body.append('model.weights.bin', blob, 'model.weights.bin');
  }
  const response = await getFetch(options)(path, { method: 'POST', ...options.requestInit, body });
  if (response.ok) return { modelArtifactsInfo, responses: [response] };
  throw new Error(`BrowserHTTPRequest.save() failed due to HTTP response status ${response.status}.`);
}

function hintFor(path: string): string {
  return path.endsWith('.pb')
    ? 'Your path contains a .pb file extension: such a model must first be converted to model.json.'
    : 'Please make sure the server is serving valid JSON for this request.';
}

async function weightUrl(name: string, path: string, options: LoadOptions): Promise<string> {
  if (options.weightUrlConverter) return options.weightUrlConverter(name);
  const [address, query] = path.split(/(?=\?)/) as [string, string?];
  const folder = address.slice(0, address.lastIndexOf('/') + 1);
  return weightAddress(name, path, options.weightPathPrefix ?? folder, options) + (query ?? '');
}
