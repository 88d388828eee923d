// The backend of onnxruntime-common that runs sessions on Tenure.
import {
  env,
  registerBackend,
  type Backend,
  type InferenceSession,
  type InferenceSessionHandler,
} from 'onnxruntime-common';
import { getThreadsCount, loadOnnxModel, ready, setThreadsCount, type OnnxHandler } from '../index.js';
import { readExternalData } from './external_data.js';
import { SessionHandler } from './session.js';

/** Version of onnxruntime-web whose exports these are. */
const kVersion = '1.30.0';
/** Names of execution providers, with the priorities that onnxruntime-web gives them. */
const kProviders = { wasm: 10, cpu: 10, webgpu: 5, webgl: -10 };
/** Providers of onnxruntime-web that have no counterpart. A negative priority: they are tried only by name. */
const kRefused = { webnn: -10 };

/** Key of `env` for the backend that is registered. */
const kRegistered = Symbol.for('tenure/ort');

/** The backend that onnxruntime-common has. It calls that of the copy of this module that was evaluated last. */
class RegisteredBackend implements Backend {
  current: Backend;

  constructor(current: Backend) {
    this.current = current;
  }
  init(name: string): Promise<void> {
    return this.current.init(name);
  }
  createInferenceSessionHandler(
    source: string | Uint8Array,
    options?: InferenceSession.SessionOptions,
  ): Promise<InferenceSessionHandler> {
    return this.current.createInferenceSessionHandler(source, options);
  }
}

const backend: Backend = {
  init() {
    const { numThreads = 0 } = env.wasm;
    // As in onnxruntime-web, other numbers let the engine choose.
    const isCount = Number.isInteger(numThreads) && numThreads > 0;
    if (isCount && numThreads !== getThreadsCount()) setThreadsCount(numThreads);
    return ready();
  },
  async createInferenceSessionHandler(source, options: InferenceSession.SessionOptions = {}) {
    const { externalData, freeDimensionOverrides, preferredOutputLocation } = options;
    const files = await Promise.all((externalData ?? []).map(readExternalData));
    const model = await loadOnnxModel(typeof source === 'string' ? source : createHandler(source), {
      externalData: files,
      freeDimensions: { ...freeDimensionOverrides },
    });
    // The model keeps its options.
    files.length = 0;
    return new SessionHandler(
      model,
      typeof source === 'string' ? source : 'the bytes of a model',
      preferredOutputLocation,
    );
  },
};

/** Returns a handler of bytes that does not hold them once they are loaded: a model keeps its handler. */
function createHandler(source: Uint8Array): OnnxHandler {
  const bytes = [source];
  return { load: () => bytes.pop()! };
}

const refused: Backend = {
  init: (name) =>
    Promise.reject(new Error(`tenure/ort runs on the providers ${Object.keys(kProviders).join(', ')}, not on ${name}`)),
  createInferenceSessionHandler: () => Promise.reject(new Error('the provider is not supported by tenure/ort')),
};

/**
 * Registers the backend under the names of its providers. Where tools reload modules, onnxruntime-common stays and has the backend
 * of an earlier copy of this module, which is replaced. Throws an error if onnxruntime-web has registered a name.
 */
export function registerProviders(): void {
  const earlier: unknown = Reflect.get(env, kRegistered);
  if (isRegistered(earlier)) {
    earlier.current = backend;
    return;
  }
  const registered = new RegisteredBackend(backend);
  try {
    for (const [name, priority] of Object.entries(kProviders)) registerBackend(name, registered, priority);
    for (const [name, priority] of Object.entries(kRefused)) registerBackend(name, refused, priority);
  } catch (error) {
    throw new Error(
      'tenure/ort: onnxruntime-web has registered its backend in the same copy of onnxruntime-common. Import only one of ' +
        'tenure/ort and onnxruntime-web: an alias for onnxruntime-web reaches the packages that import it.',
      { cause: error },
    );
  }
  Object.defineProperty(env, kRegistered, { value: registered });
}

/** True for the backend of any copy of this module: their classes differ. */
function isRegistered(value: unknown): value is RegisteredBackend {
  return typeof value === 'object' && value !== null && 'current' in value;
}

/** Returns the execution providers, as the function of onnxruntime-node does. */
export function listSupportedBackends(): {
  /** Name of the provider. */
  name: string;
  /** True: no provider needs further files. */
  bundled: boolean;
}[] {
  return Object.keys(kProviders).map((name) => ({ name, bundled: true }));
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
