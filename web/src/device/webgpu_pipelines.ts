import { isNode } from '../runtime/node_builtins.js';
import type { GpuComputePipelineOptions, GpuDevice } from './webgpu_types.js';

/** Milliseconds between two turns of Node's event loop while pipelines are compiled. */
const kTurnMs = 1;

/**
 * True if Node's WebGPU polls for compiled pipelines in each turn of the event loop. Threads of pages that emulate Node, such
 * as Electron's, cannot sleep.
 */
const isLoopPolled = isNode && typeof document === 'undefined' && typeof setImmediate === 'function';

/** Waited on only to sleep. */
const neverNotified = isLoopPolled ? new Int32Array(new SharedArrayBuffer(4)) : undefined;

/** A pipeline, and until it is compiled what it is made of. */
interface Pipeline {
  compiled?: object;
  options?: GpuComputePipelineOptions;
  hasFailed?: boolean;
}

/** The pipelines of a device, by handles from 1 on. They are compiled asynchronously. */
export class Pipelines {
  readonly #device: GpuDevice;
  readonly #pipelines: Pipeline[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  #isLoopThrottled = false;
  /** Called when a pipeline has become ready. */
  onCompiled = (): void => {};

  constructor(device: GpuDevice) {
    this.#device = device;
  }

  /** Resolves when no pipeline is being compiled. */
  async compiled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Returns the handle of a new pipeline, and starts to compile it. */
  create(layout: object, code: string): number {
    const options = { layout, compute: { module: this.#device.createShaderModule({ code }) } };
    const pipeline: Pipeline = { options };
    this.#compile(pipeline, options);
    return this.#pipelines.push(pipeline);
  }

  /** True if a pipeline is compiled, or cannot be. */
  isReady(handle: number): boolean {
    const { options, hasFailed } = this.#pipelines[handle - 1]!;
    return !options || hasFailed === true;
  }

  /** Returns a pipeline. It is compiled now if its asynchronous compilation has not ended, or has failed. */
  get(handle: number): object {
    const pipeline = this.#pipelines[handle - 1]!;
    if (pipeline.options) {
      pipeline.compiled = this.#device.createComputePipeline(pipeline.options);
      delete pipeline.options;
    }
    return pipeline.compiled!;
  }

  #compile(pipeline: Pipeline, options: GpuComputePipelineOptions): void {
    const pending = this.#device.createComputePipelineAsync(options).then(
      (compiled) => {
        if (!pipeline.options) return;
        pipeline.compiled = compiled;
        delete pipeline.options;
      },
      // get() compiles it again, and the device reports the error.
      () => (pipeline.hasFailed = true),
    );
    this.#pending.add(pending);
    void pending.then(() => {
      this.#pending.delete(pending);
      this.onCompiled();
    });
    if (neverNotified && !this.#isLoopThrottled) this.#throttleEventLoop(neverNotified);
  }

  /**
   * Makes the event loop sleep between its turns while pipelines are compiled. Node's WebGPU asks in each turn, 100 times a
   * millisecond, whether they are, which takes a core and the device's lock away from the compiler.
   */
  #throttleEventLoop(neverNotified: Int32Array): void {
    this.#isLoopThrottled = this.#pending.size > 0;
    if (!this.#isLoopThrottled) return;
    // Unreferenced, as a compilation that never ends must not keep the process alive.
    setImmediate(() => {
      Atomics.wait(neverNotified, 0, 0, kTurnMs);
      this.#throttleEventLoop(neverNotified);
    }).unref();
  }
}
