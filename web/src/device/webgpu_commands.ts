import type { Pipelines } from './webgpu_pipelines.js';

/** A command, and the pipeline that it needs, if any. */
interface Command {
  readonly run: () => void;
  readonly pipeline: number | undefined;
}

/** Maximum number of commands that wait, so that a long loop without `await` does not fill the memory with them. */
const kMaxWaiting = 4096;

/** The commands for a device, in order. A command whose pipeline is being compiled waits for it, and all later ones do. */
export class CommandQueue {
  readonly #pipelines: Pipelines;
  readonly #canWait: () => boolean;
  #waiting: Command[] = [];

  /** `canWait` returns false while commands must run before add() returns. */
  constructor(pipelines: Pipelines, canWait: () => boolean) {
    this.#pipelines = pipelines;
    this.#canWait = canWait;
    pipelines.onCompiled = () => this.#resume();
  }

  /** True if a command that needs no pipeline would wait. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs a command, now or once its pipeline, given by its handle, and those of the commands before it are compiled. */
  add(run: () => void, pipeline?: number): void {
    if (!this.isWaiting && (this.#isReady(pipeline) || !this.#canWait())) return run();
    this.#waiting.push({ run, pipeline });
    if (this.#waiting.length >= kMaxWaiting) this.flush();
  }

  /** Runs all commands now. Pipelines that they need are compiled before it returns. */
  flush(): void {
    const commands = this.#waiting;
    this.#waiting = [];
    for (const { run } of commands) run();
  }

  #isReady(pipeline: number | undefined): boolean {
    return pipeline === undefined || this.#pipelines.isReady(pipeline);
  }

  #resume(): void {
    const first = this.#waiting.findIndex(({ pipeline }) => !this.#isReady(pipeline));
    if (first < 0) this.flush();
    else for (const { run } of this.#waiting.splice(0, first)) run();
  }
}
