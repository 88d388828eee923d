import { builtIn } from './built_in.js';
import { isLoaded, wasm, whenLoaded } from './runtime.js';
import { canShareMemory } from './shared_memory.js';
import { kMaxThreads, plannedThreads, planThreads } from './thread_count.js';
import { kNodeWorker, kPageWorker } from './worker_code.js';

/** What a worker is sent. */
interface Orders {
  engine?: WebAssembly.Module;
  memory?: WebAssembly.Memory;
  worker?: number;
  stack?: number;
  parts: readonly WebAssembly.Module[];
  epoch: number;
}

interface Helper {
  /** Its number, from 0 on: it has a stack of its own. */
  readonly worker: number;
  post(orders: Orders): void;
  end(): void;
  /** Whether the thread of a worker that has computed still runs; undefined where the platform does not tell. */
  isAlive(): boolean | undefined;
}

/** The engine, as workers get it; undefined where it has its memory for itself. */
let engine: { module: WebAssembly.Module; memory: WebAssembly.Memory } | undefined;
/** How long large ops compute alone, in all, before workers are worth what they take to start. */
const kAloneMs = 70;
/** How long ops compute alone from then on that let nobody else run, before one of them starts the workers itself. */
const kPatienceMs = 150;
/** A worker that gives no sign of life for so long, while this thread does nothing else, has ended. */
const kSilenceMs = 5000;
/** What a pause between two looks at the clock counts at most: this thread may have computed, or the machine slept. */
const kMaxTickMs = 50;
let script: string | undefined;
let helpers: Helper[] = [];
let rollCall: Promise<void> | undefined;
let hasWarned = false;
const parts: WebAssembly.Module[] = [];

/** Said once, by entries that have the script of workers in a file. */
export function workersComeFrom(address: string): void {
  script = address;
}

/** Said once, of the engine that is about to be adopted. */
export function shareWithWorkers(module: WebAssembly.Module, memory: WebAssembly.Memory): void {
  engine = { module, memory };
  parts.length = 0;
}

/** Gives workers a part that is there from now on; until they have it, loops run on one thread. */
export function sharePart(part: WebAssembly.Module): void {
  if (!engine) return;
  parts.push(part);
  if (helpers.length === 0) return;
  wasm._tn_stop_workers();
  for (const helper of helpers) helper.post({ parts: [part], epoch: wasm._tn_worker_epoch() });
}

/** The memory that parts are set up in, where it is shared. */
export const sharedMemory = (): WebAssembly.Memory | undefined => engine?.memory;

/**
 * From now on this many threads compute, 1 to 16, the one that calls among them; by default one for each core, 8 at most.
 * Before the engine is loaded, 1 chooses one without threads. Where there are none, it does nothing else. Workers start
 * once large ops have computed alone for 70 ms.
 * @example
 * tf.setThreadsCount(1);
 * tf.getThreadsCount(); // 1
 */
export function setThreadsCount(numThreads: number): void {
  if (!Number.isInteger(numThreads) || numThreads < 1) {
    throw new Error(`[setThreadsCount] expected a number of threads from 1 on, got ${numThreads}`);
  }
  planThreads(Math.min(numThreads, kMaxThreads));
  if (engine && isLoaded()) {
    endWorkers();
    summonOnDemand();
  }
}

/**
 * How many threads compute, the one that calls among them: 1 where there are no others to be had.
 * @example
 * tf.getThreadsCount() >= 1; // true
 */
export function getThreadsCount(): number {
  const hasThreads = isLoaded() ? engine !== undefined : canShareMemory();
  return hasThreads ? plannedThreads() : 1;
}

/**
 * Starts the workers now, rather than once large ops have computed alone for a while. Resolves to the number of threads
 * when all of them compute: those of getThreadsCount(), or fewer where the platform starts no more.
 * @example
 * const threads = await tf.startThreads();
 * threads >= 1; // true
 */
export async function startThreads(): Promise<number> {
  if (!engine || !isLoaded()) return 1;
  startWorkers();
  await callTheRoll();
  // In the place of those that were found to have ended.
  if (helpers.length < plannedThreads() - 1) {
    startWorkers();
    await callTheRoll();
  }
  return helpers.length + 1;
}

/** Resolves when each worker has given a sign of life, or is lost. */
function callTheRoll(): Promise<void> {
  rollCall ??= waitForWorkers().finally(() => (rollCall = undefined));
  return rollCall;
}

async function waitForWorkers(): Promise<void> {
  wasm._tn_release_workers();
  const orders = { parts: [], epoch: wasm._tn_worker_epoch() };
  for (const helper of helpers) helper.post(orders);
  const missing = () => helpers.filter((helper) => !wasm._tn_worker_takes_part(helper.worker));
  let [silence, count, last] = [0, helpers.length, performance.now()];
  for (let absent = missing(); absent.length > 0; absent = missing()) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const now = performance.now();
    silence = absent.length < count ? 0 : silence + Math.min(now - last, kMaxTickMs);
    [count, last] = [absent.length, now];
    if (silence > kSilenceMs) absent.forEach(lose);
  }
}

