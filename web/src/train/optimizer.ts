import { setCurrentOp } from '../debug/ledger.js';
import { writeUpdate, type UpdateAttrs } from '../generated/ops.js';
import { scalar } from '../ops/movement/tensor_creation.js';
import { zerosLike } from '../ops/movement/create.js';
import { Holder, dispose, tidy } from '../owner/scope.js';
import { raise, wasm } from '../runtime/runtime.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import type { Scalar, Tensor, NamedTensorMap } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';
import { variableGrads } from './gradients.js';
import type { ConfigDict, Serializable } from '../util/serialization.js';
import { registeredVariables, variable, type Variable, type VariableObserver } from './variable.js';

/** Tensor with its name in files. */
export interface NamedTensor {
  /** Name of the tensor in files. */
  name: string;
  /** The tensor. */
  tensor: Tensor;
}

/** Slot of an optimizer: the state that it keeps for one of its variables, such as a moment. */
interface Slot {
  originalName: string;
  variable: Variable;
}

/**
 * Base class of optimizers, which update variables by their gradients. An optimizer owns the slots, the state that it keeps for
 * each variable; they are freed at the next update after the variable was disposed, or by dispose(). A custom optimizer
 * overrides applyGradients().
 * @example
 * const w = tf.variable(tf.scalar(4));
 * const optimizer = tf.train.sgd(0.25);
 * optimizer.minimize(() => w.square()); // w - 0.25 * 2 w
 * w; // 2
 * tf.dispose([w, optimizer]);
 */
export abstract class Optimizer extends Holder implements Serializable {
  /** @internal Suffixes of the slots' names in files, one for each kind of slot; the same as Keras's. */
  protected readonly slotNames: readonly string[] = [];
  #iterations = 0;
  #slots: Slot[][] = [];
  /** Index of each variable among the slots, in the order of first updates and without gaps. */
  readonly #slotIndices = new Map<Variable, number>();
  /** Disposed variables, whose slots are freed at the next update: until then TensorFlow.js's tests count the slots as live. */
  readonly #stale = new Set<Variable>();
  readonly #observer: VariableObserver = { variableDisposed: (variable) => void this.#stale.add(variable) };

  static override [Symbol.hasInstance](value: unknown): boolean {
    const like = value as Partial<Optimizer> | null | undefined;
    return !!like?.minimize && !!like.computeGradients && !!like.applyGradients;
  }

  /** Number of updates so far. */
  get iterations(): number {
    return this.#iterations;
  }
  protected incrementIterations(): void {
    this.#iterations++;
  }

  /**
   * Computes the gradients of the scalar that `f` returns and updates the variables by them. Returns the scalar, which the
   * caller owns, if `returnCost` is true, else null.
   * @param f Function that returns a scalar, such as a loss.
   * @param returnCost True to return the scalar.
   * @param varList Variables to update: all trainable ones that `f` uses by default.
   */
  minimize(f: () => Scalar, returnCost = false, varList?: Variable[]): Scalar | null {
    const { value, grads } = this.computeGradients(f, varList);
    let isDone = false;
    try {
      this.applyGradients(varList ? varList.map(({ name }) => ({ name, tensor: grads[name]! })) : grads);
      isDone = true;
    } finally {
      dispose(grads);
      if (!returnCost || !isDone) value.dispose();
    }
    return returnCost ? value : null;
  }
  /** Returns the value of `f`, and its gradients by the names of the variables. The caller owns the tensors. */
  computeGradients(
    f: () => Scalar,
    varList?: Variable[],
  ): {
    /** Value of f. */
    value: Scalar;
    /** Gradients by the names of the variables. */
    grads: NamedTensorMap;
  } {
    return variableGrads(f, varList);
  }
  /** Updates variables by gradients, which are given by name. A variable without a gradient is not changed. */
  applyGradients(variableGradients: NamedTensorMap | NamedTensor[]): void {
    const list = Array.isArray(variableGradients)
      ? variableGradients
      : Object.entries(variableGradients).map(([name, tensor]) => ({ name, tensor }));
    for (const { name, tensor } of list) this.#update(name, tensor);
    this.onUpdated();
  }

  /** @internal Returns the update rule of the engine and its parameters. Throws for a custom optimizer, which has none. */
  protected attributes(): UpdateAttrs {
    throw new Error(`${this.getClassName()} does not override applyGradients()`);
  }
  /** @internal Returns the initial value of a slot for a variable's value. */
  protected initialSlot(value: Tensor): Tensor {
    return zerosLike(value);
  }
  /** @internal Advances state that depends on the number of updates. Called after each update of all variables. */
  protected advance(): void {
    // Most optimizers have no such state.
  }

