// Inputs of the op cases, and makers of rows.
import { tf } from '../../expect.mjs';

export const x = [1, -2, 0.5, 3];
export const m = [
  [1, -2, 3],
  [4, 5, -6],
];
export const a = [7, -7, 2.5, 0];
export const b = [2, 3, -1, 4];
export const yes = [true, true, false, false];
export const no = [true, false, true, false];
export const int = (values) => tf.tensor1d(values, 'int32');
export const sigmoid = (v) => 1 / (1 + Math.exp(-v));
export const erf = [0.8427007929, -0.995322265, 0.5204998778, 0.9999779095];
export const floorMod = (p, q) => p - q * Math.floor(p / q);
export const unary = (name, f, values = x, dtype) => [
  name,
  () => tf[name](values),
  [values.length],
  values.map(f),
  dtype,
];
export const binary = (name, f, dtype) => [name, () => tf[name](a, b), [4], a.map((v, i) => f(v, b[i])), dtype];
export const logical = (name, f) => [name, () => tf[name](yes, no), [4], yes.map((v, i) => f(v, no[i])), 'bool'];
/** Activations that layers have and `tf` does not. */
export const activated = (name, f, activation = name) => [
  name,
  () => tf.layers.activation({ activation }).apply(tf.tensor1d(x)),
  [4],
  x.map(f),
];
export const image = () => tf.tensor4d([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1]);
export const ones = (...shape) => tf.ones(shape);
export const labels = [
  [1, 0, 0],
  [0, 0, 1],
];
export const guesses = [
  [0.7, 0.2, 0.1],
  [0.3, 0.3, 0.4],
];
export const pairs = () =>
  tf.tensor2d([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
