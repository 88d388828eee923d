import { mul } from '../../ops/math/binary.js';
import { eye, fill, ones, zeros } from '../../ops/movement/create.js';
import { randomNormal, randomUniform, truncatedNormal } from '../../ops/math/random.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { DataType } from '../../runtime/types.js';
import {
  Serializable,
  registerClass,
  type ConfigDict,
  type SerializableConstructor,
} from '../../util/serialization.js';
import { sizeFromShape } from '../../util/shape.js';
import { orthonormalRows } from './orthonormal.js';

/**
 * Base class of initializers, which compute the initial value of a weight.
 * @example
 * class Halves extends tf.initializers.Initializer {
 *   static className = 'Halves';
 *   apply(shape) { return tf.fill(shape, 0.5); }
 * }
 * new Halves().apply([2]); // [0.5, 0.5]
 */
export abstract class Initializer extends Serializable {
  /** Returns the initial value of a weight of a shape and dtype. */
  abstract apply(shape: number[], dtype?: DataType): Tensor;
  /** True if the configuration names custom classes. */
  fromConfigUsesCustomObjects(): boolean {
    return false;
  }
  getConfig(): ConfigDict {
    return {};
  }
}

class Zeros extends Initializer {
  static readonly className = 'Zeros';
  apply(shape: number[], dtype?: DataType): Tensor {
    return zeros(shape, dtype);
  }
}

class Ones extends Initializer {
  static readonly className = 'Ones';
  apply(shape: number[], dtype?: DataType): Tensor {
    return ones(shape, dtype);
  }
}

/** Arguments of initializers.constant(). */
interface ConstantArgs {
  /** Value of each element. */
  value: number;
}

class Constant extends Initializer {
  static readonly className = 'Constant';
  private readonly value: number;
  constructor(args: ConstantArgs) {
    super();
    if (typeof args !== 'object') throw new Error(`Expected argument of type ConstantConfig but got ${typeof args}`);
    if (args.value === undefined) throw new Error(`config must have value set but got ${JSON.stringify(args)}`);
    this.value = args.value;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    return fill(shape, this.value, dtype);
  }
  override getConfig(): ConfigDict {
    return { value: this.value };
  }
}

function floatOrInt(dtype: DataType | undefined, what: string): 'float32' | 'int32' {
  const type = dtype ?? 'float32';
  if (type !== 'float32' && type !== 'int32') throw new Error(`${what} does not support dType ${type}.`);
  return type;
}

/** Arguments of initializers.randomUniform(). */
export interface RandomUniformArgs {
  /** Lower limit, inclusive: -0.05 by default, and for 0. */
  minval?: number;
  /** Upper limit, exclusive: 0.05 by default, and for 0. */
  maxval?: number;
  /** Seed: the same seed returns the same values. */
  seed?: number;
}

class RandomUniform extends Initializer {
  static readonly className = 'RandomUniform';
  private readonly minval: number;
  private readonly maxval: number;
  private readonly seed: number | undefined;
  constructor({ minval, maxval, seed }: RandomUniformArgs = {}) {
    super();
    // As in TensorFlow.js, 0 selects the default.
    this.minval = minval || -0.05;
    this.maxval = maxval || 0.05;
    this.seed = seed;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    return randomUniform(shape, this.minval, this.maxval, floatOrInt(dtype, 'randomUniform'), this.seed);
  }
  override getConfig(): ConfigDict {
    return { minval: this.minval, maxval: this.maxval, seed: this.seed as number };
  }
}

/** Arguments of initializers.randomNormal() and truncatedNormal(). */
export interface RandomNormalArgs {
  /** Mean of the distribution: 0 by default. */
  mean?: number;
  /** Standard deviation: 0.05 by default, and for 0. */
  stddev?: number;
  /** Seed: the same seed returns the same values. */
  seed?: number;
}

abstract class Normal extends Initializer {
  protected readonly mean: number;
  protected readonly stddev: number;
  protected readonly seed: number | undefined;
  constructor({ mean, stddev, seed }: RandomNormalArgs = {}) {
    super();
    this.mean = mean || 0;
    this.stddev = stddev || 0.05;
    this.seed = seed;
  }
  override getConfig(): ConfigDict {
    return { mean: this.mean, stddev: this.stddev, seed: this.seed as number };
  }
}

