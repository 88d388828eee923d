/** Options of an environment. */
export interface EnvironmentOptions {
  /** Ignored: the engine has no WebGPU backend. */
  webGpuDevice?: unknown;
}

/** An environment of LiteRT.js. All environments share the engine, so that it holds nothing. */
export class Environment {
  /** Its options: no device. */
  readonly options: Required<EnvironmentOptions> = { webGpuDevice: null };

  /** Resolves to an environment. */
  static create(_options?: EnvironmentOptions): Promise<Environment> {
    return Promise.resolve(new Environment());
  }

  /** Null: the engine has no WebGPU backend. */
  get webGpuDevice(): null {
    return null;
  }

  /** Does nothing. */
  delete(): void {}
}

const defaultEnvironment = new Environment();

/** Returns the environment that tensors and models have by default. */
export function getDefaultEnvironment(): Environment {
  return defaultEnvironment;
}

/** Returns null: the engine has no WebGPU backend. */
export function getWebGpuDevice(): null {
  return null;
}

/** Throws: the engine has no WebGPU backend. */
export function setWebGpuDevice(_device: unknown): never {
  throw new Error('[setWebGpuDevice] tenure/litert computes on WebAssembly: it has no WebGPU backend.');
}
