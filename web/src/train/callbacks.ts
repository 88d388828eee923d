import { nextFrame } from '../device/backend.js';
import type { TrainableModel } from './trainable_model.js';

/** Losses and metrics of a batch or an epoch, by name. */
export type Logs = Record<string, number>;
/** Parameters of a training, by name: epochs, batch size, steps, metrics and more. */
export type Params = Record<string, unknown>;

/** Default number of milliseconds between two yields to the event loop. */
const kYieldIntervalMs = 125;

/** Interval of yields to the event loop: milliseconds, after each 'batch' or 'epoch', 'never', or 'auto', 125 ms. */
export type YieldEveryOptions = 'auto' | 'batch' | 'epoch' | 'never' | number;

/** Base class of callbacks, whose hooks fit() calls and awaits. */
export abstract class BaseCallback {
  /** Not used; kept for compatibility with TensorFlow.js. */
  validationData: unknown = null;
  /** Parameters of the training. */
  params: Params = {};
  /** Sets the parameters of the training. */
  setParams(params: Params): void {
    this.params = params;
  }
  /** Sets the model that is trained; the base class ignores it. */
  setModel(_model: TrainableModel): void {
    // Callback keeps it.
  }
  async onEpochBegin(_epoch: number, _logs?: Logs): Promise<void> {}
  async onEpochEnd(_epoch: number, _logs?: Logs): Promise<void> {}
  async onBatchBegin(_batch: number, _logs?: Logs): Promise<void> {}
  async onBatchEnd(_batch: number, _logs?: Logs): Promise<void> {}
  async onTrainBegin(_logs?: Logs): Promise<void> {}
  async onTrainEnd(_logs?: Logs): Promise<void> {}
}

/** Hooks of a callback as functions, which fit() awaits. */
export interface CustomCallbackArgs {
  /** Called before the first epoch. */
  onTrainBegin?: (logs?: Logs) => void | Promise<void>;
  /** Called after the last epoch. */
  onTrainEnd?: (logs?: Logs) => void | Promise<void>;
  /** Called before each epoch. */
  onEpochBegin?: (epoch: number, logs?: Logs) => void | Promise<void>;
  /** Called after each epoch, with its losses and metrics. */
  onEpochEnd?: (epoch: number, logs?: Logs) => void | Promise<void>;
  /** Called before each batch. */
  onBatchBegin?: (batch: number, logs?: Logs) => void | Promise<void>;
  /** Called after each batch, with its losses and metrics. */
  onBatchEnd?: (batch: number, logs?: Logs) => void | Promise<void>;
  /**
   * Called after a batch when training yields to the event loop.
   * @param epoch Index of the epoch, from 0.
   * @param batch Index of the batch in the epoch, from 0.
   * @param logs Losses and metrics of the batch.
   */
  onYield?: (epoch: number, batch: number, logs: Logs) => void | Promise<void>;
  /** Clock for the interval of yields, in milliseconds: performance.now() by default. */
  nowFunc?: () => number;
  /** Function that yields to the event loop: tf.nextFrame() by default. */
  nextFrameFunc?: () => Promise<void>;
}

/**
 * Callback made of functions. It also yields to the event loop.
 * @example
 * const seen = [];
 * const callback = new tf.CustomCallback({ onEpochEnd: async (epoch) => seen.push(epoch) });
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 2, verbose: 0, callbacks: callback });
 * seen; // [0, 1]
 * tf.dispose([model, model.optimizer]);
 */
export class CustomCallback extends BaseCallback {
  #epoch = 0;
  #yielded: number;
  readonly #yieldEvery: Exclude<YieldEveryOptions, 'auto'>;

  constructor(
    private readonly args: CustomCallbackArgs,
    yieldEvery: YieldEveryOptions = 'auto',
  ) {
    super();
    this.#yieldEvery = yieldEvery === 'auto' ? kYieldIntervalMs : yieldEvery;
    this.#yielded = this.#now();
    if (this.#yieldEvery === 'never' && args.onYield) {
      throw new Error(
        'yieldEvery is `never` but you provided an `onYield` callback. Either change `yieldEvery` or remove the callback',
      );
    }
  }

