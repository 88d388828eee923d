// Callbacks that access the model.
import { BaseCallback, type Logs } from '../train/callbacks.js';
import type { LayersModel } from './layers_model.js';

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
