import { nextFrame } from '../device/backend.js';
import type { LayersModel } from '../models/layers_model.js';

/** The numbers of a batch or an epoch, by name. */
export type Logs = Record<string, number>;
export type Params = Record<string, unknown>;

/** Milliseconds between two yields to the page, unless fit() is told otherwise. */
const kYieldEvery = 125;

/** How often a page gets its turn: as often as every so many milliseconds, after each batch or epoch, or never. */
export type YieldEveryOptions = 'auto' | 'batch' | 'epoch' | 'never' | number;

/** What watches fit(). Each hook is awaited. */
export abstract class BaseCallback {
  validationData: unknown = null;
  params: Params = {};
  setParams(params: Params): void {
    this.params = params;
  }
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
 * A callback of your own: it knows the model that trains, whose `stopTraining` it may set.
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
  /** The model that trains. */
  model: LayersModel | null = null;
  override setModel(model: LayersModel): void {
    this.model = model;
  }
}

/** Hooks as functions. */
export interface CustomCallbackArgs {
  onTrainBegin?: (logs?: Logs) => void | Promise<void>;
  onTrainEnd?: (logs?: Logs) => void | Promise<void>;
  onEpochBegin?: (epoch: number, logs?: Logs) => void | Promise<void>;
  onEpochEnd?: (epoch: number, logs?: Logs) => void | Promise<void>;
  onBatchBegin?: (batch: number, logs?: Logs) => void | Promise<void>;
  onBatchEnd?: (batch: number, logs?: Logs) => void | Promise<void>;
  onYield?: (epoch: number, batch: number, logs: Logs) => void | Promise<void>;
  nowFunc?: () => number;
  nextFrameFunc?: () => Promise<void>;
}

/**
 * A callback of functions, which also lets the page have its turn.
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
    this.#yieldEvery = yieldEvery === 'auto' ? kYieldEvery : yieldEvery;
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

  /** @internal Lets the page have its turn where that is due, between batches that nothing else is told of. */
  async breathe(): Promise<void> {
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
 * The numbers of each epoch; what fit() gives.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['mae'] });
 * const { epoch, history } = await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 2, verbose: 0 });
 * epoch; // [0, 1]
 * Object.keys(history); // ['loss', 'mae']
 * tf.dispose([model, model.optimizer]);
 */
export class History extends BaseCallback {
  /** The numbers of the epochs. */
  epoch: number[] = [];
  /** The numbers of all epochs, by name. */
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
  /** The numbers are there already; for TensorFlow.js's sake. */
  syncData(): Promise<void> {
    return Promise.resolve();
  }
}

/** What is watched for how many epochs, and what counts as better. */
export interface EarlyStoppingCallbackArgs {
  /** What is watched; 'val_loss' unless said. */
  monitor?: string;
  /** A change below it is none. */
  minDelta?: number;
  /** So many epochs without a better number end the training. */
  patience?: number;
  verbose?: number;
  mode?: 'auto' | 'min' | 'max';
  /** The number to do better than. */
  baseline?: number;
  /** Whether the weights of the best epoch come back at the end. */
  restoreBestWeights?: boolean;
}

/**
 * Ends the training when a number no longer gets better.
 * @example
 * const callback = new tf.EarlyStopping({ monitor: 'loss', patience: 1 });
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' }); // a rate of 0: nothing gets better
 * const { epoch } = await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 10, verbose: 0, callbacks: callback });
 * epoch.length; // 2
 * tf.dispose([model, model.optimizer]);
 */
export class EarlyStopping extends Callback {
  /** The number that is watched. */
  readonly monitor: string;
  /** So many epochs without a better number end the training. */
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

/** tf.callbacks */
export const callbacks = {
  /**
   * Ends fit() when `monitor` (val_loss) has not got better for `patience` (0) epochs, and at the first for 0.
   * @example
   * const callback = tf.callbacks.earlyStopping({ monitor: 'loss', patience: 2 });
   * callback.patience; // 2
   */
  earlyStopping: (args?: EarlyStoppingCallbackArgs): EarlyStopping => new EarlyStopping(args),
};

export type Callbacks = BaseCallback | BaseCallback[] | CustomCallbackArgs | CustomCallbackArgs[];

/** All of them in one, in their order. */
export class CallbackList {
  constructor(readonly callbacks: readonly BaseCallback[]) {}
  async call<K extends Hook>(hook: K, ...args: Parameters<BaseCallback[K]>): Promise<void> {
    for (const callback of this.callbacks) await (callback[hook] as (...given: unknown[]) => Promise<void>)(...args);
  }
  /** Lets the page have its turn where that is due. */
  async breathe(): Promise<void> {
    for (const callback of this.callbacks) if (callback instanceof CustomCallback) await callback.breathe();
  }
}
type Hook = 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd' | 'onTrainBegin' | 'onTrainEnd';

/** Objects for what was given, functions in a CustomCallback; one of them lets the page have its turn. */
export function toCallbacks(given: Callbacks | null | undefined, yieldEvery?: YieldEveryOptions): BaseCallback[] {
  const list: (BaseCallback | CustomCallbackArgs)[] = Array.isArray(given) ? given : [given ?? {}];
  const made = list.map((one) => (one instanceof BaseCallback ? one : new CustomCallback(one, yieldEvery)));
  return made.some((one) => one instanceof CustomCallback) ? made : [new CustomCallback({}, yieldEvery), ...made];
}

type CallbackConstructor = new () => BaseCallback;
const registered: { verbosity: number; make: CallbackConstructor }[] = [];

/**
 * From now on each fit() that is at least as verbose has a callback of the class.
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

/** Callbacks of the classes that are registered. */
export function makeRegistered(verbosity: number): BaseCallback[] {
  return registered.filter((one) => one.verbosity <= verbosity).map(({ make }) => new make());
}