  override async onTrainBegin(logs?: Logs): Promise<void> {
    await this.args.onTrainBegin?.(logs);
  }
  override async onTrainEnd(logs?: Logs): Promise<void> {
    await this.args.onTrainEnd?.(logs);
  }
  override async onEpochBegin(epoch: number, logs?: Logs): Promise<void> {
    this.#epoch = epoch;
    await this.args.onEpochBegin?.(epoch, logs);
  }
  override async onEpochEnd(epoch: number, logs?: Logs): Promise<void> {
    await Promise.all([this.args.onEpochEnd?.(epoch, logs), this.#yieldEvery === 'epoch' ? this.#frame() : undefined]);
  }
  override async onBatchBegin(batch: number, logs?: Logs): Promise<void> {
    await this.args.onBatchBegin?.(batch, logs);
  }
  override async onBatchEnd(batch: number, logs: Logs = {}): Promise<void> {
    const hook = this.args.onBatchEnd?.(batch, logs);
    await Promise.all([hook, this.#mayYield() ? this.#yield(batch, logs) : undefined]);
  }

  /** @internal Yields to the event loop if that is due, between batches of validation, which have no hooks. */
  async yieldIfDue(): Promise<void> {
    if (this.#mayYield()) await this.#frame();
  }

  #mayYield(): boolean {
    if (typeof this.#yieldEvery !== 'number') return this.#yieldEvery === 'batch';
    const now = this.#now();
    if (now - this.#yielded < this.#yieldEvery) return false;
    this.#yielded = now;
    return true;
  }
  #now(): number {
    return this.args.nowFunc?.() ?? performance.now();
  }
  async #yield(batch: number, logs: Logs): Promise<void> {
    await Promise.all([this.args.onYield?.(this.#epoch, batch, logs), this.#frame()]);
  }
  #frame(): Promise<void> {
    return (this.args.nextFrameFunc ?? nextFrame)();
  }
}

/**
 * Losses and metrics of each epoch, as fit() returns them.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['mae'] });
 * const { epoch, history } = await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 2, verbose: 0 });
 * epoch; // [0, 1]
 * Object.keys(history); // ['loss', 'mae']
 * tf.dispose([model, model.optimizer]);
 */
export class History extends BaseCallback {
  /** Indices of the epochs that were run. */
  epoch: number[] = [];
  /** Losses and metrics by name, one value for each epoch. */
  history: Record<string, number[]> = {};
  override onTrainBegin(): Promise<void> {
    this.epoch = [];
    this.history = {};
    return Promise.resolve();
  }
  override onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    this.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) (this.history[name] ??= []).push(value);
    return Promise.resolve();
  }
  /** Does nothing: the values are numbers already. Kept for compatibility with TensorFlow.js. */
  syncData(): Promise<void> {
    return Promise.resolve();
  }
}

export type Callbacks = BaseCallback | BaseCallback[] | CustomCallbackArgs | CustomCallbackArgs[];

/** List of callbacks, whose hooks are called in order. */
export class CallbackList {
  constructor(readonly callbacks: readonly BaseCallback[]) {}
  async call<K extends Hook>(hook: K, ...args: Parameters<BaseCallback[K]>): Promise<void> {
    for (const callback of this.callbacks) await (callback[hook] as (...given: unknown[]) => Promise<void>)(...args);
  }
  /** Yields to the event loop if that is due. */
  async yieldIfDue(): Promise<void> {
    for (const callback of this.callbacks) if (callback instanceof CustomCallback) await callback.yieldIfDue();
  }
}
type Hook = 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd' | 'onTrainBegin' | 'onTrainEnd';

/** Returns callback objects, hooks wrapped in a CustomCallback. At least one is a CustomCallback, which yields to the page. */
export function toCallbacks(given: Callbacks | null | undefined, yieldEvery?: YieldEveryOptions): BaseCallback[] {
  const list: (BaseCallback | CustomCallbackArgs)[] = Array.isArray(given) ? given : [given ?? {}];
  const made = list.map((one) => (one instanceof BaseCallback ? one : new CustomCallback(one, yieldEvery)));
  return made.some((one) => one instanceof CustomCallback) ? made : [new CustomCallback({}, yieldEvery), ...made];
}

type CallbackConstructor = new () => BaseCallback;
const registered: { verbosity: number; make: CallbackConstructor }[] = [];

/**
 * Registers a class of callbacks: each later fit() with `verbose` of at least `verbosityLevel` creates one. Throws if the class
 * is already registered.
 * @example
 * let made = 0;
 * class Counting extends tf.Callback {
 *   async onTrainBegin() { made++; }
 * }
 * tf.registerCallbackConstructor(2, Counting); // for each fit() that is at least as verbose
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 1, verbose: 2 });
 * made; // 1
 * tf.dispose([model, model.optimizer]);
 */
export function registerCallbackConstructor(verbosityLevel: number, callbackConstructor: CallbackConstructor): void {
  if (!(verbosityLevel >= 0 && Number.isInteger(verbosityLevel))) {
    throw new Error(`Verbosity level is expected to be an integer >= 0, but got ${verbosityLevel}`);
  }
  if (registered.some(({ make }) => make === callbackConstructor)) throw new Error('Duplicate callback constructor.');
  registered.push({ verbosity: verbosityLevel, make: callbackConstructor });
}

/** Creates the callbacks that are registered for a verbosity. */
export function createRegisteredCallbacks(verbosity: number): BaseCallback[] {
  return registered.filter((one) => one.verbosity <= verbosity).map(({ make }) => new make());
}
