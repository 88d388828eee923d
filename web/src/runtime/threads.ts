import { nodeBuiltin } from './node_builtins.js';
import { isLoaded, wasm, whenLoaded } from './runtime.js';
import { canShareMemory } from './engine_memory.js';
import { whenLargeOpsTook } from './large_ops.js';
import { kMaxThreads, getPlannedThreads, setPlannedThreads } from './thread_count.js';
import { kNodeWorker, kPageWorker } from './worker_code.js';

/** A message to a worker. */
interface WorkerMessage {
  engine?: WebAssembly.Module;
  memory?: WebAssembly.Memory;
  worker?: number;
  stack?: number;
  parts: readonly WebAssembly.Module[];
  generation: number;
}

/** A worker that was started. */
interface WorkerHandle {
  /** Index of the worker, from 0. Each worker has its own stack. */
  readonly worker: number;
  post(message: WorkerMessage): void;
  end(): void;
  /** True if the thread of a worker that has computed still runs; undefined if the platform cannot tell. */
  isAlive(): boolean | undefined;
}

/** The engine's module and memory, as sent to workers; undefined for an engine without threads. */
let engine: { module: WebAssembly.Module; memory: WebAssembly.Memory } | undefined;
/** Total time of large ops on one thread before workers are started, in ms. Before that, starting them does not pay off. */
const kStartupThresholdMs = 70;
/** Time from then on, in ms, before an op starts the workers itself because the program does not yield to the event loop. */
const kForceStartMs = 150;
/** Time without a response after which a worker counts as ended, in ms, while this thread does nothing else. */
const kResponseTimeoutMs = 5000;
/** Maximum time that two reads of the clock count, in ms: this thread may have computed in between, or the machine slept. */
const kMaxTickMs = 50;
let script: string | undefined;
/** Time when large ops first asked for workers, on the clock of performance.now(). */
let requestedAt: number | undefined;
let isStartPlanned = false;
let onWorkersStart = () => {};
let workers: WorkerHandle[] = [];
let pendingPing: Promise<void> | undefined;
let hasWarned = false;
const parts: WebAssembly.Module[] = [];

/** Sets the address of the script of workers. For entries that have the script in a file. */
export function setWorkerScript(address: string): void {
  script = address;
}

/** Sets the engine that workers run, before it becomes the instance of the package. */
export function setWorkerEngine(module: WebAssembly.Module, memory: WebAssembly.Memory): void {
  engine = { module, memory };
  parts.length = 0;
}

/** Sends a loaded part to the workers. Until they have it, loops run on one thread. */
export function sendPartToWorkers(part: WebAssembly.Module): void {
  if (!engine) return;
  parts.push(part);
  if (workers.length === 0) return;
  wasm._tn_stop_workers();
  for (const handle of workers) handle.post({ parts: [part], generation: wasm._tn_worker_generation() });
}

/**
 * Sets the number of threads that compute ops, the calling thread included: 1 to 16, by default one for each core, 8 at most.
 * Before the engine is loaded, 1 chooses an engine without threads. Where the platform has no threads, the number has no
 * effect. Workers start once large ops have computed on one thread for 70 ms. Throws unless `numThreads` is a positive integer.
 * @example
 * tf.setThreadsCount(1);
 * tf.getThreadsCount(); // 1
 */
export function setThreadsCount(numThreads: number): void {
  if (!Number.isInteger(numThreads) || numThreads < 1) {
    throw new Error(`[setThreadsCount] expected 1 or more threads, got ${numThreads}`);
  }
  setPlannedThreads(Math.min(numThreads, kMaxThreads));
  if (engine && isLoaded()) {
    endWorkers();
    startWorkersOnDemand();
  }
}

/**
 * Returns the number of threads that compute ops, the calling thread included: 1 where threads are not available.
 * @example
 * tf.getThreadsCount() >= 1; // true
 */
export function getThreadsCount(): number {
  const hasThreads = isLoaded() ? engine !== undefined : canShareMemory();
  return hasThreads ? getPlannedThreads() : 1;
}

/**
 * Starts the workers now, instead of after the first 70 ms of large ops. Resolves to the number of threads once all of them
 * take part: that of getThreadsCount(), or fewer if the platform starts no more.
 * @example
 * const threads = await tf.startThreads();
 * threads >= 1; // true
 */
export async function startThreads(): Promise<number> {
  if (!engine || !isLoaded()) return 1;
  startWorkers();
  await pingWorkers();
  // Replaces workers that were found to have ended.
  if (workers.length < getPlannedThreads() - 1) {
    startWorkers();
    await pingWorkers();
  }
  return workers.length + 1;
}

/** Resolves once each worker has responded or counts as ended. */
function pingWorkers(): Promise<void> {
  pendingPing ??= waitForWorkers().finally(() => (pendingPing = undefined));
  return pendingPing;
}

async function waitForWorkers(): Promise<void> {
  wasm._tn_release_workers();
  const message = { parts: [], generation: wasm._tn_worker_generation() };
  for (const handle of workers) handle.post(message);
  const missing = () => workers.filter((handle) => !wasm._tn_worker_takes_part(handle.worker));
  let [silence, count, last] = [0, workers.length, performance.now()];
  for (let absent = missing(); absent.length > 0; absent = missing()) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const now = performance.now();
    silence = absent.length < count ? 0 : silence + Math.min(now - last, kMaxTickMs);
    [count, last] = [absent.length, now];
    if (silence > kResponseTimeoutMs) absent.forEach(dropWorker);
  }
}

