// Functions of tf.util, which take no tensors.
import { Code } from '../arguments.mjs';
import { axes, dtype, number, shape, tensor } from '../values.mjs';
import { elements } from '../arguments.mjs';

export const calls = {};
const define = (name, args, rest = {}) =>
  (calls[`util.${name}`] = { args, tolerance: { ulps: 0 }, weight: 0.15, ...rest });

const kAnything = [
  0,
  1.5,
  -3,
  NaN,
  'text',
  '',
  true,
  null,
  undefined,
  [1, 2],
  [],
  new Float32Array(2),
  new Code('new Int32Array(2)'),
];
const anything = (r) => r.pick(kAnything);
const listed = (r) => tensor(r, { rank: [1, 4], form: 'nested' });

define('arraysEqual', (r) => {
  const a = r.pick([null, shape(r, 0, 3)]);
  return [a, r.chance(0.5) ? a : shape(r, 0, 3)];
});
define('arraysEqualWithNull', (r) => {
  const a = r.pick([[null, 2], shape(r, 0, 3)]);
  return [a, r.pick([a, [null, 2], [1, null]])];
});
define('tanh', (r) => [number(r)]);
define('assert', (r) => [r.chance(0.5), new Code(`() => 'wrong'`)]);
define('assertNonNegativeIntegerDimensions', (r) => [r.pick([shape(r), [-1], [1.5, 2], [3, NaN]])]);
define('assertNonNull', (r) => [anything(r)]);
define('assertShapesMatch', (r) => {
  const a = shape(r, 0, 2);
  return [a, r.chance(0.5) ? a : shape(r, 0, 2)];
});
define('bytesPerElement', (r) => [r.pick([dtype(r), 'complex64'])]);
define('clamp', (r) => [number(r), number(r), number(r)]);
define('computeStrides', (r) => [shape(r)]);
define('decodeString', (r) => [new Code(`new Uint8Array([${r.list(4, () => r.int(65, 90))}])`)]);
define('encodeString', (r) => [r.pick(['text', '', 'Grüße', '😀'])]);
define('distSquared', (r) => [r.list(3, () => r.int(-4, 4)), r.list(3, () => r.int(-4, 4))]);
define('flatten', (r) => [listed(r)]);
for (const name of ['getArrayFromDType', 'getTypedArrayFromDType'])
  define(name, (r) => [r.pick([dtype(r), 'complex64']), r.int(0, 5)]);
const type = (r) => r.pick([dtype(r), 'complex64']);
define('hasEncodingLoss', (r) => [type(r), type(r)]);
define('indexToLoc', (r) => {
  const like = shape(r, 0, 4).map((one) => Math.max(one, 1));
  return [r.int(0, elements(like) - 1), like.length, new Code(`[${strides(like)}]`)];
});
define('locToIndex', (r) => {
  const like = shape(r, 0, 4).map((one) => Math.max(one, 1));
  return [like.map((one) => r.int(0, one - 1)), like.length, new Code(`[${strides(like)}]`)];
});
define('inferDtype', (r) => [r.pick([listed(r), number(r), 'text', true, [['a']], [true]])]);
define('inferFromImplicitShape', (r) => {
  const like = shape(r, 0, 4);
  const size = elements(like);
  return [like.map((one, i) => (i === 0 && r.chance(0.6) ? -1 : one)), r.chance(0.9) ? size : r.int(0, 9)];
});
for (const name of ['isBoolean', 'isFunction', 'isNumber', 'isPromise', 'isString', 'isTypedArray'])
  define(name, (r) => [anything(r)]);
define('isInt', (r) => [number(r)]);
define('isScalarShape', (r) => [shape(r, 0, 2)]);
define('isValidDtype', (r) => [r.pick([dtype(r), 'string', 'complex64', 'float64', undefined])]);
for (const name of ['makeOnesTypedArray', 'makeZerosTypedArray']) define(name, (r) => [r.int(0, 4), type(r)]);
define('makeZerosNestedTypedArray', (r) => [shape(r, 0, 3), dtype(r)]);
define('nearestDivisor', (r) => [r.int(1, 40), r.int(1, 20)]);
define('nearestLargerEven', (r) => [r.int(-9, 9)]);
define('parseAxisParam', (r) => {
  const like = shape(r);
  return [r.chance(0.1) ? r.int(-9, 9) : axes(r, like.length), like];
});
define('rightPad', (r) => ['x'.repeat(r.int(0, 5)), r.int(0, 7)]);
define('sizeFromShape', (r) => [shape(r)]);
define('sizeToSquarishShape', (r) => [r.int(0, 50)]);
define('squeezeShape', (r) => {
  const like = shape(r);
  const ones = like.flatMap((one, i) => (one === 1 ? [i] : []));
  return [like, r.pick([undefined, ones, ones[0], axes(r, like.length), r.int(-2, 2)])];
});
define('sum', (r) => [r.list(r.int(0, 4), () => r.int(-9, 9))]);
define('swap', (r) => [r.list(4, (i) => i), r.int(0, 3), r.int(0, 3)]);
define('toNestedArray', (r) => {
  const x = tensor(r, { dtype: 'float32' });
  return [x.shape, r.chance(0.9) ? x.values : new Float32Array(2)];
});
define('toTypedArray', (r) => [r.pick([listed(r), tensor(r, { rank: [1, 1], form: 'typed' })]), dtype(r)]);

function strides(shape) {
  return shape.slice(1).map((_, i) => elements(shape.slice(i + 1)));
}
