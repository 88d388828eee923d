import { Optimizer as Step, type UpdateAttrs } from '../generated/ops.js';
import { fill } from '../ops/movement/create.js';
import { scalar } from '../ops/movement/tensor_creation.js';
import { tidy } from '../owner/scope.js';
import { isLoaded } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import { Optimizer } from './optimizer.js';
import { variable, type Variable } from './variable.js';
import type { ConfigDict, SerializableConstructor } from '../util/serialization.js';

/** TensorFlow.js's epsilon of a backend that computes in float32. */
const kEpsilon = 1e-7;

type OptimizerClass<T extends Optimizer> = SerializableConstructor<T>;
type Config = Record<string, never>;

/** Stochastic gradient descent optimizer: value - learningRate * gradient. */
export class SGDOptimizer extends Optimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'SGD';
  }
  constructor(protected learningRate: number) {
    super();
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    return { optimizer: Step.sgd, learningRate: this.learningRate };
  }
  /** Sets the learning rate of later updates. */
  setLearningRate(learningRate: number): void {
    this.learningRate = learningRate;
  }
  override getConfig(): ConfigDict {
    return { learningRate: this.learningRate };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(cls: OptimizerClass<T>, { learningRate }: Config): T {
    return new cls(learningRate);
  }
}

/** Gradient descent optimizer with momentum, a decaying sum of gradients, or with Nesterov momentum. */
export class MomentumOptimizer extends SGDOptimizer {
  /** Name of the class in saved configurations. */
  static override get className(): string {
    return 'Momentum';
  }
  /** @internal */
  protected override readonly slotNames = ['momentum'];
  /** Momentum as a tensor. TensorFlow.js has one, and programs count tensors. */
  #m: Variable | undefined;
  /**
   * Creates the optimizer.
   * @param learningRate Factor of the step.
   * @param momentum Decay of the sum of gradients.
   * @param useNesterov True for Nesterov momentum; false by default.
   */
  constructor(
    learningRate: number,
    private momentum: number,
    private readonly useNesterov = false,
  ) {
    super(learningRate);
    if (isLoaded()) this.#m = tidy(() => variable(scalar(momentum), false));
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    const { learningRate, momentum, useNesterov: nesterov } = this;
    return { optimizer: Step.momentum, learningRate, momentum, nesterov };
  }
  /** Sets the momentum of later updates. */
  setMomentum(momentum: number): void {
    this.momentum = momentum;
  }
  override dispose(): void {
    super.dispose();
    this.#m?.dispose();
  }
  override getConfig(): ConfigDict {
    const { learningRate, momentum, useNesterov } = this;
    return { learningRate, momentum, useNesterov };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static override fromConfig<T extends Optimizer>(
    cls: OptimizerClass<T>,
    { learningRate, momentum, useNesterov }: Config,
  ): T {
    return new cls(learningRate, momentum, useNesterov);
  }
}

/** Adagrad optimizer (Duchi, Hazan and Singer, 2011): steps shrink with the sum of squared gradients. */
export class AdagradOptimizer extends Optimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'Adagrad';
  }
  /** @internal */
  protected override readonly slotNames = ['accumulator'];
  constructor(
    protected learningRate: number,
    private readonly initialAccumulatorValue = 0.1,
  ) {
    super();
  }
  /** @internal */
  protected override initialSlot(value: Tensor): Tensor {
    return fill(value.shape, this.initialAccumulatorValue);
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    return { optimizer: Step.adagrad, learningRate: this.learningRate, epsilon: kEpsilon };
  }
  override getConfig(): ConfigDict {
    const { learningRate, initialAccumulatorValue } = this;
    return { learningRate, initialAccumulatorValue };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(cls: OptimizerClass<T>, { learningRate, initialAccumulatorValue }: Config): T {
    return new cls(learningRate, initialAccumulatorValue);
  }
}

