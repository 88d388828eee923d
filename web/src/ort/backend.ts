// The backend of onnxruntime-common that runs sessions on Tenure.
import { env, registerBackend, type Backend, type InferenceSession } from 'onnxruntime-common';
import { loadOnnxModel, ready } from '../index.js';
import { readExternalData } from './external_data.js';
import { SessionHandler } from './session.js';

/** Version of onnxruntime-web whose exports these are. */
const kVersion = '1.30.0';
/** Names of execution providers, with the priorities that onnxruntime-web gives them. */
const kProviders = { wasm: 10, cpu: 10, webgpu: 5, webgl: -10 };
/** Providers of onnxruntime-web that have no counterpart. A negative priority: they are tried only by name. */
const kRefused = { webnn: -10 };

const backend: Backend = {
  init: () => ready(),
  async createInferenceSessionHandler(source, options: InferenceSession.SessionOptions = {}) {
    const { externalData = [], freeDimensionOverrides = {} } = options;
    const model = await loadOnnxModel(source, {
      externalData: await Promise.all(externalData.map(readExternalData)),
      freeDimensions: { ...freeDimensionOverrides },
    });
    return new SessionHandler(model, typeof source === 'string' ? source : 'the bytes of a model');
  },
};

const refused: Backend = {
  init: (name) =>
    Promise.reject(new Error(`tenure/ort runs on the providers ${Object.keys(kProviders).join(', ')}, not on ${name}`)),
  createInferenceSessionHandler: () => Promise.reject(new Error('the provider is not supported by tenure/ort')),
};

/**
 * Registers the backend under the names of its providers. Throws an error if onnxruntime-web, or another copy of this module,
 * has registered one of them.
 */
export function registerProviders(): void {
  try {
    for (const [name, priority] of Object.entries(kProviders)) registerBackend(name, backend, priority);
    for (const [name, priority] of Object.entries(kRefused)) registerBackend(name, refused, priority);
  } catch (error) {
    throw new Error(
      'tenure/ort: another backend of onnxruntime-common is registered under the same name. Import only one of tenure/ort and ' +
        'onnxruntime-web: an alias for onnxruntime-web reaches the packages that import it.',
      { cause: error },
    );
  }
}

/**
 * Defines `env.versions.web`. It is undefined until `env.wasm.wasmPaths` is set: programs that find a version without paths set
 * them to a content delivery network, and download onnxruntime-web's wasm from it.
 */
export function setVersion(): void {
  Object.defineProperty(env.versions, 'web', {
    get: () => (env.wasm.wasmPaths === undefined ? undefined : kVersion),
    enumerable: true,
    configurable: true,
  });
}
