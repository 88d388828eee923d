// Convolutions, pooling, and other ops on images.
import { floats, shortened, tensor } from '../values.mjs';

const kSums = { sums: true };
export const calls = {};
const define = (name, args, rest = {}) => (calls[name] = { args, tolerance: kSums, ...rest });

const kUnit = [
  [8, 'unit'],
  [2, 'small'],
  [0.4, 'special'],
];
const kind = (r) => r.weighed(kUnit);
const one = (r, least, most) => (r.chance(0.03) ? 0 : r.int(least, most));
const steps = (r, most) => (r.chance(0.5) ? r.int(1, most) : [r.int(1, most), r.int(1, most)]);

/** Returns strides and dilations, rarely both. */
function movement(r) {
  if (r.chance(0.03)) return [2, 2];
  return r.chance(0.7) ? [steps(r, 3), r.pick([1, [1, 1]])] : [r.pick([1, [1, 1]]), steps(r, 3)];
}

function pad(r, isFirst = false) {
  const form = r.int(0, 3);
  if (form === 0) return 'same';
  if (form === 1) return 'valid';
  if (form === 2) return r.int(0, 2);
  const [rows, columns] = [
    [r.int(0, 2), r.int(0, 2)],
    [r.int(0, 2), r.int(0, 2)],
  ];
  return isFirst ? [[0, 0], [0, 0], rows, columns] : [[0, 0], rows, columns, [0, 0]];
}

const rounding = (r, pads) => (typeof pads === 'string' ? undefined : r.pick([undefined, 'floor', 'round', 'ceil']));

function images(r, depth, isFirst = false, widest = 7) {
  const [height, width] = [one(r, 1, 7), one(r, 1, widest)];
  const image = isFirst ? [depth, height, width] : [height, width, depth];
  return floats(r, r.chance(0.35) ? image : [one(r, 1, 2), ...image], { kind: kind(r) });
}
const window = (r) => [r.int(1, 3), r.int(1, 3)];

define('conv2d', (r) => {
  const isFirst = r.chance(0.25);
  const depth = one(r, 1, 4);
  const groups = r.chance(0.1) && depth > 1 ? depth : 1;
  const filter = floats(r, [...window(r), depth / groups, groups * one(r, 1, 3)], { kind: kind(r) });
  const pads = pad(r, isFirst);
  const [strides, dilations] = movement(r);
  const optional = [isFirst ? 'NCHW' : 'NHWC', dilations, rounding(r, pads)];
  return [images(r, depth, isFirst), filter, strides, pads, ...(isFirst ? optional : optional.slice(0, r.int(0, 3)))];
});
define('conv1d', (r) => {
  const depth = one(r, 1, 4);
  const width = one(r, 1, 9);
  const x = floats(r, r.chance(0.4) ? [width, depth] : [one(r, 1, 3), width, depth], { kind: kind(r) });
  const filter = floats(r, [r.int(1, 3), depth, one(r, 1, 3)], { kind: kind(r) });
  const pads = r.pick(['same', 'valid', r.int(0, 2)]);
  const [stride, dilation] = r.chance(0.7) ? [r.int(1, 3), 1] : [1, r.int(1, 3)];
  return shortened(r, [x, filter, stride, pads], ['NWC', dilation, rounding(r, pads)]);
});
define('depthwiseConv2d', (r) => {
  const depth = one(r, 1, 4);
  const pads = pad(r);
  const [strides, dilations] = movement(r);
  const filter = floats(r, [...window(r), depth, r.int(1, 2)], { kind: kind(r) });
  // Kernels process rows of many pixels in groups.
  const widest = r.chance(0.3) ? 50 : 7;
  return shortened(r, [images(r, depth, false, widest), filter, strides, pads], ['NHWC', dilations, rounding(r, pads)]);
});
define('separableConv2d', (r) => {
  const depth = r.int(1, 3);
  const multiplier = r.int(1, 2);
  const deep = floats(r, [...window(r), depth, multiplier]);
  const point = floats(r, [1, 1, depth * multiplier, r.int(1, 3)]);
  const [strides, dilations] = movement(r);
  return shortened(r, [images(r, depth), deep, point, strides, r.pick(['same', 'valid'])], [dilations, 'NHWC']);
});
define('conv2dTranspose', (r) => {
  const [height, width, depth, out] = [r.int(1, 5), r.int(1, 5), r.int(1, 3), r.int(1, 3)];
  const [windowH, windowW] = window(r);
  const [strideH, strideW] = [r.int(1, 3), r.int(1, 3)];
  const batch = r.chance(0.3) ? [] : [r.int(1, 2)];
  const isSame = r.chance(0.5);
  const reach = (size, stride, length) =>
    isSame ? size * stride - r.int(0, stride - 1) : (size - 1) * stride + length;
  const outputShape = [...batch, reach(height, strideH, windowH), reach(width, strideW, windowW), out];
  const x = floats(r, [...batch, height, width, depth], { kind: kind(r) });
  const filter = floats(r, [windowH, windowW, out, depth], { kind: kind(r) });
  return [x, filter, outputShape, [strideH, strideW], isSame ? 'same' : 'valid'];
});

