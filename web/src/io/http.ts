import { assert } from '../util/checks.js';
import { loadWeights, parseModelJson } from './model_json.js';
import type { IOHandler, LoadOptions, ModelArtifacts } from './types.js';

/** A handler that loads a model.json and its weights over HTTP. Throws when `requestInit` has a body. */
export function http(path: string, loadOptions: LoadOptions = {}): IOHandler {
  assert(
    typeof path === 'string' && path.length > 0,
    () => 'URL path for http must not be null, undefined or empty.',
  );
  assert(
    !loadOptions.requestInit?.body,
    () => 'requestInit is expected to have no pre-existing body, but has one.',
  );
  return { load: () => load(path, loadOptions) };
}

/** An older name of http(). */
export const browserHTTPRequest: typeof http = http;

async function load(path: string, options: LoadOptions): Promise<ModelArtifacts> {
  const request = (url: string) => (options.fetchFunc ?? fetch)(url, options.requestInit);
  const response = await request(path);
  if (!response.ok) {
    throw new Error(
      `Request to ${path} failed with status code ${response.status}. ` +
        'Please verify this URL points to the model JSON of the model to load.',
    );
  }
  const model = parseModelJson(await response.text(), `HTTP path ${path}`, hintFor(path));
  const read = async (name: string) => {
    const url = await weightUrl(name, path, options);
    const shard = await request(url);
    if (shard.ok) return shard.arrayBuffer();
    throw new Error(`Request to ${url} failed with status code ${shard.status}: it should hold weights of ${path}.`);
  };
  return loadWeights(model, read, options.onProgress);
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
  return `${options.weightPathPrefix ?? folder}${name}${query ?? ''}`;
}
