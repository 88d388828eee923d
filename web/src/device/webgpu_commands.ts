import type { Pipelines } from './webgpu_pipelines.js';

/** A command, the pipeline that it needs, if any, and the bytes that it keeps while it waits. */
interface Command {
  readonly run: () => void;
  readonly pipeline: number | undefined;
  readonly keptBytes: number;
}

/** Maximum number of commands that wait, so that a long loop without `await` does not fill the memory with them. */
const kMaxWaiting = 4096;
/** Maximum bytes of uploads, and of buffers that are to be destroyed, that wait. */
const kMaxKeptBytes = 1 << 26;

/** The commands for a device, in order. A command whose pipeline is being compiled waits for it, and all later ones do. */
export class CommandQueue {
  readonly #pipelines: Pipelines;
  readonly #canWait: () => boolean;
  #waiting: Command[] = [];
  /** Bytes of all commands that wait, and those that the next command is to keep. */
  #keptBytes = 0;
  #nextBytes = 0;

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
    this.#waiting.push({ run, pipeline, keptBytes: this.#nextBytes });
    this.#keptBytes += this.#nextBytes;
    this.#nextBytes = 0;
    if (this.#waiting.length >= kMaxWaiting) this.flush();
  }

  /** Counts bytes that the next command keeps if it waits. Runs all commands first if they would keep too many. */
  keep(bytes: number): void {
    if (!this.isWaiting) return;
    if (this.#keptBytes + bytes > kMaxKeptBytes) this.flush();
    else this.#nextBytes = bytes;
  }

  /** Runs all commands now. Pipelines that they need are compiled before it returns. */
  flush(): void {
    const commands = this.clear();
    for (const { run } of commands) run();
  }

  /** Removes all commands that wait. Returns them. */
  clear(): Command[] {
    const commands = this.#waiting;
    this.#waiting = [];
    this.#keptBytes = 0;
    this.#nextBytes = 0;
    return commands;
  }

  #isReady(pipeline: number | undefined): boolean {
    return pipeline === undefined || this.#pipelines.isReady(pipeline);
  }

  #resume(): void {
    const first = this.#waiting.findIndex(({ pipeline }) => !this.#isReady(pipeline));
    if (first < 0) return this.flush();
    for (const { run, keptBytes } of this.#waiting.splice(0, first)) {
      this.#keptBytes -= keptBytes;
      run();
    }
  }
}