const pooled = (name, tolerance) =>
  define(
    name,
    (r) => {
      const pads = pad(r);
      const size = r.chance(0.4) ? r.int(1, 3) : window(r);
      return shortened(r, [images(r, one(r, 1, 3)), size, steps(r, 3), pads], [rounding(r, pads)]);
    },
    { tolerance },
  );
pooled('maxPool', { ulps: 0 });
pooled('avgPool', kSums);
define('pool', (r) => {
  const pads = r.pick(['same', 'valid', r.int(0, 1)]);
  const [strides, dilations] = movement(r);
  const size = r.chance(0.4) ? r.int(1, 3) : window(r);
  return shortened(
    r,
    [images(r, r.int(1, 3)), size, r.pick(['avg', 'max']), pads],
    [dilations, strides, rounding(r, pads)],
  );
});

const resized = (name, tolerance) =>
  define(
    `image.${name}`,
    (r) => {
      const x = r.chance(0.8) ? images(r, r.int(1, 3)) : tensor(r, { shape: images(r, r.int(1, 3)).shape });
      const isAligned = r.chance(0.4);
      return shortened(r, [x, [r.int(1, 9), r.int(1, 9)]], [isAligned, !isAligned && r.chance(0.5)]);
    },
    { tolerance, method: (args) => args },
  );
resized('resizeBilinear', { sums: true, rounds: 8 });
resized('resizeNearestNeighbor', { ulps: 0 });

/** Returns a bias and an activation, which the fused ops take. */
function epilogue(r, channels, ofImage) {
  const activation = r.pick([undefined, 'linear', 'relu', 'relu6', 'elu', 'sigmoid', 'leakyrelu', 'prelu']);
  const result = {};
  if (r.chance(0.6)) result.bias = floats(r, r.chance(0.8) ? [channels] : []);
  if (activation !== undefined) result.activation = activation;
  if (activation === 'leakyrelu' && r.chance(0.7)) result.leakyreluAlpha = r.real(0, 1);
  if (activation === 'prelu')
    result.preluActivationWeights = floats(r, r.pick([[channels], [], ofImage]), { form: 'tensor' });
  return result;
}

const fusedConv = (name, isDeep) =>
  define(
    `fused.${name}`,
    (r) => {
      const depth = r.int(1, 3);
      const isFirst = r.chance(0.2);
      const last = r.int(1, 3);
      const filter = floats(r, [...window(r), depth, last]);
      const channels = isDeep ? depth * last : last;
      const [strides, dilations] = movement(r);
      const pads = pad(r, isFirst);
      const options = { x: images(r, depth, isFirst), filter, strides, pad: pads };
      if (isFirst) options.dataFormat = 'NCHW';
      else if (r.chance(0.5)) options.dataFormat = 'NHWC';
      if (r.chance(0.5)) options.dilations = dilations;
      else options.strides = steps(r, 2);
      const mode = rounding(r, pads);
      if (mode) options.dimRoundingMode = mode;
      return [{ ...options, ...epilogue(r, channels, isFirst ? [channels, 1, 1] : [1, 1, channels]) }];
    },
    { tolerance: { sums: true, absolute: 1e-5, relative: 1e-5 } },
  );