class RandomNormal extends Normal {
  static readonly className = 'RandomNormal';
  apply(shape: number[], dtype?: DataType): Tensor {
    return randomNormal(shape, this.mean, this.stddev, floatOrInt(dtype, 'randomNormal'), this.seed);
  }
}

class TruncatedNormal extends Normal {
  static readonly className = 'TruncatedNormal';
  apply(shape: number[], dtype?: DataType): Tensor {
    return truncatedNormal(shape, this.mean, this.stddev, floatOrInt(dtype, 'truncatedNormal'), this.seed);
  }
}

/** Arguments of initializers.identity(). */
interface IdentityArgs {
  /** Factor of the matrix: 1 by default. */
  gain?: number;
}

class Identity extends Initializer {
  static readonly className = 'Identity';
  private readonly gain: number;
  constructor(args: IdentityArgs = {}) {
    super();
    this.gain = args.gain ?? 1;
  }
  apply(shape: number[]): Tensor {
    if (shape.length !== 2 || shape[0] !== shape[1]) {
      throw new Error('Identity matrix initializer can only be used for 2D square matrices.');
    }
    return runInInternalScope(() => mul(this.gain, eye(shape[0]!)));
  }
  override getConfig(): ConfigDict {
    return { gain: this.gain };
  }
}

type Fan = 'fanIn' | 'fanOut' | 'fanAvg';
/** Arguments of the initializers that take a seed only. */
export interface SeedArgs {
  /** Seed: the same seed returns the same values. */
  seed?: number | null;
}
/** Arguments of initializers.varianceScaling(). */
export interface VarianceScalingArgs extends SeedArgs {
  /** Numerator of the variance: 1 by default. Throws if it is negative. */
  scale?: number;
  /** Denominator of the variance: the fan-in (default), the fan-out, or their mean. */
  mode?: Fan;
  /** Distribution: 'normal' (default) is a truncated normal one; as in TensorFlow.js, 'truncatedNormal' is uniform. */
  distribution?: 'normal' | 'uniform' | 'truncatedNormal';
}

/** Returns [fan-in, fan-out] of a weight: the inputs that each output sums, and the outputs that each input reaches. */
function computeFans(shape: number[]): [number, number] {
  if (shape.length === 2) return [shape[0]!, shape[1]!];
  if (shape.length < 3 || shape.length > 5) {
    const size = Math.sqrt(sizeFromShape(shape));
    return [size, size];
  }
  const window = sizeFromShape(shape.slice(0, -2));
  return [shape.at(-2)! * window, shape.at(-1)! * window];
}

function checkOneOf<T extends string>(words: readonly T[], label: string, value: T): T {
  if (words.includes(value)) return value;
  throw new Error(`${value} is not a valid ${label}.  Valid values are ${words.join(',')} or null/undefined.`);
}

class VarianceScaling extends Initializer {
  static readonly className: string = 'VarianceScaling';
  private readonly scale: number;
  private readonly mode: Fan;
  private readonly distribution: NonNullable<VarianceScalingArgs['distribution']>;
  private readonly seed: number | null | undefined;
  constructor({ scale, mode, distribution, seed }: VarianceScalingArgs = {}) {
    super();
    if (scale !== undefined && scale < 0) throw new Error(`scale must be a positive float. Got: ${scale}`);
    this.scale = scale ?? 1;
    this.mode = checkOneOf(['fanIn', 'fanOut', 'fanAvg'] as const, 'FanMode', mode ?? 'fanIn');
    this.distribution = checkOneOf(
      ['normal', 'uniform', 'truncatedNormal'] as const,
      'Distribution',
      distribution ?? 'normal',
    );
    this.seed = seed;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    const [fanIn, fanOut] = computeFans(shape);
    const fan = this.mode === 'fanIn' ? fanIn : this.mode === 'fanOut' ? fanOut : (fanIn + fanOut) / 2;
    const scale = this.scale / Math.max(1, fan);
    const type = floatOrInt(dtype, this.getClassName());
    const seed = this.seed ?? undefined;
    if (this.distribution === 'normal') return truncatedNormal(shape, 0, Math.sqrt(scale), type, seed);
    const limit = Math.sqrt(3 * scale);
    return randomUniform(shape, -limit, limit, type, seed);
  }
  override getClassName(): string {
    return VarianceScaling.className;
  }
  override getConfig(): ConfigDict {
    return { scale: this.scale, mode: this.mode, distribution: this.distribution, seed: this.seed as number | null };
  }
}

