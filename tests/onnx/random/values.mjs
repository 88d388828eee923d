// Random tensors of the types of ONNX.
import { toHalves } from '../../bench/halves.mjs';
import { Random, range, sizeOf } from '../../tflite/random_values.mjs';

export { range, sizeOf };

export const kArrays = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};

export const kFloats = ['float32', 'float32', 'float32', 'float64', 'float16'];
export const kIntegers = ['int32', 'int64', 'int8', 'uint8', 'int16', 'uint16', 'uint32', 'uint64'];
export const kNumbers = ['float32', 'float32', 'int32', 'int64', ...kFloats, ...kIntegers];
export const kAny = [...kNumbers, 'bool'];

/** Highest opset of onnxruntime-web. */
const kMaxOpset = 26;

const kRanges = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};
const kSpecials = [Infinity, -Infinity, NaN, -0, 0];

export const isFloat = (type) => type.startsWith('float');

/** Returns a tensor of given values, numbers or texts. */
export function tensor(type, shape, values) {
  if (type === 'string') return { type, shape, values };
  if (type === 'float16') return { type, shape, values: toHalves(Float32Array.from(values)) };
  const convert = type === 'int64' || type === 'uint64' ? BigInt : undefined;
  return { type, shape, values: kArrays[type].from(values, convert) };
}
export const floats = (values, shape = [values.length]) => tensor('float32', shape, values);
export const int64s = (values, shape = [values.length]) => tensor('int64', shape, values);

/** A source of random tensors and options of nodes. */
export class OnnxRandom extends Random {
  /** Returns a version of the op set: the first one that has an op is `since`. */
  version(since = 7) {
    return this.int(Math.max(7, since), kMaxOpset);
  }

  /** Returns a shape; with `emptyShare`, of no elements. */
  dims(minRank = 0, maxRank = 4, extent = 5, emptyShare = 0.04) {
    const shape = range(this.int(minRank, maxRank)).map(() => (this.chance(0.15) ? 1 : this.int(1, extent)));
    if (shape.length > 0 && this.chance(emptyShare)) shape[this.int(0, shape.length - 1)] = 0;
    return shape;
  }

  /** Returns a shape that broadcasts to `shape`. */
  narrowed(shape, share = 0.25) {
    const cut = this.chance(0.3) ? this.int(0, shape.length) : 0;
    return shape.slice(cut).map((extent) => (this.chance(share) ? 1 : extent));
  }

  /** Returns two shapes that broadcast. */
  pair(maxRank = 4) {
    const shape = this.dims(0, maxRank);
    const pair = [this.narrowed(shape, 0.1), this.narrowed(shape)];
    return this.chance(0.5) ? [shape, pair[1]] : pair;
  }

  /** Returns an axis of a rank, negative or not. */
  axis(rank) {
    return rank === 0 ? 0 : this.int(-rank, rank - 1);
  }

  /** Returns different axes of a rank, some of them negative. */
  axes(rank, count = this.int(0, rank)) {
    return this.shuffled(range(rank))
      .slice(0, count)
      .map((axis) => (this.chance(0.3) ? axis - rank : axis));
  }

  /** Returns `value`, or undefined for the default of an attribute. */
  maybe(value, share = 0.6) {
    return this.chance(share) ? value : undefined;
  }

  /**
   * Returns a tensor of random values in [low, high]: of whole ones with `isWhole`, with infinities, NaN and -0 among them with
   * `isSpecial`. Integers are of all values of their type with `isWide`.
   */
  tensor(type, shape, { low = -3, high = 3, isWhole = false, isSpecial = false, isWide = false } = {}) {
    const make = (value) => tensor(type, shape, range(sizeOf(shape)).map(value));
    if (type === 'bool') return make(() => this.int(0, 1));
    if (type === 'string') return make(() => this.pick(['', 'a', 'b', 'Zä', 'long text']));
    if (isFloat(type)) {
      const value = () => (isWhole ? this.int(Math.ceil(low), Math.floor(high)) : this.float(low, high));
      return make(() => (isSpecial && this.chance(0.15) ? this.pick(kSpecials) : value()));
    }
    if (isWide && type in kRanges) return make(() => this.int(...kRanges[type]));
    const least = type.startsWith('u') ? Math.max(0, Math.ceil(low)) : Math.ceil(low);
    return make(() => this.int(least, Math.max(least, Math.floor(high))));
  }

  /** Makes a tensor a constant of the model, with the chance `share`. */
  mayFix(given, share = 0.3) {
    return given && given.type !== 'string' && this.chance(share) ? { ...given, isConstant: true } : given;
  }

  /** Returns a list of int64, most often a constant. */
  list(values, shape = [values.length]) {
    return this.mayFix(int64s(values, shape), 0.7);
  }
}

/** Returns an axis as an attribute, sometimes undefined if it is the default. */
export const axisAttribute = (r, axis, rank, otherwise) =>
  axis === otherwise && r.chance(0.5) ? undefined : r.chance(0.3) ? axis - rank : axis;

/** Returns inputs without those at the end that are left out. */
export const withoutEnd = (inputs) => inputs.slice(0, inputs.findLastIndex((one) => one !== null) + 1);

/** Returns a case of one node. Its output has the type of its first input unless `more` has types. */
export const node = (op, version, inputs, attributes = {}, more = {}) => ({
  op,
  version,
  inputs,
  attributes,
  outputs: 1,
  types: [inputs[0].type],
  ...more,
});
