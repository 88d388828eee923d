import type { DataType, Shape } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { SymbolicTensor } from './symbolic_tensor.js';

/**
 * Requirements of an input of a layer: dtype, shape and rank.
 * @example
 * const spec = new tf.InputSpec({ ndim: 2, axes: { '-1': 3 } });
 * spec.ndim; // 2
 */
export class InputSpec {
  /** Required type. */
  dtype?: DataType;
  /** Required shape; null is any extent. */
  shape?: Shape;
  /** Required rank. */
  ndim?: number;
  /** Largest allowed rank. */
  maxNDim?: number;
  /** Smallest allowed rank. */
  minNDim?: number;
  /** Required extents by axis; a negative axis counts from the end. */
  axes?: Record<number, number>;
  constructor({ dtype, shape, ndim, maxNDim, minNDim, axes }: Partial<InputSpec>) {
    Object.assign(this, { dtype, shape, ndim: shape ? shape.length : ndim, maxNDim, minNDim, axes: axes ?? {} });
  }
}

const kRanks: Record<string, number> = {
  RepeatVector: 2,
  SpatialDropout1D: 3,
  RNN: 3,
  SimpleRNN: 3,
  GRU: 3,
  LSTM: 3,
  Bidirectional: 3,
  ConvLSTM2D: 5,
  UpSampling2D: 4,
  Cropping2D: 4,
  ZeroPadding2D: 4,
};

const kMaskingClasses =
  /^(Dense|Activation|ReLU|PReLU|Dropout|SpatialDropout[12]D|AlphaDropout|Gaussian\w+|Masking|BatchNormalization\w*|LayerNormalization|Add|Subtract|Multiply|Average|Maximum|Minimum|Concatenate|Dot|RNN|SimpleRNN|GRU|LSTM|ConvLSTM2D|Bidirectional|TimeDistributed|ActivityRegularization)$/;

/** True if a class of layers runs a cell over time steps. */
export function isRecurrent(className: string): boolean {
  return /^(RNN|SimpleRNN|GRU|LSTM|ConvLSTM2D)$/.test(className);
}

/** True if a layer of the engine accepts the mask of its input, to pass it on or to consume it. */
export function acceptsMasks(className: string, { maskZero }: Record<string, unknown>): boolean {
  return kMaskingClasses.test(className) || (className === 'Embedding' && maskZero === true);
}

/** Returns the requirements of the inputs of a layer of the engine that is not built; null if there are none. */
export function getUnbuiltInputSpec(className: string, { dims }: Record<string, unknown>): InputSpec[] | null {
  const [, poolRank] = /^(?:Global)?(?:Max|Average)Pooling(\d)D$/.exec(className) ?? [];
  const ndim = poolRank
    ? Number(poolRank) + 2
    : className === 'Permute'
      ? (dims as number[]).length + 1
      : kRanks[className];
  return ndim === undefined ? null : [new InputSpec({ ndim })];
}

/** Returns the requirements of the inputs of a layer of the engine that was built for a shape; null if there are none. */
export function getBuiltInputSpec(
  className: string,
  shape: Shape,
  { dataFormat, axis }: Record<string, unknown>,
): InputSpec[] | null {
  const one = (spec: Partial<InputSpec>, at: number) => [new InputSpec({ ...spec, axes: { [at]: shape.at(at)! } })];
  if (className === 'Dense') return one({ minNDim: 2 }, -1);
  if (className === 'PReLU') return [new InputSpec({ ndim: shape.length })];
  if (className === 'BatchNormalization')
    return one({ ndim: shape.length }, ((axis as number) + shape.length) % shape.length);
  if (!/^(Separable)?Conv\dD/.test(className)) return null;
  return one({ ndim: shape.length }, dataFormat === 'channelsFirst' ? 1 : shape.length - 1);
}

/** Throws if an input does not meet its requirements; undefined has none. */
export function checkSpec(where: string, x: Tensor | SymbolicTensor, spec: InputSpec | undefined): void {
  if (!spec) return;
  const { ndim, maxNDim, minNDim, dtype, axes, shape } = spec;
  if (ndim !== undefined && x.rank !== ndim) throw new Error(`${where}: expected ndim=${ndim}, found ndim=${x.rank}`);
  if (maxNDim !== undefined && x.rank > maxNDim)
    throw new Error(`${where}: expected max_ndim=${maxNDim}, found ndim=${x.rank}`);
  if (minNDim !== undefined && x.rank < minNDim)
    throw new Error(`${where}: expected min_ndim=${minNDim}, found ndim=${x.rank}.`);
  if (dtype !== undefined && x.dtype !== dtype)
    throw new Error(`${where} : expected dtype=${dtype}, found dtype=${x.dtype}.`);
  const found = x.shape;
  for (const [axis, value] of Object.entries(axes ?? {})) {
    const extent = found.at(Number(axis));
    if (value !== null && extent !== null && extent !== value) {
      throw new Error(
        `${where}: expected axis ${axis} of input shape to have value ${value} but got shape ${String(found)}.`,
      );
    }
  }
  if (shape?.some((extent, i) => extent !== null && (found[i] ?? null) !== null && found[i] !== extent)) {
    throw new Error(`${where}: expected shape=${String(shape)}, found shape=${String(found)}.`);
  }
}
