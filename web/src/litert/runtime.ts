import { env, getBackend, ready, type TFLiteModel } from '../index.js';
import { CompiledModel, type CompileOptions } from './compiled_model.js';
import { getDefaultEnvironment, type Environment } from './environment.js';

type ModelSource = string | URL | Uint8Array | ReadableStreamDefaultReader<Uint8Array>;

/** Options of loadLiteRt(), which have no effect: the engine uses the threads that the platform has. */
export interface LoadLiteRtOptions {
  /** Ignored. */
  threads?: boolean;
  /** Ignored. */
  jspi?: boolean;
}

/** The error of calls before loadLiteRt() and after unloadLiteRt(). */
export class LiteRtNotLoadedError extends Error {
  override readonly name = 'LiteRtNotLoadedError';

  constructor() {
    super('LiteRT is not loaded: call loadLiteRt() first.');
  }
}

let current: Promise<LiteRt> | undefined;
let loaded: LiteRt | undefined;
let hasWarned = false;

/** LiteRT.js's runtime, which owns the models that were loaded with it. */
export class LiteRt {
  readonly #models = new Set<CompiledModel>();
  /** The models of the engine that are being loaded. */
  readonly #loading = new Set<TFLiteModel>();
  #isDeleted = false;

  /** Returns the environment that tensors and models have by default. */
  getDefaultEnvironment(): Environment {
    return getDefaultEnvironment();
  }

  /** Returns null: tensors and models have no WebGPU device. */
  getWebGpuDevice(): null {
    return null;
  }

  /** Resolves to a model, as the function loadAndCompile() does. */
  async loadAndCompile(model: ModelSource, options: CompileOptions = {}): Promise<CompiledModel> {
    const { accelerator = 'wasm' } = options;
    if (accelerator !== 'wasm' && !hasWarned) {
      hasWarned = true;
      console.warn(
        `tenure/litert: there is no accelerator '${accelerator}'. Models run on the backend of tenure, '${getBackend()}'.`,
      );
    }
    this.#checkLoaded();
    const source = await toSource(model, () => this.#checkLoaded());
    const compiled = await CompiledModel.load(source, options, this.#loading, (each) => this.#models.delete(each));
    this.#models.add(compiled);
    if (this.#isDeleted) compiled.delete();
    this.#checkLoaded();
    return compiled;
  }

  /** Deletes all models that were loaded with it. Those that are being loaded reject with DisposedError. */
  delete(): void {
    this.#isDeleted = true;
    for (const model of this.#loading) model.dispose();
    for (const model of this.#models) model.delete();
  }

  #checkLoaded(): void {
    if (this.#isDeleted) throw new LiteRtNotLoadedError();
  }
}

/**
 * Loads the engine. `path`, where LiteRT.js would find its wasm, has no effect. Rejects with Tenure's LoadError if the engine cannot
 * be loaded, and with an error if it is called again before unloadLiteRt(), as LiteRT.js does.
 */
export function loadLiteRt(_path?: string, _options?: LoadLiteRtOptions): Promise<LiteRt> {
  if (current) return Promise.reject(new Error('LiteRT is already loaded or loading.'));
  const loading = ready().then(() => (loaded = new LiteRt()));
  loading.catch(() => (current = undefined));
  return (current = loading);
}

/** Deletes all models, so that loadLiteRt() can be called again. */
export function unloadLiteRt(): void {
  loaded?.delete();
  loaded = undefined;
  current = undefined;
}

/** Returns the runtime. Throws LiteRtNotLoadedError before loadLiteRt() has resolved. */
export function getGlobalLiteRt(): LiteRt {
  if (!loaded) throw new LiteRtNotLoadedError();
  return loaded;
}

/** Returns the promise of loadLiteRt(); undefined before it was called and after unloadLiteRt(). */
export function getGlobalLiteRtPromise(): Promise<LiteRt> | undefined {
  return current;
}

/**
 * Loads a .tflite model from a URL, bytes, or a reader of a stream. It is freed by its delete(). Rejects with LiteRtNotLoadedError
 * before loadLiteRt() has resolved, and with an error that names the node for an op that is not supported.
 */
export function loadAndCompile(model: ModelSource, compileOptions?: CompileOptions): Promise<CompiledModel> {
  return loaded ? loaded.loadAndCompile(model, compileOptions) : Promise.reject(new LiteRtNotLoadedError());
}

/** Rejects: weights that are not in the file cannot be streamed. */
export function loadModelAndWeights(..._args: unknown[]): Promise<never> {
  return Promise.reject(
    new Error(
      '[loadModelAndWeights] tenure/litert streams no weights to a GPU: use loadAndCompile() with the whole file.',
    ),
  );
}

/** Returns false: tensors have no GPUBuffers. */
export function isWebGPUSupported(): boolean {
  return false;
}

/** Resolves to true for a feature of WebAssembly that the engine uses here. */
export function supportsFeature(feature: 'relaxedSimd' | 'threads' | 'jspi' | 'webnn'): Promise<boolean> {
  const flags: Record<string, string> = {
    relaxedSimd: 'WASM_HAS_RELAXED_SIMD_SUPPORT',
    threads: 'WASM_HAS_MULTITHREAD_SUPPORT',
  };
  const flag = flags[feature];
  return ready().then(() => flag !== undefined && Boolean(env().get(flag)));
}

/** Returns what a TFLiteModel takes. Calls `check` after each chunk that it has read, and at the end. */
async function toSource(model: ModelSource, check: () => void): Promise<string | Uint8Array> {
  if (typeof model === 'string' || model instanceof Uint8Array) return model;
  if (model instanceof URL) return model.href;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let chunk = await model.read(); !chunk.done; chunk = await model.read()) {
    check();
    chunks.push(chunk.value.slice());
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  check();
  return bytes;
}
