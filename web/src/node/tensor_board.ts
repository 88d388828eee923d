import { nodeBuiltin } from '../runtime/node_builtins.js';
import { Callback } from '../models/model_callbacks.js';
import type { Logs } from '../train/callbacks.js';
import { summaryFileWriter } from './summary_writer.js';

/** Options of tensorBoard(). */
export interface TensorBoardCallbackArgs {
  /** When losses and metrics are written: after each 'epoch', the default, or also after each 'batch'. */
  updateFreq?: 'batch' | 'epoch';
  /** Number of epochs from one histogram of the weights to the next; 0, the default, for none. */
  histogramFreq?: number;
}

/** Names in the logs that are neither losses nor metrics. */
const kCounts = ['batch', 'size', 'num_steps'];
const kValidationPrefix = 'val_';

/** Callback that writes losses, metrics and histograms of weights to TensorBoard event files. */
export class TensorBoardCallback extends Callback {
  readonly #logdir: string;
  readonly #updateFreq: 'batch' | 'epoch';
  readonly #histogramFreq: number;
  #batchesSeen = 0;
  #hasValidation = false;

  /** @internal Use tf.node.tensorBoard(). */
  constructor(logdir: string, { updateFreq = 'epoch', histogramFreq = 0 }: TensorBoardCallbackArgs) {
    super();
    if (!['batch', 'epoch'].includes(updateFreq))
      throw new Error(`Expected updateFreq to be 'batch' or 'epoch', but got ${updateFreq}`);
    if (!Number.isInteger(histogramFreq) || histogramFreq < 0) {
      throw new Error(`Expected histogramFreq to be a positive integer, but got ${histogramFreq}`);
    }
    this.#logdir = logdir;
    this.#updateFreq = updateFreq;
    this.#histogramFreq = histogramFreq;
  }

  override onBatchEnd(_batch: number, logs: Logs = {}): Promise<void> {
    this.#batchesSeen++;
    if (this.#updateFreq === 'batch') this.#writeLogs(logs, 'batch_', this.#batchesSeen);
    return Promise.resolve();
  }
  override onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    this.#writeLogs(logs, 'epoch_', epoch + 1);
    if (this.#histogramFreq > 0 && epoch % this.#histogramFreq === 0) {
      for (const weight of this.model!.weights) this.#writer('train').histogram(weight.name, weight.read(), epoch);
    }
    return Promise.resolve();
  }
  override onTrainEnd(): Promise<void> {
    this.#writer('train').flush();
    if (this.#hasValidation) this.#writer('val').flush();
    return Promise.resolve();
  }

  #writeLogs(logs: Logs, prefix: string, step: number): void {
    for (const [name, value] of Object.entries(logs)) {
      if (kCounts.includes(name)) continue;
      const isValidation = name.startsWith(kValidationPrefix);
      this.#hasValidation ||= isValidation;
      const tag = prefix + (isValidation ? name.slice(kValidationPrefix.length) : name);
      this.#writer(isValidation ? 'val' : 'train').scalar(tag, value, step);
    }
  }
  #writer(run: 'train' | 'val') {
    return summaryFileWriter(nodeBuiltin('node:path')!.join(this.#logdir, run));
  }
}

/**
 * Returns a callback of fit() and fitDataset() that writes TensorBoard event files: losses and metrics as `epoch_loss` in the
 * folder `train`, those of the validation data under the same names in `val`, and histograms of the weights in `train`.
 * @param logdir Folder of both; './logs' by default.
 * @param args When to write what.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * const logs = tf.node.tensorBoard('build/example-fit', { histogramFreq: 1 });
 * const { epoch } = await model.fit(tf.tensor([[1]]), tf.tensor([[2]]), { epochs: 2, verbose: 0, callbacks: logs });
 * epoch; // [0, 1]
 * tf.dispose([model, model.optimizer]);
 */
export function tensorBoard(logdir = './logs', args: TensorBoardCallbackArgs = {}): TensorBoardCallback {
  return new TensorBoardCallback(logdir, args);
}