/** Returns a subclass of VarianceScaling with preset arguments, which files refer to by `className`. */
function scaling(className: string, scale: number, mode: Fan, distribution: 'normal' | 'uniform') {
  return class extends VarianceScaling {
    static override readonly className = className;
    constructor(args?: SeedArgs | null) {
      super({ scale, mode, distribution, seed: args?.seed ?? null });
    }
  };
}

/** Arguments of initializers.orthogonal(). */
interface OrthogonalArgs {
  /** Factor of the matrix: 1 by default. */
  gain?: number;
  /** Seed: the same seed returns the same values. */
  seed?: number;
}

class Orthogonal extends Initializer {
  static readonly className = 'Orthogonal';
  private readonly gain: number;
  private readonly seed: number | undefined;
  constructor({ gain, seed }: OrthogonalArgs = {}) {
    super();
    this.gain = gain ?? 1;
    this.seed = seed;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    if (shape.length < 2) throw new Error('Shape must be at least 2D.');
    if (dtype !== undefined && dtype !== 'int32' && dtype !== 'float32')
      throw new TypeError(`Unsupported data type ${dtype}.`);
    return runInInternalScope(() => {
      const columns = shape.at(-1)!;
      const rows = sizeFromShape(shape.slice(0, -1));
      const short = Math.min(rows, columns);
      const across = orthonormalRows(randomNormal([short, Math.max(rows, columns)], 0, 1, 'float32', this.seed));
      const whole = rows > columns ? across.transpose() : across;
      return mul(this.gain, whole.reshape(shape));
    });
  }
  override getConfig(): ConfigDict {
    return { gain: this.gain, seed: this.seed as number };
  }
}

/**
 * Empty object, kept for compatibility: serialization.registerClass() registers classes.
 * @example
 * Object.keys(tf.initializers.initializerClasses); // []
 */
export const initializerClasses: Record<string, SerializableConstructor<Initializer>> = {};
const GlorotUniform = scaling('GlorotUniform', 1, 'fanAvg', 'uniform');
const GlorotNormal = scaling('GlorotNormal', 1, 'fanAvg', 'normal');
const HeNormal = scaling('HeNormal', 2, 'fanIn', 'normal');
const HeUniform = scaling('HeUniform', 2, 'fanIn', 'uniform');
const LeCunNormal = scaling('LeCunNormal', 1, 'fanIn', 'normal');
const LeCunUniform = scaling('LeCunUniform', 1, 'fanIn', 'uniform');
const kClasses = [
  ...[Zeros, Ones, Constant, RandomUniform, RandomNormal, TruncatedNormal, Identity, VarianceScaling, GlorotUniform],
  ...[GlorotNormal, HeNormal, HeUniform, LeCunNormal, LeCunUniform, Orthogonal],
] as unknown as SerializableConstructor<Initializer>[];
for (const cls of kClasses) registerClass(cls);

/**
 * Returns an initializer that fills a weight with zeros.
 * @example
 * tf.initializers.zeros().apply([2]); // [0, 0]
 */
const zerosInitializer = (): Initializer => new Zeros();
/**
 * Returns an initializer that fills a weight with ones.
 * @example
 * tf.initializers.ones().apply([2]); // [1, 1]
 */
const onesInitializer = (): Initializer => new Ones();
export { zerosInitializer as zeros, onesInitializer as ones };
/**
 * Returns an initializer that fills a weight with `value`.
 * @example
 * tf.initializers.constant({ value: 0.1 }).apply([2]); // [0.1, 0.1]
 */
export const constant = (args: ConstantArgs): Initializer => new Constant(args);
/**
 * Returns an initializer that draws from the uniform distribution over [minval, maxval), by default [-0.05, 0.05).
 * @example
 * const w = tf.initializers.randomUniform({ minval: 1, maxval: 2, seed: 1 }).apply([100]);
 * w.min().arraySync() >= 1; // true
 */
