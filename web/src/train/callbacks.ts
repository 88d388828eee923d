import { nextFrame } from '../device/backend.js';
import type { LayersModel } from '../models/layers_model.js';

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
  setModel(_model: LayersModel): void {
    // Callback keeps it.
  }
  async onEpochBegin(_epoch: number, _logs?: Logs): Promise<void> {}
  async onEpochEnd(_epoch: number, _logs?: Logs): Promise<void> {}
  async onBatchBegin(_batch: number, _logs?: Logs): Promise<void> {}
  async onBatchEnd(_batch: number, _logs?: Logs): Promise<void> {}
  async onTrainBegin(_logs?: Logs): Promise<void> {}
  async onTrainEnd(_logs?: Logs): Promise<void> {}
}

/**
 * Base class of custom callbacks. It has the model that is trained, whose `stopTraining` it may set.
 * @example
 * class Counting extends tf.Callback {
 *   epochs = 0;
 *   async onEpochEnd() { this.epochs++; }
 * }
 * const counting = new Counting();
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 3, verbose: 0, callbacks: counting });
 * counting.epochs; // 3
 * tf.dispose([model, model.optimizer]);
 */
export abstract class Callback extends BaseCallback {
  /** Model that is trained. */
  model: LayersModel | null = null;
  override setModel(model: LayersModel): void {
    this.model = model;
  }
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

/** Arguments of callbacks.earlyStopping(). */
export interface EarlyStoppingCallbackArgs {
  /** Name of the monitored loss or metric: 'val_loss' by default. */
  monitor?: string;
  /** Minimum change that counts as an improvement: 0 by default. */
  minDelta?: number;
  /** Number of epochs without improvement after which training ends: 0, as 1, ends it at the first. */
  patience?: number;
  /** Not 0 to print when training is ended early. */
  verbose?: number;
  /** Direction of improvement: 'auto' is 'max' for a name that contains 'acc', else 'min'. */
  mode?: 'auto' | 'min' | 'max';
  /** Value that has to be improved on from the first epoch. */
  baseline?: number;
  /** Not supported: throws if it is true. */
  restoreBestWeights?: boolean;
}

/**
 * Callback that ends training when a monitored loss or metric no longer improves.
 * @example
 * const callback = new tf.EarlyStopping({ monitor: 'loss', patience: 1 });
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' }); // a rate of 0: nothing gets better
 * const { epoch } = await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 10, verbose: 0, callbacks: callback });
 * epoch.length; // 2
 * tf.dispose([model, model.optimizer]);
 */
export class EarlyStopping extends Callback {
  /** Name of the monitored loss or metric. */
  readonly monitor: string;
  /** Number of epochs without improvement after which training ends. */
  readonly patience: number;
  readonly #isLess: boolean;
  readonly #args: EarlyStoppingCallbackArgs;
  #best = 0;
  #wait = 0;
  #stoppedEpoch = 0;

  constructor(args: EarlyStoppingCallbackArgs = {}) {
    super();
    if (args.restoreBestWeights) {
      throw new Error('restoreBestWeights = True is not implemented in EarlyStopping yet.');
    }
    this.#args = args;
    this.monitor = args.monitor ?? 'val_loss';
    this.patience = args.patience ?? 0;
    let mode = args.mode ?? 'auto';
    if (!['auto', 'min', 'max'].includes(mode)) {
      console.warn(`EarlyStopping mode '${mode}' is invalid. Falling back to mode 'auto'.`);
      mode = 'auto';
    }
    this.#isLess = mode === 'auto' ? !this.monitor.includes('acc') : mode === 'min';
  }

  override onTrainBegin(): Promise<void> {
    this.#wait = 0;
    this.#stoppedEpoch = 0;
    this.#best = this.#args.baseline ?? (this.#isLess ? Infinity : -Infinity);
    return Promise.resolve();
  }
  override onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    const current = logs[this.monitor];
    if (current === undefined) {
      const names = Object.keys(logs).join();
      console.warn(`Metric for EarlyStopping ${this.monitor} is not available. Available metrics are: ${names}`);
      return Promise.resolve();
    }
    const delta = Math.abs(this.#args.minDelta ?? 0);
    if (this.#isLess ? current + delta < this.#best : current - delta > this.#best) {
      this.#best = current;
      this.#wait = 0;
    } else if (++this.#wait >= this.patience) {
      this.#stoppedEpoch = epoch;
      this.model!.stopTraining = true;
    }
    return Promise.resolve();
  }
  override onTrainEnd(): Promise<void> {
    if (this.#stoppedEpoch > 0 && this.#args.verbose) console.log(`Epoch ${this.#stoppedEpoch}: early stopping.`);
    return Promise.resolve();
  }
}

/** Factories of callbacks, tf.callbacks. */
export const callbacks = {
  /**
   * Creates a callback that ends fit() when `monitor` (val_loss) has not improved for `patience` epochs; 0, the default, ends
   * it after the first such epoch.
   * @example
   * const callback = tf.callbacks.earlyStopping({ monitor: 'loss', patience: 2 });
   * callback.patience; // 2
   */
  earlyStopping: (args?: EarlyStoppingCallbackArgs): EarlyStopping => new EarlyStopping(args),
};

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