/** Adadelta optimizer (Zeiler, 2012): steps scale with the ratio of recent updates to recent gradients. */
export class AdadeltaOptimizer extends Optimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'Adadelta';
  }
  /** @internal */
  protected override readonly slotNames = ['accum_grad', 'accum_var'];
  private readonly epsilon: number;
  /**
   * Creates the optimizer.
   * @param learningRate Factor of the step.
   * @param rho Decay of the means of squared updates and squared gradients.
   * @param epsilon Constant that is added to both means: 1e-7 by default.
   */
  constructor(
    protected learningRate: number,
    private readonly rho: number,
    epsilon: number | null = null,
  ) {
    super();
    this.epsilon = epsilon ?? kEpsilon;
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    const { learningRate, rho: decay, epsilon } = this;
    return { optimizer: Step.adadelta, learningRate, decay, epsilon };
  }
  override getConfig(): ConfigDict {
    const { learningRate, rho, epsilon } = this;
    return { learningRate, rho, epsilon };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(cls: OptimizerClass<T>, { learningRate, rho, epsilon }: Config): T {
    return new cls(learningRate, rho, epsilon);
  }
}

/** Maximum number of products in computePower(): more take too long, and a file may claim any number of updates. */
const kMaxProducts = 2 ** 22;

/** Returns the power of beta after a number of updates, rounded to float32 at each, so that training resumes bit-exactly. */
function computePower(beta: number, updates: number): number {
  const factor = Math.fround(beta);
  let power = factor;
  for (let i = 0; i < updates; i++) {
    if (i === kMaxProducts) return Math.fround(factor ** (updates + 1));
    const next = Math.fround(power * factor);
    // The smallest subnormal numbers round to themselves and never become 0.
    if (next === power) break;
    power = next;
  }
  return power;
}

/** Base class of Adam and Adamax: the powers of beta1 and beta2, rounded to float32 as those of tensors. */
abstract class MomentsOptimizer extends Optimizer {
  protected readonly epsilon: number;
  /** @internal */
  protected beta1Power: number;
  /** @internal */
  protected beta2Power: number;
  /**
   * Creates the optimizer.
   * @param learningRate Size of the step.
   * @param beta1 Decay of the mean of the gradients.
   * @param beta2 Decay of the mean, or of the maximum, of their magnitudes.
   * @param epsilon Constant that is added to the denominator: 1e-7 if it is null.
   */
  constructor(
    protected learningRate: number,
    protected readonly beta1: number,
    protected readonly beta2: number,
    epsilon: number | null,
  ) {
    super();
    this.epsilon = epsilon ?? kEpsilon;
    this.beta1Power = Math.fround(beta1);
    this.beta2Power = Math.fround(beta2);
  }
  /** @internal */
  protected override advance(): void {
    this.beta1Power = Math.fround(this.beta1Power * Math.fround(this.beta1));
    this.beta2Power = Math.fround(this.beta2Power * Math.fround(this.beta2));
  }
  /** @internal */
  protected override onRestored(): void {
    this.beta1Power = computePower(this.beta1, this.iterations);
    this.beta2Power = computePower(this.beta2, this.iterations);
  }
  /** @internal */
  protected makeAttributes(optimizer: Step, learningRate: number): UpdateAttrs {
    const { beta1, beta2, beta1Power, beta2Power, epsilon } = this;
    return { optimizer, learningRate, beta1, beta2, beta1Power, beta2Power, epsilon };
  }
}

