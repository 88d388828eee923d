import * as tf from 'tenure';
import { bytes, count } from './format.js';
import { Loop } from './loop.js';
import { kWays, works, type Work, type WorkName } from './works.js';

/** Limits at which the leaking loop is stopped, so that the tab survives. */
export interface Limits {
  /** Bytes of the engine's memory and of the GPU's together. */
  readonly bytes: number;
  readonly tensors: number;
}

/** The two loops, and their common workload, which is prepared when the first of them starts. */
export class Workbench {
  readonly leaking: Loop;
  readonly tidy: Loop;
  #limits: Limits;
  #name: WorkName;
  #work: Work | undefined;

  constructor(name: WorkName, limits: Limits, onError: (error: unknown) => void) {
    this.#name = name;
    this.#limits = limits;
    const [leaking, tidy] = kWays.map((way) => new Loop({ name: way, way, open: () => tf.scope(way), onError }));
    this.leaking = leaking!;
    this.tidy = tidy!;
  }

  get loops(): readonly Loop[] {
    return [this.leaking, this.tidy];
  }
  get workName(): WorkName {
    return this.#name;
  }
  set flatOut(flatOut: boolean) {
    for (const loop of this.loops) loop.flatOut = flatOut;
  }

  /** Starts both loops. */
  start(): Promise<void> {
    return this.#start(this.loops);
  }

  /** Starts or stops a loop. One that was stopped at a limit may use as much again. */
  async toggle(loop: Loop): Promise<void> {
    if (loop.isRunning) return loop.stop();
    const { bytes, tensors } = this.#limits;
    if (loop === this.leaking && this.#reached)
      this.#limits = { bytes: this.#used + bytes, tensors: loop.numTensors + tensors };
    await this.#start([loop]);
  }

  /** Switches to another workload; tensors leaked with the previous one stay. */
  async changeWork(name: WorkName): Promise<void> {
    const running = this.loops.filter(({ isRunning }) => isRunning);
    await Promise.all(running.map((loop) => loop.stop()));
    this.#disposeWork();
    this.#name = name;
    if (running.length > 0) await this.#start(running);
  }

  /** Stops both loops, and disposes what they made, and the workload. */
  async disposeAll(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.dispose()));
    this.#disposeWork();
    tf.trim();
  }

  /** The limit that the leaking loop has reached while it runs; empty if none. */
  get limitReached(): string {
    return this.leaking.isRunning ? this.#reached : '';
  }

  get #used(): number {
    const { detail, numBytesInGPUAllocated = 0 } = tf.memory();
    return detail.heapUsed + numBytesInGPUAllocated;
  }

  get #reached(): string {
    if (this.#used >= this.#limits.bytes) return bytes(this.#limits.bytes);
    return this.leaking.numTensors >= this.#limits.tensors ? `${count(this.#limits.tensors)} tensors` : '';
  }

  async #start(loops: readonly Loop[]): Promise<void> {
    this.#work ??= await works[this.#name](tf);
    for (const loop of loops) loop.start(this.#work);
  }

  #disposeWork(): void {
    this.#work?.dispose();
    this.#work = undefined;
  }
}