  /**
   * Returns the optimizer's state: the number of updates, a new tensor named 'iter', then the slots, kind by kind, which the
   * optimizer keeps owning.
   */
  async getWeights(): Promise<NamedTensor[]> {
    const slots = this.#slots.flatMap((kind) =>
      kind.map(({ originalName, variable: tensor }) => ({ name: originalName, tensor })),
    );
    return Promise.resolve([{ name: 'iter', tensor: scalar(this.#iterations, 'int32') }, ...slots]);
  }
  /** Sets the state to copies of the output of getWeights(). Throws if the number of slots does not fit the optimizer. */
  async setWeights(weightValues: NamedTensor[]): Promise<void> {
    const [iterations, ...slots] = weightValues;
    if (!iterations) throw new Error(`setWeights() of ${this.getClassName()} expects 'iter' first, got no weights`);
    const kinds = this.slotNames.length;
    assert(kinds > 0 || slots.length === 0, () => `${this.getClassName()} optimizer does not have settable weights.`);
    assert(
      kinds === 0 || slots.length % kinds === 0,
      () =>
        `setWeights() of ${this.getClassName()} expects ${kinds} weights for each variable, got ${slots.length} in all`,
    );
    const count = (await iterations.tensor.data())[0]!;
    const size = kinds === 0 ? 0 : slots.length / kinds;
    const copies: Slot[] = [];
    try {
      for (const { name, tensor } of slots) copies.push({ originalName: name, variable: variable(tensor, false) });
    } catch (error) {
      for (const copy of copies) copy.variable.dispose();
      throw error;
    }
    this.#free();
    this.#iterations = count;
    this.#slots = this.slotNames.map((_, kind) => copies.slice(kind * size, (kind + 1) * size));
    this.onRestored();
  }
  /** @internal Recomputes state that depends on the number of updates. Called after setWeights(). */
  protected onRestored(): void {
    // Most optimizers have no such state.
  }

  getClassName(): string {
    return (this.constructor as unknown as { className: string }).className;
  }
  /** Returns the optimizer's arguments as JSON values. */
  abstract getConfig(): ConfigDict;

  /** Frees the optimizer's slots. The variables that it updates are not freed. */
  dispose(): void {
    this.#free();
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal True if the engine can run its updates: it defines attributes() and overrides no method that computes them. */
  get isBuiltIn(): boolean {
    const isInherited = (name: string): boolean => Reflect.get(this, name) === Reflect.get(Optimizer.prototype, name);
    return !isInherited('attributes') && ['minimize', 'computeGradients', 'applyGradients'].every(isInherited);
  }
  /** @internal Returns the update rule and its parameters for the next update, which the engine runs. */
  nextUpdate(): UpdateAttrs {
    return this.attributes();
  }
  /** @internal Returns a variable's slots, created if need be. Frees the slots of disposed variables. */
  getSlots(value: Variable): Variable[] {
    if (this.slotNames.length === 0) return [];
    for (const variable of this.#stale) this.#forget(variable);
    const slotIndex = this.#slotIndices.get(value) ?? this.#slotIndices.size;
    this.#slotIndices.set(value, slotIndex);
    value.addObserver(this.#observer);
    return this.slotNames.map((kind, i) => this.#slotAt(i, slotIndex, `${value.name}/${kind}`, value));
  }
  /** @internal Counts an update. Called when the engine has run it. */
  onUpdated(): void {
    this.advance();
    this.incrementIterations();
  }

  #update(name: string, gradient: Tensor | null | undefined): void {
    const value = registeredVariables[name];
    if (!value) throw new Error(`[applyGradients] there is no variable with the name '${name}'`);
    const slots = this.getSlots(value);
    if (!gradient) return;
    if (__DEBUG__) setCurrentOp(`${this.getClassName()}.applyGradients`);
    const tensors = [gradient, value, ...slots];
    const attrWords = writeUpdate(writeTensorIds(0, tensors), this.attributes());
    if (wasm._tn_update(tensors.length, attrWords) === -1) raise();
  }

  #slotAt(kind: number, slotIndex: number, originalName: string, value: Tensor): Variable {
    const slots = (this.#slots[kind] ??= []);
    slots[slotIndex] ??= { originalName, variable: tidy(() => variable(this.initialSlot(value), false)) };
    return slots[slotIndex].variable;
  }

  #forget(variable: Variable): void {
    const slotIndex = this.#slotIndices.get(variable);
    if (slotIndex === undefined) return;
    this.#slotIndices.delete(variable);
    this.#stale.delete(variable);
    for (const [other, at] of this.#slotIndices) if (at > slotIndex) this.#slotIndices.set(other, at - 1);
    const freed = this.#slots.flatMap((slots) => slots.splice(slotIndex, 1));
    for (const { variable: slot } of freed) slot.dispose();
  }

  #free(): void {
    for (const variable of this.#slotIndices.keys()) variable.removeObserver(this.#observer);
    this.#slotIndices.clear();
    this.#stale.clear();
    for (const slots of this.#slots.splice(0)) for (const { variable: slot } of slots) slot.dispose();
  }
}
