import { mul } from '../ops/binary.js';
import { eye, fill, ones, zeros } from '../ops/create.js';
import { randomNormal, randomUniform, truncatedNormal } from '../ops/random.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { DataType } from '../runtime/types.js';
import { Serializable, registerClass, type ConfigDict, type SerializableConstructor } from '../train/serialization.js';
import { sizeFromShape } from '../util/shape.js';
import { orthonormalRows } from './orthonormal.js';

/** What gives a new weight its value. */
export abstract class Initializer extends Serializable {
  abstract apply(shape: number[], dtype?: DataType): Tensor;
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

class Constant extends Initializer {
  static readonly className = 'Constant';
  private readonly value: number;
  constructor(args: { value: number }) {
    super();
    if (typeof (args as unknown) !== 'object') throw new Error(`Expected argument of type ConstantConfig but got ${typeof args}`);
    if ((args.value as unknown) === undefined) throw new Error(`config must have value set but got ${JSON.stringify(args)}`);
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

export interface RandomUniformArgs {
  minval?: number;
  maxval?: number;
  seed?: number;
}

class RandomUniform extends Initializer {
  static readonly className = 'RandomUniform';
  private readonly minval: number;
  private readonly maxval: number;
  private readonly seed: number | undefined;
  constructor({ minval, maxval, seed }: RandomUniformArgs = {}) {
    super();
    // A 0 is taken for none, as TensorFlow.js takes it.
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

export interface RandomNormalArgs {
  mean?: number;
  stddev?: number;
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

class Identity extends Initializer {
  static readonly className = 'Identity';
  private readonly gain: number;
  constructor(args: { gain?: number } = {}) {
    super();
    this.gain = args.gain ?? 1;
  }
  apply(shape: number[]): Tensor {
    if (shape.length !== 2 || shape[0] !== shape[1]) {
      throw new Error('Identity matrix initializer can only be used for 2D square matrices.');
    }
    return composed(() => mul(this.gain, eye(shape[0]!)));
  }
  override getConfig(): ConfigDict {
    return { gain: this.gain };
  }
}

type Fan = 'fanIn' | 'fanOut' | 'fanAvg';
export interface SeedArgs {
  seed?: number | null;
}
export interface VarianceScalingArgs extends SeedArgs {
  scale?: number;
  mode?: Fan;
  distribution?: 'normal' | 'uniform' | 'truncatedNormal';
}

/** How many numbers a weight's outputs add up, and how many outputs each input reaches. */
function fansOf(shape: number[]): [number, number] {
  if (shape.length === 2) return [shape[0]!, shape[1]!];
  if (shape.length < 3 || shape.length > 5) {
    const size = Math.sqrt(sizeFromShape(shape));
    return [size, size];
  }
  const window = sizeFromShape(shape.slice(0, -2));
  return [shape.at(-2)! * window, shape.at(-1)! * window];
}

function oneOf<T extends string>(words: readonly T[], label: string, value: T): T {
  if (words.includes(value)) return value;
  throw new Error(`${value} is not a valid ${label}.  Valid values are ${words.join(",")} or null/undefined.`);
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
    this.mode = oneOf(['fanIn', 'fanOut', 'fanAvg'] as const, 'FanMode', mode ?? 'fanIn');
    this.distribution = oneOf(['normal', 'uniform', 'truncatedNormal'] as const, 'Distribution', distribution ?? 'normal');
    this.seed = seed;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    const [fanIn, fanOut] = fansOf(shape);
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

/** One of VarianceScaling's well-known kinds, which files know by that name. */
function scaling(className: string, scale: number, mode: Fan, distribution: 'normal' | 'uniform') {
  return class extends VarianceScaling {
    static override readonly className = className;
    constructor(args?: SeedArgs | null) {
      super({ scale, mode, distribution, seed: args?.seed ?? null });
    }
  };
}

class Orthogonal extends Initializer {
  static readonly className = 'Orthogonal';
  private readonly gain: number;
  private readonly seed: number | undefined;
  constructor({ gain, seed }: { gain?: number; seed?: number } = {}) {
    super();
    this.gain = gain ?? 1;
    this.seed = seed;
  }
  apply(shape: number[], dtype?: DataType): Tensor {
    if (shape.length < 2) throw new Error('Shape must be at least 2D.');
    if (dtype !== undefined && dtype !== 'int32' && dtype !== 'float32') throw new TypeError(`Unsupported data type ${dtype}.`);
    return composed(() => {
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

export const zerosInitializer = (): Initializer => new Zeros();
const onesInitializer = (): Initializer => new Ones();
export { zerosInitializer as zeros, onesInitializer as ones };
export const constant = (args: { value: number }): Initializer => new Constant(args);
const uniform = (args: RandomUniformArgs): Initializer => new RandomUniform(args);
const normal = (args: RandomNormalArgs): Initializer => new RandomNormal(args);
const truncated = (args: RandomNormalArgs): Initializer => new TruncatedNormal(args);
export { uniform as randomUniform, normal as randomNormal, truncated as truncatedNormal };
export const identity = (args: { gain?: number }): Initializer => new Identity(args);
export const varianceScaling = (config: VarianceScalingArgs): Initializer => new VarianceScaling(config);
export const glorotUniform = (args: SeedArgs): Initializer => new GlorotUniform(args);
export const glorotNormal = (args: SeedArgs): Initializer => new GlorotNormal(args);
export const heNormal = (args: SeedArgs): Initializer => new HeNormal(args);
export const heUniform = (args: SeedArgs): Initializer => new HeUniform(args);
export const leCunNormal = (args: SeedArgs): Initializer => new LeCunNormal(args);
export const leCunUniform = (args: SeedArgs): Initializer => new LeCunUniform(args);
export const orthogonal = (args: { gain?: number; seed?: number }): Initializer => new Orthogonal(args);
