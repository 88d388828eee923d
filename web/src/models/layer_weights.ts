// The weights of a layer, and what they add to a loss.
import { Holder, composed } from '../owner/scope.js';
import type { DataType, Shape } from '../runtime/types.js';
import type { Tensor } from '../tensor/tensor.js';
import { arraysEqual } from '../util/checks.js';
import { sizeFromShape } from '../util/shape.js';
import type { Constraint } from './constraints.js';
import type { Initializer } from './initializers.js';
import { LayerVariable } from './layer_variable.js';
import { toList } from './lists.js';
import type { Regularizer } from './regularizers.js';

/** What a layer is as a holder of weights. */
export abstract class LayerWeights extends Holder {
  /** Its name, unique in its models. */
  name = '';
  /** @internal */
  _trainableWeights: LayerVariable[] = [];
  /** @internal */
  _nonTrainableWeights: LayerVariable[] = [];
  private _built = false;
  private readonly _losses: (() => Tensor)[] = [];
  #hasAddedLosses = false;

  constructor(
    /** @internal */
    public trainable_: boolean,
  ) {
    super();
  }

  /** What addLoss() was given. */
  get losses(): (() => Tensor)[] {
    return this._losses;
  }
  /** What regularizers and addLoss() add to a model's loss. */
  calculateLosses(): Tensor[] {
    return this.losses.map((loss) => loss());
  }
  /** Adds functions of the weights, each a scalar, to the loss of its models. */
  addLoss(losses: (() => Tensor) | (() => Tensor)[]): void {
    if ((losses as unknown) === null || (losses as unknown) === undefined) return;
    this._losses.push(...toList(losses));
    this.#hasAddedLosses = true;
  }
  /** @internal Whether a training has to ask it for more than its weights' regularizers. */
  get hasAddedLosses(): boolean {
    return this.#hasAddedLosses;
  }

  /** Nothing: as in TensorFlow.js, no layer has updates of its own. */
  get updates(): Tensor[] {
    return [];
  }

  /** Whether it has its weights. */
  get built(): boolean {
    return this._built;
  }
  set built(built: boolean) {
    this._built = built;
  }
  /** Whether training moves its weights. */
  get trainable(): boolean {
    return this.trainable_;
  }
  set trainable(trainable: boolean) {
    for (const weight of this._trainableWeights) weight.trainable = trainable;
    this.trainable_ = trainable;
  }
  /** The weights that training moves. */
  get trainableWeights(): LayerVariable[] {
    return this.trainable_ ? this._trainableWeights.filter(({ trainable }) => trainable) : [];
  }
  set trainableWeights(weights: LayerVariable[]) {
    this._trainableWeights = weights;
  }
  /** The weights that training leaves alone. */
  get nonTrainableWeights(): LayerVariable[] {
    const frozen = this.trainable_ ? this._trainableWeights.filter(({ trainable }) => !trainable) : this._trainableWeights;
    return [...frozen, ...this._nonTrainableWeights];
  }
  set nonTrainableWeights(weights: LayerVariable[]) {
    this._nonTrainableWeights = weights;
  }
  /** All weights, those that training moves first. */
  get weights(): LayerVariable[] {
    return [...this.trainableWeights, ...this.nonTrainableWeights];
  }
  /** How many numbers its weights have. Throws before it is built. */
  countParams(): number {
    if (!this.built) {
      throw new Error(
        `You tried to call countParams() on ${this.name}, but the layer is not built yet. Build it first by calling build(batchInputShape).`,
      );
    }
    return countParamsIn(this.weights);
  }

  /** The weights' variables; they stay the layer's. */
  getWeights(trainableOnly = false): Tensor[] {
    return (trainableOnly ? this.trainableWeights : this.weights).map((weight) => weight.read());
  }
  /** Takes the values of as many tensors of the same shapes. Throws, and changes nothing, where they differ. */
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

  /** Makes a weight; to be called in build(). */
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
    const weight = composed(() => {
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
  /** Accepted for TensorFlow.js's sake: weights that files bring are never made first. */
  setFastWeightInitDuringBuild(_value: boolean): void {
    // Weights that files bring are never made first.
  }

  /** After a first call that failed: what it made is freed, and it may be tried again. */
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
