import { doing } from '../debug/ledger.js';
import { writeUpdate, type UpdateAttrs } from '../generated/ops.js';
import { scalar } from '../ops/tensor_creation.js';
import { zerosLike } from '../ops/create.js';
import { Holder, dispose, tidy } from '../owner/scope.js';
import { kIdWords, raise, scratch, wasm, writeId } from '../runtime/runtime.js';
import type { Scalar, Tensor, NamedTensorMap } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';
import { variableGrads } from './gradients.js';
import type { ConfigDict, Serializable } from './serialization.js';
import { registeredVariables, variable, type Variable, type VariableObserver } from './variable.js';

/** A tensor and what it is called in files. */
export interface NamedTensor {
  name: string;
  tensor: Tensor;
}

/** What an optimizer remembers of all its variables: one tensor for each. */
interface Slot {
  originalName: string;
  variable: Variable;
}

/**
 * Moves variables against their gradients. A holder: what it remembers of each variable belongs to it, and goes at the
 * next update after the variable was disposed, or with dispose(). One of your own overrides applyGradients().
 * @example
 * const w = tf.variable(tf.scalar(4));
 * const optimizer = tf.train.sgd(0.25);
 * optimizer.minimize(() => w.square()); // w - 0.25 * 2 w
 * w; // 2
 * tf.dispose([w, optimizer]);
 */
export abstract class Optimizer extends Holder implements Serializable {
  /** What each kind of slot is called behind a variable's name; the names are Keras's. */
  protected readonly slotNames: readonly string[] = [];
  #iterations = 0;
  #slots: Slot[][] = [];
  /** Which place a variable has among the slots: that of its first update. Places have no gaps. */
  readonly #places = new Map<Variable, number>();
  /** Disposed variables, whose slots go at the next update: until then TensorFlow.js's specs count them as the optimizer's. */
  readonly #stale = new Set<Variable>();
  readonly #observer: VariableObserver = { variableDisposed: (variable) => void this.#stale.add(variable) };

  static override [Symbol.hasInstance](value: unknown): boolean {
    const like = value as Partial<Optimizer> | null | undefined;
    return !!like?.minimize && !!like.computeGradients && !!like.applyGradients;
  }

  /** How often the variables were updated. */
  get iterations(): number {
    return this.#iterations;
  }
  protected incrementIterations(): void {
    this.#iterations++;
  }

  /**
   * Computes the gradient of the scalar that `f` gives for each variable that it uses, or for those listed, and applies
   * them. Gives the scalar where `returnCost` asks for it, for you to dispose.
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
  /** The value of `f`, and its gradients by the names of the variables. Yours to dispose. */
  computeGradients(f: () => Scalar, varList?: Variable[]): { value: Scalar; grads: NamedTensorMap } {
    return variableGrads(f, varList);
  }
  /** Updates variables by their gradients, by name. A variable without a gradient stays as it is. */
  applyGradients(variableGradients: NamedTensorMap | NamedTensor[]): void {
    const list = Array.isArray(variableGradients)
      ? variableGradients
      : Object.entries(variableGradients).map(([name, tensor]) => ({ name, tensor }));
    for (const { name, tensor } of list) this.#update(name, tensor);
    this.wasUpdated();
  }

  /** The engine's step, and its numbers for the next update. One of your own has none. */
  protected attributes(): UpdateAttrs {
    throw new Error(`${this.getClassName()} does not override applyGradients()`);
  }
  /** What a new slot holds. */
  protected initialSlot(value: Tensor): Tensor {
    return zerosLike(value);
  }
  /** Called after each update of all variables. */
  protected advance(): void {
    // Most have nothing that moves with time.
  }

