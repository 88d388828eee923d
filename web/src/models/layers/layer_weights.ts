// The weights of a layer, and the terms that they add to a loss.
import { Holder, runInInternalScope } from '../../owner/scope.js';
import type { DataType, Shape } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import { arraysEqual } from '../../util/checks.js';
import { sizeFromShape } from '../../util/shape.js';
import type { Constraint } from './constraints.js';
import type { Initializer } from './initializers.js';
import { LayerVariable } from './layer_variable.js';
import { toList } from '../../util/array_utils.js';
import type { Regularizer } from './regularizers.js';

/** Base class of Layer: the owner of its weights and loss terms. */
export abstract class LayerWeights extends Holder {
  /** Name of the layer, unique within a model. */
  name = '';
  /** @internal */
  _trainableWeights: LayerVariable[] = [];
  /** @internal */
  _nonTrainableWeights: LayerVariable[] = [];
  private _built = false;
  private readonly _losses: (() => Tensor)[] = [];
  #hasAddedLosses = false;

  /** @internal */
  constructor(
    /** @internal */
    public trainable_: boolean,
  ) {
    super();
  }

  /** Functions that compute the loss terms of regularizers and addLoss(), each a scalar. */
  get losses(): (() => Tensor)[] {
    return this._losses;
  }
  /** Returns the terms, each a scalar, that regularizers and addLoss() add to a model's loss. */
  calculateLosses(): Tensor[] {
    return this.losses.map((loss) => loss());
  }
  /** Adds terms, functions of the weights that return a scalar, to the loss of every model with this layer. */
  addLoss(losses: (() => Tensor) | (() => Tensor)[]): void {
    if (losses === null || losses === undefined) return;
    this._losses.push(...toList(losses));
    this.#hasAddedLosses = true;
  }
  /** @internal True if addLoss() was called: training then has to compute more than the weights' regularizers. */
  get hasAddedLosses(): boolean {
    return this.#hasAddedLosses;
  }

  /** Always empty: as in TensorFlow.js, layers have no updates. */
  get updates(): Tensor[] {
    return [];
  }

  /** True if the layer has its weights. */
  get built(): boolean {
    return this._built;
  }
  set built(built: boolean) {
    this._built = built;
  }
  /** True if training updates the layer's weights. */
  get trainable(): boolean {
    return this.trainable_;
  }
  set trainable(trainable: boolean) {
    for (const weight of this._trainableWeights) weight.trainable = trainable;
    this.trainable_ = trainable;
  }
  /** The weights that training updates. */
  get trainableWeights(): LayerVariable[] {
    return this.trainable_ ? this._trainableWeights.filter(({ trainable }) => trainable) : [];
  }
  set trainableWeights(weights: LayerVariable[]) {
    this._trainableWeights = weights;
  }
  /** The weights that training does not update. */
  get nonTrainableWeights(): LayerVariable[] {
    const frozen = this.trainable_
      ? this._trainableWeights.filter(({ trainable }) => !trainable)
      : this._trainableWeights;
    return [...frozen, ...this._nonTrainableWeights];
  }
  set nonTrainableWeights(weights: LayerVariable[]) {
    this._nonTrainableWeights = weights;
  }
  /** All weights, the trainable ones first. */
  get weights(): LayerVariable[] {
    return [...this.trainableWeights, ...this.nonTrainableWeights];
  }
  /** Returns the total number of elements of the weights. Throws if the layer is not built. */
  countParams(): number {
    if (!this.built) {
      throw new Error(
        `You tried to call countParams() on ${this.name}, but the layer is not built yet. Build it first by calling build(batchInputShape).`,
      );
    }
    return countParamsIn(this.weights);
  }

  /** Returns the variables of all weights, or of the trainable ones. The layer keeps owning them. */
  getWeights(trainableOnly = false): Tensor[] {
    return (trainableOnly ? this.trainableWeights : this.weights).map((weight) => weight.read());
  }
  /** Copies the values of tensors to the weights, in order. Throws, and changes nothing, if their number or a shape differs. */
  setWeights(weights: Tensor[]): void {
    const params = this.weights;
    if (params.length !== weights.length) {
      throw new Error(
        `You called setWeights(weights) on layer "${this.name}" with a weight list of length ${weights.length}, but the layer was expecting ${params.length} weights. Provided weights: ${String(weights)}...`,
      );
    }
    for (const [i, { shape }] of params.entries()) {
      if (!arraysEqual(shape, weights[i]!.shape)) {
        throw new Error(`Layer weight shape ${shape} not compatible with provided weight shape ${weights[i]!.shape}`);
      }
    }
    for (const [i, param] of params.entries()) param.write(weights[i]!);
  }

  /**
   * Creates a weight. Called in build(). Throws if the layer has a weight of this name, or without an initializer.
   * @param name Name of the weight within the layer.
   * @param shape Shape of the weight.
   * @param dtype Type of the elements: float32 by default.
   * @param initializer Computes the initial value.
   * @param regularizer Computes the term that the weight adds to a loss.
   * @param trainable True if training updates the weight.
   * @param constraint Projects the weight after each training step.
   */
  addWeight(
    name: string,
    shape: Shape,
    dtype?: DataType,
    initializer?: Initializer,
    regularizer?: Regularizer | null,
    trainable = true,
    constraint: Constraint | null = null,
  ): LayerVariable {
    const whole = [...this._trainableWeights, ...this._nonTrainableWeights];
    if (whole.some(({ originalName }) => `/${originalName}`.endsWith(`/${name}`))) {
      throw new Error(`Duplicate weight name ${name} for layer ${this.name}`);
    }
    if (!initializer) throw new Error(`The weight ${name} of layer ${this.name} has no initializer.`);
    const weight = runInInternalScope(() => {
      const value = initializer.apply(shape as number[], dtype ?? 'float32');
      return new LayerVariable(value, dtype ?? 'float32', name, trainable, constraint);
    });
    this.keepWeight(weight, trainable, regularizer ?? null);
    return weight;
  }
  /** @internal */
  protected keepWeight(weight: LayerVariable, trainable: boolean, regularizer: Regularizer | null): void {
    weight.regularizer = regularizer;
    if (regularizer) this._losses.push(() => regularizer.apply(weight.read()));
    (trainable ? this._trainableWeights : this._nonTrainableWeights).push(weight);
  }
  /** Does nothing; kept for compatibility with TensorFlow.js. */
  setFastWeightInitDuringBuild(_value: boolean): void {
    // Weights that a file provides are never initialized first.
  }

  /** @internal Frees the weights after a first call that failed, so that the call can be repeated. */
  protected forgetWeights(): void {
    for (const { val } of [...this._trainableWeights, ...this._nonTrainableWeights]) val.dispose();
    this._trainableWeights = [];
    this._nonTrainableWeights = [];
    this._losses.length = 0;
    this.built = false;
  }

  /** @internal */
  protected disposeWeights(): number {
    const { weights } = this;
    for (const weight of weights) if (!weight.val.isDisposed) weight.dispose();
    return weights.length;
  }
}

export function countParamsIn(weights: LayerVariable[]): number {
  return weights.reduce((count, { shape }) => count + sizeFromShape(shape), 0);
}