/** Called by the engine where it waits for workers for long, or misses one: see workers::on_absence() in cpu/threads/parallel.h. */
function lookAfterWorkers(isOverdue: boolean): void {
  for (const helper of helpers) {
    const hasEnded = wasm._tn_worker_is_at_work(helper.worker) && helper.isAlive() === false;
    if (isOverdue || hasEnded) lose(helper);
  }
  if (helpers.some((helper) => helper.isAlive() === undefined)) setTimeout(() => void callTheRoll().catch(() => undefined));
}

/** Does without a worker that was ended from outside. */
function lose(helper: Helper): void {
  if (!helpers.includes(helper)) return;
  helpers = helpers.filter((each) => each !== helper);
  // Its thread has to have ended before the engine gives up on it.
  helper.end();
  try {
    wasm._tn_fail_worker(helper.worker);
  } catch {
    // An engine that refuses all calls needs no workers.
    return;
  }
  if (hasWarned) return;
  hasWarned = true;
  console.warn(
    `Tenure: a worker thread ended that setThreadsCount() did not end, so ops compute on ${helpers.length + 1} from now on. ` +
      '`await tf.startThreads()` starts another.',
  );
}

whenLoaded(summonOnDemand);

function summonOnDemand(): void {
  if (!engine || plannedThreads() <= 1) return;
  let askedAt: number | undefined;
  // As in makeNodeGlobals(): what workers are made by.
  builtIn('node:worker_threads');
  // A time limit or the end of the stack may cut an op short while it starts a worker, of which nobody would know then: without
  // orders it ends itself, but Node may be left half-done. So they start behind its back, but where a program lets nobody else
  // run for long.
  const summonWorkers = () => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      const timer: unknown = setTimeout(() => {
        if (engine && isLoaded()) startWorkers();
      });
      // Of Node: no program waits for it.
      (timer as { unref?(): void }).unref?.();
    }
    if (now - askedAt > kPatienceMs) startWorkers();
    else wasm._tn_summon_on_demand(0);
  };
  Object.assign(wasm, { summonWorkers, lookAfterWorkers });
  wasm._tn_summon_on_demand(kAloneMs);
  wasm._tn_look_after_workers();
}

/** An op may be waiting, and goes on without them. */
function startWorkers(): void {
  for (let worker = 0; worker < plannedThreads() - 1; worker++) {
    if (helpers.some((helper) => helper.worker === worker)) continue;
    let helper: Helper | undefined;
    const forget = () => (helpers = helpers.filter((each) => each !== helper));
    try {
      const stack = wasm._tn_worker_stack(worker);
      helper = startWorker(worker, () => helper && lose(helper));
      // Before it has its orders: where a time limit cuts this short, none other may be given its stack.
      helpers.push(helper);
      helper.post({ ...engine!, engine: engine!.module, worker, stack, parts, epoch: wasm._tn_worker_epoch() });
    } catch {
      // A page may not start any, and is told nothing: fewer threads compute.
      helper?.end();
      forget();
      return;
    }
  }
}

function endWorkers(): void {
  wasm._tn_stop_workers();
  for (const helper of helpers) helper.end();
  helpers = [];
}

/** Calls `onEnd` when its thread has ended, where the platform tells. */
function startWorker(number: number, onEnd: () => void): Helper {
  const threads = builtIn('node:worker_threads');
  if (threads) {
    // With streams of its own it does without the process's, which Node would make here.
    const worker = new threads.Worker(kNodeWorker, { eval: true, execArgv: [], env: {}, name: 'tenure', stdout: true, stderr: true });
    // No program waits for them.
    worker.unref();
    let isOnline = false;
    worker.on('online', () => (isOnline = true));
    worker.on('error', onEnd).on('exit', onEnd);
    return {
      worker: number,
      post: (orders) => worker.postMessage(orders),
      end: () => void worker.terminate(),
      // 'exit' comes only after the op that waits for the worker. Node reports an idle time of -1 for a thread that has ended
      // or, if it was not asked before, no time at all; but no time at all for a live thread, too, before 'online' has come.
      isAlive: () => {
        if (!isOnline) return undefined;
        const { idle, active } = worker.performance.eventLoopUtilization();
        return idle >= 0 && active > 0;
      },
    };
  }
  const worker = pageWorker();
  worker.onerror = (event) => {
    event.preventDefault();
    onEnd();
  };
  return {
    worker: number,
    post: (orders) => worker.postMessage(orders),
    end: () => worker.terminate(),
    isAlive: () => undefined,
  };
}

/** Of the file, which a page with a strict content security policy allows; where it is of another origin, of the same text. */
function pageWorker(): Worker {
  try {
    if (script) return new Worker(script, { name: 'tenure' });
  } catch {
    // Below.
  }
  const address = URL.createObjectURL(new Blob([kPageWorker], { type: 'text/javascript' }));
  return new Worker(address, { name: 'tenure' });
}