  /** What the optimizer remembers: the number of updates, then the slots, kind by kind. The slots stay the optimizer's. */
  async getWeights(): Promise<NamedTensor[]> {
    const slots = this.#slots.flatMap((kind) => kind.map(({ originalName, variable: tensor }) => ({ name: originalName, tensor })));
    return Promise.resolve([{ name: 'iter', tensor: scalar(this.#iterations, 'int32') }, ...slots]);
  }
  /** Remembers copies of what getWeights() gave. Throws where there are more or fewer than its kinds of slots take. */
  async setWeights(weightValues: NamedTensor[]): Promise<void> {
    const [iterations, ...slots] = weightValues;
    if (!iterations) throw new Error(`setWeights() of ${this.getClassName()} expects 'iter' first, got no weights`);
    const kinds = this.slotNames.length;
    assert(kinds > 0 || slots.length === 0, () => `${this.getClassName()} optimizer does not have settable weights.`);
    assert(
      kinds === 0 || slots.length % kinds === 0,
      () => `setWeights() of ${this.getClassName()} expects ${kinds} weights for each variable, got ${slots.length} in all`,
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
    this.restored();
  }
  /** Called when other weights were set. */
  protected restored(): void {
    // Most have nothing that follows from the number of updates.
  }

  getClassName(): string {
    return (this.constructor as unknown as { className: string }).className;
  }
  /** What describes it: its rates, as JSON has them. */
  abstract getConfig(): ConfigDict;

  /** Frees what the optimizer remembers. The variables that it updates are not its own. */
  dispose(): void {
    this.#free();
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal Whether the engine can take its steps: it says itself how. */
  get isBuiltIn(): boolean {
    const ours = Optimizer.prototype as unknown as Record<string, unknown>;
    const own = this as unknown as Record<string, unknown>;
    const isOurs = (name: string): boolean => own[name] === ours[name];
    return !isOurs('attributes') && ['minimize', 'computeGradients', 'applyGradients'].every(isOurs);
  }
  /** @internal The numbers of the next update, which the engine takes. */
  nextUpdate(): UpdateAttrs {
    return this.attributes();
  }
  /** @internal What it remembers of a variable; frees what it remembered of those that were disposed. */
  slotsOf(value: Variable): Variable[] {
    if (this.slotNames.length === 0) return [];
    for (const variable of this.#stale) this.#forget(variable);
    const place = this.#places.get(value) ?? this.#places.size;
    this.#places.set(value, place);
    value.addObserver(this.#observer);
    return this.slotNames.map((kind, i) => this.#slotAt(i, place, `${value.name}/${kind}`, value));
  }
  /** @internal Called when the engine has taken the update. */
  wasUpdated(): void {
    this.advance();
    this.incrementIterations();
  }

  #update(name: string, gradient: Tensor | null | undefined): void {
    const value = registeredVariables[name];
    if (!value) throw new Error(`[applyGradients] there is no variable with the name '${name}'`);
    const slots = this.slotsOf(value);
    if (!gradient) return;
    if (__DEBUG__) doing(`${this.getClassName()}.applyGradients`);
    const tensors = [gradient, value, ...slots];
    const words = scratch();
    tensors.forEach(({ id }, i) => writeId(words, kIdWords * i, id));
    const attrWords = writeUpdate(kIdWords * tensors.length, this.attributes());
    if (wasm._tn_update(tensors.length, attrWords) === -1) raise();
  }

  #slotAt(kind: number, place: number, originalName: string, value: Tensor): Variable {
    const slots = (this.#slots[kind] ??= []);
    slots[place] ??= { originalName, variable: tidy(() => variable(this.initialSlot(value), false)) };
    return slots[place].variable;
  }

  #forget(variable: Variable): void {
    const place = this.#places.get(variable);
    if (place === undefined) return;
    this.#places.delete(variable);
    this.#stale.delete(variable);
    for (const [other, at] of this.#places) if (at > place) this.#places.set(other, at - 1);
    const freed = this.#slots.flatMap((slots) => slots.splice(place, 1));
    for (const { variable: slot } of freed) slot.dispose();
  }

  #free(): void {
    for (const variable of this.#places.keys()) variable.removeObserver(this.#observer);
    this.#places.clear();
    this.#stale.clear();
    for (const slots of this.#slots.splice(0)) for (const { variable: slot } of slots) slot.dispose();
  }
}
