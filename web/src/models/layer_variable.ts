import type { Tensor } from '../tensor/tensor.js';
import type { DataType } from '../runtime/types.js';
import { DisposedError } from '../runtime/errors.js';
import { composed } from '../owner/scope.js';
import { Variable, registeredVariables, variable } from '../train/variable.js';
import type { Constraint } from './constraints.js';
import type { Regularizer } from './regularizers.js';
import { nextTensorId, releaseName, scopedName, uniqueName } from './names.js';

/**
 * A weight of a layer: a variable, and what training keeps to.
 * @example
 * const layer = tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' });
 * const model = tf.sequential({ layers: [layer] });
 * const [kernel] = layer.weights;
 * kernel.shape; // [2, 1]
 * kernel.read(); // [[1], [1]]
 * model.dispose();
 */
export class LayerVariable {
  /** A number of its own. */
  readonly id = nextTensorId();
  /** The type of its elements. */
  readonly dtype: DataType;
  /** The extents of its dimensions. */
  readonly shape: number[];
  /** The name that it was given, with that of its layer. */
  readonly originalName: string;
  /** The same, made unique. */
  readonly name: string;
  /** What it is brought within after each step of training. */
  readonly constraint: Constraint | null;
  /** What it adds to a loss. */
  regularizer: Regularizer | null = null;
  /** The variable, which owns the tensor. */
  readonly val: Variable;

  /** Takes a tensor that a holder has already as it is, and else its value. */
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
    this.name = freeName(this.originalName);
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

  /** Whether training moves it. */
  get trainable(): boolean {
    return this.val.trainable;
  }
  set trainable(trainable: boolean) {
    this.val.trainable = trainable;
  }

  /** Its value, which stays the layer's. */
  read(): Variable {
    this.assertNotDisposed();
    return this.val;
  }

  /** Another value of the same shape, brought within the constraint. */
  write(newVal: Tensor): this {
    this.assertNotDisposed();
    if (String(this.val.shape) !== String(newVal.shape)) {
      throw new Error(`Shape mismatch: ${JSON.stringify(this.val.shape)} vs. ${JSON.stringify(newVal.shape)}`);
    }
    if (this.val.id === newVal.id) return this;
    const { constraint } = this;
    if (constraint) {
      composed(() => this.val.assign(constraint.apply(newVal)));
    } else {
      this.val.assign(newVal);
    }
    return this;
  }

  /** Frees the variable. Throws DisposedError the second time. */
  dispose(): void {
    this.assertNotDisposed();
    this.val.dispose();
  }

  private assertNotDisposed(): void {
    if (this.val.isDisposed) throw new DisposedError(`LayersVariable ${this.name} is already disposed.`);
  }
}

/** A name that no variable has. */
function freeName(name: string): string {
  const taken: string[] = [];
  let unique = uniqueName(name);
  for (; registeredVariables[unique]; unique = uniqueName(name)) taken.push(unique);
  for (const each of taken) releaseName(name, each);
  return unique;
}
