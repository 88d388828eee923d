import type * as tf from '../index.js';

type Hook = 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd' | 'onTrainBegin' | 'onTrainEnd';
type Hooks = Record<Hook, (...args: unknown[]) => unknown> & {
  setParams(params: Record<string, unknown>): void;
  setModel(model: tf.LayersModel): void;
};

/** A list of callbacks. A hook is called for one callback after the other, and awaited. */
export class CallbackList {
  /** Callbacks, in the order in which they are called. */
  callbacks: Hooks[];

  /**
   * Creates a list.
   * @param callbacks Callbacks: none by default.
   * @param queueLength Kept for programs that read it.
   */
  constructor(
    callbacks?: Hooks[] | null,
    readonly queueLength = 10,
  ) {
    this.callbacks = callbacks ?? [];
  }

  append(callback: Hooks): void {
    this.callbacks.push(callback);
  }
  setParams(params: Record<string, unknown>): void {
    for (const callback of this.callbacks) callback.setParams(params);
  }
  setModel(model: tf.LayersModel): void {
    for (const callback of this.callbacks) callback.setModel(model);
  }
  onEpochBegin(epoch: number, logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onEpochBegin', epoch, logs);
  }
  onEpochEnd(epoch: number, logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onEpochEnd', epoch, logs);
  }
  onBatchBegin(batch: number, logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onBatchBegin', batch, logs);
  }
  onBatchEnd(batch: number, logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onBatchEnd', batch, logs);
  }
  onTrainBegin(logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onTrainBegin', logs);
  }
  onTrainEnd(logs: tf.Logs = {}): Promise<void> {
    return this.#callHooks('onTrainEnd', logs);
  }

  async #callHooks(hook: Hook, ...args: unknown[]): Promise<void> {
    for (const callback of this.callbacks) await callback[hook](...args);
  }
}
