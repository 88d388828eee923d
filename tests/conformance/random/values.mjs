// Random shapes, values and tensors.
import { TensorArgument, arrayOf, elements } from './arguments.mjs';

const kMaxElements = 160;

const kSpecial = [
  NaN,
  Infinity,
  -Infinity,
  -0,
  0,
  1,
  -1,
  0.5,
  3.4e38,
  -3.4e38,
  1e-45,
  -1e-45,
  1.2e-38,
  -1e-40,
  1e9,
  -1e9,
  16777217,
  2147483648,
  -2147483648,
  1e-8,
  -1e-8,
  88.8,
  -88.8,
  104,
  -104,
  1e20,
  -1e20,
  0.9999999,
  1e5,
];
const kSpecialIntegers = [2147483647, -2147483648, 0, 1, -1, 46341, 65536, -65536, 16777217, 2147483646, 7];

const kFloats = {
  small: (r) => r.int(-6, 6) / 2,
  unit: (r) => r.normal(),
  positive: (r) => r.real(0, 3),
  wide: (r) => (r.chance(0.5) ? 1 : -1) * 2 ** r.real(-24, 24),
  special: (r) => (r.chance(0.5) ? r.normal() : r.pick(kSpecial)),
};
const kIntegers = {
  small: (r) => r.int(-5, 5),
  unit: (r) => r.int(-100, 100),
  positive: (r) => r.int(0, 9),
  wide: (r) => Math.trunc((r.chance(0.5) ? 1 : -1) * 2 ** r.real(0, 31)),
  special: (r) => r.pick(kSpecialIntegers),
};

const kKinds = [
  [4, 'small'],
  [6, 'unit'],
  [1, 'positive'],
  [1, 'wide'],
  [1.5, 'special'],
];
const kDtypes = [
  [6, 'float32'],
  [2.5, 'int32'],
  [1.5, 'bool'],
];

/** Returns a dimension's extent: mostly small, often 1, rarely 0. */
export function extent(r) {
  return r.weighed([
    [0.6, 0],
    [3, 1],
    [4, 2],
    [4, 3],
    [2, 4],
    [2, 5],
    [1, 9],
  ]);
}

/** Returns a shape of `least` to `most` dimensions. */
export function shape(r, least = 0, most = 6) {
  const rank = r.chance(0.8) ? r.int(least, Math.min(Math.max(least, 4), most)) : r.int(least, most);
  return fitted(r.list(rank, () => extent(r)));
}

/** Returns the shape with its largest extents reduced until the number of elements is within the limit. */
export function fitted(given) {
  const result = [...given];
  while (elements(result) > kMaxElements) {
    const i = result.indexOf(Math.max(...result));
    result[i] = Math.ceil(result[i] / 2);
  }
  return result;
}

export function dtype(r) {
  return r.weighed(kDtypes);
}

export function values(r, count, type, kind = r.weighed(kKinds)) {
  const one = type === 'bool' ? () => r.int(0, 1) : () => (type === 'int32' ? kIntegers : kFloats)[kind](r);
  return arrayOf(type, r.list(count, one));
}

/** Returns a numeric argument. */
export function number(r) {
  return kFloats[r.weighed(kKinds)](r);
}

/**
 * Returns a tensor, or values in its place. Options: `shape`, or `rank` as [least, most]; `dtype`, one or a list; `kind` of the
 * values; `form`, if it is fixed.
 */
export function tensor(r, options = {}) {
  const extents = options.shape ?? shape(r, ...(options.rank ?? [0, 6]));
  const type = Array.isArray(options.dtype) ? r.pick(options.dtype) : (options.dtype ?? dtype(r));
  const data = options.values ?? values(r, elements(extents), type, options.kind);
  return new TensorArgument(arrayOf(type, data), extents, type, options.form ?? form(r, extents));
}

export function form(r, extents) {
  if (r.chance(0.72)) return 'tensor';
  if (r.chance(0.1)) return 'variable';
  if (extents.length === 0) return 'number';
  if (extents.length === 1 && r.chance(0.5)) return 'typed';
  return extents.length > 1 && r.chance(0.2) ? 'rows' : 'nested';
}

/** Returns a float32 tensor, as convolutions require. */
export function floats(r, extents, options = {}) {
  return tensor(r, { shape: extents, dtype: 'float32', ...options });
}

/** Returns two shapes that broadcast. */
export function broadcastShapes(r) {
  const full = shape(r, 0, 6);
  const part = (extents) => {
    const from = r.chance(0.4) ? r.int(0, extents.length) : 0;
    return extents.slice(from).map((one) => (r.chance(0.2) ? 1 : one));
  };
  return r.chance(0.5) ? [full, part(full)] : [part(full), part(full)];
}

/** Returns an axis, counted from either end. */
export function axis(r, rank) {
  return rank === 0 ? 0 : r.int(-rank, rank - 1);
}

/** Returns axes as reductions take them: none, one, or a list. */
export function axes(r, rank) {
  if (r.chance(0.25)) return r.pick([undefined, null]);
  if (r.chance(0.4) && rank > 0) return axis(r, rank);
  return axisList(r, rank);
}

/** Returns a list of distinct axes, possibly empty. */
export function axisList(r, rank) {
  const all = r.shuffled(Array.from({ length: rank }, (_, i) => i)).slice(0, r.int(0, Math.min(rank, 3)));
  return all.map((one) => (r.chance(0.3) ? one - rank : one));
}

/** Returns arguments, with trailing optional ones omitted at random. */
export function shortened(r, required, optional) {
  return [...required, ...optional.slice(0, r.int(0, optional.length))];
}
