import type { Tensor } from '../../tensor/tensor.js';
import type { DataType } from '../../runtime/types.js';
import { DisposedError } from '../../runtime/errors.js';
import { runInInternalScope } from '../../owner/scope.js';
import { Variable, registeredVariables, variable } from '../../train/variable.js';
import type { Constraint } from './constraints.js';
import type { Regularizer } from './regularizers.js';
import { nextTensorId, releaseName, scopedName, uniqueName } from '../names.js';

/**
 * Weight of a layer: a variable with its regularizer and constraint.
 * @example
 * const layer = tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' });
 * const model = tf.sequential({ layers: [layer] });
 * const [kernel] = layer.weights;
 * kernel.shape; // [2, 1]
 * kernel.read(); // [[1], [1]]
 * model.dispose();
 */
export class LayerVariable {
  /** Unique number of the weight. */
  readonly id = nextTensorId();
  /** Type of the elements. */
  readonly dtype: DataType;
  /** Shape of the weight. */
  readonly shape: number[];
  /** Name as given, prefixed with that of the layer. */
  readonly originalName: string;
  /** Original name, with a suffix if another variable has it. */
  readonly name: string;
  /** Constraint that is applied after each training step, or null. */
  readonly constraint: Constraint | null;
  /** Regularizer that adds a term to a loss, or null. */
  regularizer: Regularizer | null = null;
  /** Variable, which owns the tensor. */
  readonly val: Variable;

  /**
   * Creates a weight. Throws if the name has a character that is not allowed.
   * @param val Initial value.
   * @param dtype Type of the elements.
   * @param name Name, which is made unique.
   * @param trainable True if training updates the weight.
   * @param constraint Constraint that is applied after each training step.
   */
  constructor(val: Tensor, dtype?: DataType, name?: string, trainable?: boolean, constraint?: Constraint | null);
  /** @internal `isHeld` is true if a holder owns `val` already: the variable then takes the tensor itself, not its value. */
  constructor(
    val: Tensor,
    dtype?: DataType,
    name?: string,
    trainable?: boolean,
    constraint?: Constraint | null,
    isHeld?: boolean,
  );
  constructor(
    val: Tensor,
    dtype: DataType = 'float32',
    name = 'Variable',
    trainable = true,
    constraint: Constraint | null = null,
    isHeld = false,
  ) {
    this.dtype = dtype;
    this.shape = val.shape;
    this.originalName = scopedName(name);
    this.name = makeFreeName(this.originalName);
    this.constraint = constraint;
    try {
      this.val = isHeld ? new Variable(val, trainable, this.name) : variable(val, trainable, this.name, dtype);
    } catch (error) {
      this.variableDisposed();
      throw error;
    }
    this.val.addObserver(this);
  }

  /** @internal */
  variableDisposed(): void {
    releaseName(this.originalName, this.name);
  }

  /** True if training updates the weight. */
  get trainable(): boolean {
    return this.val.trainable;
  }
  set trainable(trainable: boolean) {
    this.val.trainable = trainable;
  }

  /** Returns the variable, which the layer keeps owning. Throws DisposedError if it is disposed. */
  read(): Variable {
    this.assertNotDisposed();
    return this.val;
  }

  /** Assigns a value after applying the constraint. Throws if the shape differs, and DisposedError if the weight is disposed. */
  write(newVal: Tensor): this {
    this.assertNotDisposed();
    if (String(this.val.shape) !== String(newVal.shape)) {
      throw new Error(`Shape mismatch: ${JSON.stringify(this.val.shape)} vs. ${JSON.stringify(newVal.shape)}`);
    }
    if (this.val.id === newVal.id) return this;
    const { constraint } = this;
    if (constraint) {
      runInInternalScope(() => this.val.assign(constraint.apply(newVal)));
    } else {
      this.val.assign(newVal);
    }
    return this;
  }

  /** Frees the variable. Throws DisposedError if it is disposed already. */
  dispose(): void {
    this.assertNotDisposed();
    this.val.dispose();
  }

  private assertNotDisposed(): void {
    if (this.val.isDisposed) throw new DisposedError(`LayersVariable ${this.name} is already disposed.`);
  }
}

/** Returns the name, with a suffix if a variable has it. */
function makeFreeName(name: string): string {
  const taken: string[] = [];
  let unique = uniqueName(name);
  for (; registeredVariables[unique]; unique = uniqueName(name)) taken.push(unique);
  for (const each of taken) releaseName(name, each);
  return unique;
}