fusedConv('conv2d', false);
fusedConv('depthwiseConv2d', true);

const kMatrices = [
  [8, 'unit'],
  [3, 'small'],
  [1, 'wide'],
  [0.5, 'special'],
];

/** Returns two matrices, or batches of them, with matching inner dimensions. */
export function matrices(r, most = 3) {
  const [rows, inner, columns] = r.list(3, () => one(r, 1, 6));
  const [transposeA, transposeB] = [r.chance(0.25), r.chance(0.25)];
  const batch = r.list(r.chance(0.6) ? 0 : r.int(1, most), () => r.int(1, 3));
  const part = (extents) => (r.chance(0.6) ? extents : extents.map((size) => (r.chance(0.5) ? 1 : size)));
  const type = r.chance(0.85) ? 'float32' : 'int32';
  const of = (extents) => tensor(r, { shape: extents, dtype: type, kind: r.weighed(kMatrices) });
  const a = of([...part(batch), ...(transposeA ? [inner, rows] : [rows, inner])]);
  const b = of([...part(batch), ...(transposeB ? [columns, inner] : [inner, columns])]);
  return { a, b, transposeA, transposeB, columns };
}
define('matMul', (r) => {
  const { a, b, transposeA, transposeB } = matrices(r);
  if (transposeB) return [a, b, transposeA, transposeB];
  return transposeA ? [a, b, transposeA] : shortened(r, [a, b], [transposeA, transposeB]);
});
define(
  'fused.matMul',
  (r) => {
    const { columns, ...operands } = matrices(r, 1);
    if (operands.a.dtype !== 'float32') return [operands];
    return [{ ...operands, ...epilogue(r, columns, [1, columns]) }];
  },
  { tolerance: { sums: true, absolute: 1e-5, relative: 1e-5 } },
);
define('dot', (r) => {
  const inner = one(r, 1, 6);
  const of = (extents) =>
    tensor(r, { shape: extents, dtype: r.chance(0.85) ? 'float32' : 'int32', kind: r.weighed(kMatrices) });
  return [of(r.chance(0.5) ? [inner] : [r.int(1, 4), inner]), of(r.chance(0.5) ? [inner] : [inner, r.int(1, 4)])];
});
define('outerProduct', (r) => {
  const of = () => tensor(r, { shape: [one(r, 1, 6)], dtype: r.chance(0.85) ? 'float32' : 'int32' });
  return [of(), of()];
});

const logits = (r) => {
  const x = tensor(r, { rank: [r.chance(0.97) ? 1 : 0, 5], ...(r.chance(0.8) ? { dtype: 'float32' } : {}) });
  return shortened(r, [x], [r.chance(0.9) ? r.pick([-1, x.rank - 1]) : 0]);
};
define('softmax', logits, { tolerance: { relative: 1e-5, absolute: 1e-7 } });
define('logSoftmax', logits, { tolerance: { relative: 1e-5, absolute: 2e-6, sums: true } });

function normalized(r, rank) {
  const x = floats(
    r,
    r.list(rank, () => r.int(1, 4)),
    { kind: 'unit' },
  );
  const shape = r.weighed([
    [6, [x.shape.at(-1)]],
    [2, x.shape],
    [1, x.shape.map((_, i) => (i === rank - 1 ? x.shape[i] : 1))],
    [1, [1]],
    [1, []],
  ]);
  const parameter = (what = 'unit') => floats(r, shape, { kind: what });
  const optional = [r.pick([parameter(), null, undefined]), r.pick([parameter(), undefined]), r.real(0.001, 0.1)];
  return shortened(r, [x, parameter(), parameter('positive')], optional);
}
define('batchNorm', (r) => normalized(r, r.int(1, 4)), { tolerance: { relative: 1e-5, absolute: 2e-5 } });
for (const rank of [2, 3, 4]) {
  define(`batchNorm${rank}d`, (r) => normalized(r, rank), { tolerance: { relative: 1e-5, absolute: 2e-5 } });
}