/** Adam optimizer (Kingma and Ba, 2014). */
export class AdamOptimizer extends MomentsOptimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'Adam';
  }
  /** @internal */
  protected override readonly slotNames = ['m', 'v'];
  /**
   * Creates the optimizer.
   * @param learningRate Size of the step.
   * @param beta1 Decay of the mean of the gradients.
   * @param beta2 Decay of the mean of their squares.
   * @param epsilon Constant that is added to the denominator: 1e-7 by default.
   */
  constructor(learningRate: number, beta1: number, beta2: number, epsilon: number | null = null) {
    super(learningRate, beta1, beta2, epsilon);
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    return this.makeAttributes(Step.adam, this.learningRate);
  }
  override getConfig(): ConfigDict {
    const { learningRate, beta1, beta2, epsilon } = this;
    return { learningRate, beta1, beta2, epsilon };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(cls: OptimizerClass<T>, { learningRate, beta1, beta2, epsilon }: Config): T {
    return new cls(learningRate, beta1, beta2, epsilon);
  }
}

/** Adamax optimizer (Kingma and Ba, 2014), with a learning rate that decays with the number of updates. */
export class AdamaxOptimizer extends MomentsOptimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'Adamax';
  }
  /** @internal */
  protected override readonly slotNames = ['m', 'v'];
  /**
   * Creates the optimizer.
   * @param learningRate Size of the step.
   * @param beta1 Decay of the mean of the gradients.
   * @param beta2 Decay of the maximum norm.
   * @param epsilon Constant that is added to the denominator: 1e-7 by default.
   * @param decay Decay of the learning rate: it is divided by 1 + decay * updates. 0 by default.
   */
  constructor(
    learningRate: number,
    beta1: number,
    beta2: number,
    epsilon: number | null = null,
    private readonly decay = 0,
  ) {
    super(learningRate, beta1, beta2, epsilon);
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    return this.makeAttributes(Step.adamax, this.learningRate / (this.iterations * this.decay + 1));
  }
  override getConfig(): ConfigDict {
    const { learningRate, beta1, beta2, epsilon, decay } = this;
    return { learningRate, beta1, beta2, epsilon, decay };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(
    cls: OptimizerClass<T>,
    { learningRate, beta1, beta2, epsilon, decay }: Config,
  ): T {
    return new cls(learningRate, beta1, beta2, epsilon, decay);
  }
}

/** RMSProp optimizer (Tieleman and Hinton, 2012), with momentum, and optionally centered. */
export class RMSPropOptimizer extends Optimizer {
  /** Name of the class in saved configurations. */
  static get className(): string {
    return 'RMSProp';
  }
  /** @internal */
  protected override readonly slotNames: readonly string[];
  private readonly epsilon: number;
  /**
   * Creates the optimizer.
   * @param learningRate Factor of the step.
   * @param decay Decay of the mean square: 0.9 by default.
   * @param momentum Decay of the sum of steps: 0 by default.
   * @param epsilon Constant that is added to the mean square: 1e-7 by default.
   * @param centered True to use the variance of the gradients instead of their mean square; false by default.
   */
  constructor(
    protected learningRate: number,
    private readonly decay = 0.9,
    private readonly momentum = 0,
    epsilon: number | null = null,
    private readonly centered = false,
  ) {
    super();
    if (learningRate === null || learningRate === undefined) {
      throw new Error('learningRate for RMSPropOptimizer must be defined.');
    }
    this.epsilon = epsilon ?? kEpsilon;
    this.slotNames = centered ? ['rms', 'momentum', 'mg'] : ['rms', 'momentum'];
  }
  /** @internal */
  protected override attributes(): UpdateAttrs {
    const { learningRate, decay, momentum, epsilon } = this;
    return { optimizer: this.centered ? Step.centeredRmsprop : Step.rmsprop, learningRate, decay, momentum, epsilon };
  }
  override getConfig(): ConfigDict {
    const { learningRate, decay, momentum, epsilon, centered } = this;
    return { learningRate, decay, momentum, epsilon, centered };
  }
  /** Creates an optimizer from a configuration that `getConfig` returned. The caller owns it. */
  static fromConfig<T extends Optimizer>(
    cls: OptimizerClass<T>,
    { learningRate, decay, momentum, epsilon, centered }: Config,
  ): T {
    return new cls(learningRate, decay, momentum, epsilon, centered);
  }
}