/**
 * Drops the workers whose threads have ended, and all if `isOverdue`. The engine calls it when it has waited long for workers,
 * or when one does not take part: see workers::on_absence() in cpu/threads/parallel.h.
 */
function reapWorkers(isOverdue: boolean): void {
  for (const handle of workers) {
    const hasEnded = wasm._tn_worker_is_at_work(handle.worker) && handle.isAlive() === false;
    if (isOverdue || hasEnded) dropWorker(handle);
  }
  if (workers.some((handle) => handle.isAlive() === undefined))
    setTimeout(() => void pingWorkers().catch(() => undefined));
}

/** Drops a worker that was ended from outside. Warns the first time. */
function dropWorker(handle: WorkerHandle): void {
  if (!workers.includes(handle)) return;
  workers = workers.filter((each) => each !== handle);
  // The thread must have ended before the engine stops waiting for it.
  handle.end();
  try {
    wasm._tn_fail_worker(handle.worker);
  } catch {
    // An engine that refuses all calls needs no workers.
    return;
  }
  if (hasWarned) return;
  hasWarned = true;
  console.warn(
    `Tenure: a worker thread ended unexpectedly (threads left: ${workers.length + 1}). \`await tf.startThreads()\` starts another.`,
  );
}

whenLoaded(startWorkersOnDemand);

function startWorkersOnDemand(): void {
  if (!engine || getPlannedThreads() <= 1) return;
  // Makes Node load the module now, for the reason that makeNodeGlobals() has.
  nodeBuiltin('node:worker_threads');
  Object.assign(wasm, { reapWorkers });
  wasm._tn_look_after_workers();
  requestedAt = undefined;
  if (!isStartPlanned) whenLargeOpsTook(kStartupThresholdMs, requestWorkers);
  isStartPlanned = true;
}

/**
 * Starts the workers soon. A time limit or a stack overflow may interrupt an op that starts a worker. The worker ends itself,
 * since it gets no message, but Node's own state may be left inconsistent. So a timer starts the workers, unless the program
 * does not yield for kForceStartMs.
 */
function requestWorkers(): void {
  const now = performance.now();
  if (requestedAt === undefined) {
    requestedAt = now;
    const timer: unknown = setTimeout(() => {
      if (engine && isLoaded()) startWorkers();
    });
    // In Node the timer must not keep the process alive.
    (timer as { unref?(): void }).unref?.();
  }
  isStartPlanned = now - requestedAt <= kForceStartMs;
  if (isStartPlanned) whenLargeOpsTook(0, requestWorkers);
  else startWorkers();
}

/** Calls `act` whenever workers are started. It must not call ops, because an op may start them. */
export function whenWorkersStart(act: () => void): void {
  onWorkersStart = act;
}

/** Starts the workers that are missing. Does not wait for them, because an op may be the caller. */
function startWorkers(): void {
  onWorkersStart();
  for (let worker = 0; worker < getPlannedThreads() - 1; worker++) {
    if (workers.some((handle) => handle.worker === worker)) continue;
    let handle: WorkerHandle | undefined;
    const forget = () => (workers = workers.filter((each) => each !== handle));
    try {
      const stack = wasm._tn_worker_stack(worker);
      handle = startWorker(worker, () => handle && dropWorker(handle));
      // Before the first message: if a time limit interrupts this, no other worker may get the same stack.
      workers.push(handle);
      handle.post({
        ...engine!,
        engine: engine!.module,
        worker,
        stack,
        parts,
        generation: wasm._tn_worker_generation(),
      });
    } catch {
      // Some pages cannot start workers. Ops then compute on fewer threads, without an error.
      handle?.end();
      forget();
      return;
    }
  }
}

function endWorkers(): void {
  wasm._tn_stop_workers();
  for (const handle of workers) handle.end();
  workers = [];
}

/** Starts a worker. Calls `onEnd` when its thread has ended, if the platform tells. */
function startWorker(number: number, onEnd: () => void): WorkerHandle {
  const threads = nodeBuiltin('node:worker_threads');
  if (threads) {
    // Separate streams, because Node would create the process's streams here otherwise.
    const worker = new threads.Worker(kNodeWorker, {
      eval: true,
      execArgv: [],
      env: {},
      name: 'tenure',
      stdout: true,
      stderr: true,
    });
    // Workers must not keep the process alive.
    worker.unref();
    let isOnline = false;
    worker.on('online', () => (isOnline = true));
    worker.on('error', onEnd).on('exit', onEnd);
    return {
      worker: number,
      post: (message) => worker.postMessage(message),
      end: () => void worker.terminate(),
      // 'exit' is delivered only after the op that waits for the worker. Node reports an idle time of -1 for a thread that has
      // ended or, at the first query, times of 0. It also reports times of 0 for a live thread before 'online'.
      isAlive: () => {
        if (!isOnline) return undefined;
        const { idle, active } = worker.performance.eventLoopUtilization();
        return idle >= 0 && active > 0;
      },
    };
  }
  const worker = createPageWorker();
  worker.onerror = (event) => {
    event.preventDefault();
    onEnd();
  };
  return {
    worker: number,
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    isAlive: () => undefined,
  };
}

/**
 * Starts a page's worker from the script's file, which a strict content security policy allows. If the file is of another
 * origin, starts it from a blob with the same text.
 */
function createPageWorker(): Worker {
  try {
    if (script) return new Worker(script, { name: 'tenure' });
  } catch {
    // A blob is used instead.
  }
  const address = URL.createObjectURL(new Blob([kPageWorker], { type: 'text/javascript' }));
  return new Worker(address, { name: 'tenure' });
}