const uniform = (args: RandomUniformArgs): Initializer => new RandomUniform(args);
/**
 * Returns an initializer that draws from the normal distribution of `mean` (0) and `stddev` (0.05).
 * @example
 * tf.initializers.randomNormal({ mean: 0, stddev: 1, seed: 1 }).apply([2, 3]).shape; // [2, 3]
 */
const normal = (args: RandomNormalArgs): Initializer => new RandomNormal(args);
/**
 * Returns an initializer that draws from the normal distribution of `mean` (0) and `stddev` (0.05) and redraws values more
 * than two standard deviations from the mean.
 * @example
 * const w = tf.initializers.truncatedNormal({ mean: 0, stddev: 1, seed: 1 }).apply([100]);
 * w.abs().max().arraySync() <= 2; // true
 */
const truncated = (args: RandomNormalArgs): Initializer => new TruncatedNormal(args);
export { uniform as randomUniform, normal as randomNormal, truncated as truncatedNormal };
/**
 * Returns an initializer of the identity matrix times `gain` (1). Its apply() throws unless the weight is a square matrix.
 * @example
 * tf.initializers.identity({ gain: 2 }).apply([2, 2]); // [[2, 0], [0, 2]]
 */
export const identity = (args: IdentityArgs): Initializer => new Identity(args);
/**
 * Returns an initializer of random values with the variance scale / fan, where fan is the number of a weight's inputs
 * ('fanIn'), its outputs ('fanOut') or their mean ('fanAvg').
 * @example
 * const scaling = tf.initializers.varianceScaling({ scale: 3, mode: 'fanIn', distribution: 'uniform', seed: 1 });
 * scaling.apply([9, 4]).abs().max().arraySync() <= 1; // true: the limit is sqrt(3 * scale / 9)
 */
export const varianceScaling = (config: VarianceScalingArgs): Initializer => new VarianceScaling(config);
/**
 * Returns an initializer of uniform values within sqrt(6 / (inputs + outputs)) of 0 (Glorot and Bengio, 2010).
 * @example
 * tf.initializers.glorotUniform({ seed: 1 }).apply([3, 3]).abs().max().arraySync() <= 1; // true
 */
export const glorotUniform = (args: SeedArgs): Initializer => new GlorotUniform(args);
/**
 * Returns an initializer of normal values of variance 2 / (inputs + outputs), truncated at two standard deviations (Glorot
 * and Bengio, 2010).
 * @example
 * tf.initializers.glorotNormal({ seed: 1 }).apply([3, 4]).shape; // [3, 4]
 */
export const glorotNormal = (args: SeedArgs): Initializer => new GlorotNormal(args);
/**
 * Returns an initializer of normal values of variance 2 / inputs, truncated at two standard deviations (He et al., 2015).
 * @example
 * tf.initializers.heNormal({ seed: 1 }).apply([3, 4]).shape; // [3, 4]
 */
export const heNormal = (args: SeedArgs): Initializer => new HeNormal(args);
/**
 * Returns an initializer of uniform values within sqrt(6 / inputs) of 0 (He et al., 2015).
 * @example
 * tf.initializers.heUniform({ seed: 1 }).apply([6, 4]).abs().max().arraySync() <= 1; // true
 */
export const heUniform = (args: SeedArgs): Initializer => new HeUniform(args);
/**
 * Returns an initializer of normal values of variance 1 / inputs, truncated at two standard deviations (LeCun et al., 1998).
 * @example
 * tf.initializers.leCunNormal({ seed: 1 }).apply([3, 4]).shape; // [3, 4]
 */
export const leCunNormal = (args: SeedArgs): Initializer => new LeCunNormal(args);
/**
 * Returns an initializer of uniform values within sqrt(3 / inputs) of 0 (LeCun et al., 1998).
 * @example
 * tf.initializers.leCunUniform({ seed: 1 }).apply([3, 4]).abs().max().arraySync() <= 1; // true
 */
export const leCunUniform = (args: SeedArgs): Initializer => new LeCunUniform(args);
/**
 * Returns an initializer of a random matrix with orthonormal rows or columns, times `gain` (1) (Saxe et al., 2014).
 * @example
 * const w = tf.initializers.orthogonal({ seed: 1 }).apply([2, 2]);
 * w.matMul(w, true); // [[1, 0], [0, 1]]
 */
export const orthogonal = (args: OrthogonalArgs): Initializer => new Orthogonal(args);
