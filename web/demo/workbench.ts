import * as tf from 'tenure';
import { bytes, count } from './format.js';
import { Loop } from './loop.js';
import { disposeWorkload, models, type ModelName, type Workload } from './models.js';

/** At how much the leaking loop is stopped, so that the tab lives. */
export interface Limits {
  /** Of the engine's memory and of the GPU's together. */
  readonly bytes: number;
  readonly tensors: number;
}

/** The two loops, and the model that both predict with: loaded when the first of them starts. */
export class Workbench {
  readonly leaking: Loop;
  readonly tidy: Loop;
  readonly #limits: Limits;
  #modelName: ModelName;
  #workload: Workload | undefined;

  constructor(modelName: ModelName, limits: Limits, onError: (error: unknown) => void) {
    this.#modelName = modelName;
    this.#limits = limits;
    this.leaking = new Loop('leaking', onError);
    this.tidy = new Loop('tidy', onError);
  }

  get loops(): readonly Loop[] {
    return [this.leaking, this.tidy];
  }
  set flatOut(flatOut: boolean) {
    for (const loop of this.loops) loop.flatOut = flatOut;
  }

  /** Starts a loop, or stops it. */
  async toggle(loop: Loop): Promise<void> {
    if (loop.isRunning) await loop.stop();
    else await this.#start([loop]);
  }

  /** Goes on with another model; what was leaked with the one before stays. */
  async changeModel(modelName: ModelName): Promise<void> {
    const running = this.loops.filter(({ isRunning }) => isRunning);
    await Promise.all(running.map((loop) => loop.stop()));
    this.#disposeModel();
    this.#modelName = modelName;
    if (running.length > 0) await this.#start(running);
  }

  /** Stops both loops, and frees what they made, the model and its inputs. */
  async disposeAll(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.dispose()));
    this.#disposeModel();
    tf.trim();
  }

  /** What limit the leaking loop has reached while it runs; empty when none. */
  get limitReached(): string {
    if (!this.leaking.isRunning) return '';
    const { detail, numBytesInGPUAllocated = 0 } = tf.memory();
    if (detail.heapUsed + numBytesInGPUAllocated >= this.#limits.bytes) return bytes(this.#limits.bytes);
    return this.leaking.numTensors >= this.#limits.tensors ? `${count(this.#limits.tensors)} tensors` : '';
  }

  async #start(loops: readonly Loop[]): Promise<void> {
    this.#workload ??= await models[this.#modelName]();
    for (const loop of loops) loop.start(this.#workload);
  }

  #disposeModel(): void {
    if (this.#workload) disposeWorkload(this.#workload);
    this.#workload = undefined;
  }
}
