/** Options of an environment. */
export interface EnvironmentOptions {
  /** Ignored: models run on the backend of `tenure`, whose `setBackend('webgpu')` starts a device of its own. */
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

  /** Null: tensors and models have no WebGPU device. */
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

/** Returns null: tensors and models have no WebGPU device. */
export function getWebGpuDevice(): null {
  return null;
}

/** Throws: the engine takes no WebGPU device. */
export function setWebGpuDevice(_device: unknown): never {
  throw new Error("[setWebGpuDevice] tenure/litert accepts no device: tf.setBackend('webgpu') starts one.");
}
