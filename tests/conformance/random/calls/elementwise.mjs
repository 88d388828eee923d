import { broadcastShapes, fitted, number, shape, shortened, tensor } from '../values.mjs';

/** A correctly rounded result of a correctly rounded input may differ in the last bits. */
const kClose = { ulps: 4 };
const kExact = { ulps: 0 };

export const calls = {};

for (const name of [
  'neg',
  'abs',
  'sign',
  'square',
  'relu',
  'relu6',
  'ceil',
  'floor',
  'round',
  'isNaN',
  'isInf',
  'isFinite',
]) {
  calls[name] = { args: (r) => [tensor(r)], tolerance: kExact };
}
for (const name of [
  'reciprocal',
  'sqrt',
  'rsqrt',
  'exp',
  'expm1',
  'log',
  'log1p',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
  'sigmoid',
  'softplus',
  'elu',
  'selu',
  'logSigmoid',
]) {
  calls[name] = { args: (r) => [tensor(r)], tolerance: kClose };
}
// The error of TensorFlow.js's approximations.
for (const name of ['softplus', 'logSigmoid']) calls[name].tolerance = { relative: 7e-7 };
calls.erf = { args: (r) => [tensor(r)], tolerance: { ulps: 4, absolute: 2e-7 } };
calls.logicalNot = { args: (r) => [tensor(r, { dtype: r.chance(0.9) ? 'bool' : 'float32' })], tolerance: kExact };
calls.leakyRelu = { args: (r) => shortened(r, [tensor(r)], [r.real(-1, 2)]), tolerance: kClose };
calls.step = { args: (r) => shortened(r, [tensor(r)], [number(r)]), tolerance: kExact };
calls.clipByValue = {
  args(r) {
    const limits = [number(r), number(r)].sort((a, b) => a - b);
    return [tensor(r), ...(r.chance(0.95) ? limits : limits.reverse())];
  },
  tolerance: kExact,
};

function pair(r, options) {
  const [a, b] = broadcastShapes(r);
  const one = (extents) => tensor(r, { shape: extents, ...options });
  const [x, y] = [one(a), one(b)];
  return r.chance(0.15) ? [x, tensor(r, { shape: [], form: 'number', dtype: 'float32' })] : [x, y];
}

for (const name of ['add', 'sub', 'mul', 'maximum', 'minimum']) {
  calls[name] = { args: (r) => pair(r), tolerance: kExact };
}
for (const name of ['equal', 'notEqual', 'less', 'lessEqual', 'greater', 'greaterEqual']) {
  calls[name] = { args: (r) => pair(r, r.chance(0.5) ? { kind: 'small' } : {}), tolerance: kExact };
}
for (const name of ['squaredDifference', 'div', 'divNoNan', 'pow', 'atan2', 'prelu']) {
  calls[name] = { args: (r) => pair(r), tolerance: kClose };
}
for (const name of ['floorDiv', 'mod']) calls[name] = { args: (r) => pair(r), tolerance: kExact };
for (const name of ['logicalAnd', 'logicalOr', 'logicalXor']) {
  calls[name] = { args: (r) => pair(r, r.chance(0.95) ? { dtype: 'bool' } : {}), tolerance: kExact };
}

calls.where = {
  args(r) {
    const [a, b] = broadcastShapes(r);
    const condition = r.chance(0.5) ? a : b;
    const type = r.chance(0.7) ? { dtype: r.pick(['float32', 'int32', 'bool']) } : {};
    return [
      tensor(r, { shape: condition, dtype: 'bool' }),
      tensor(r, { shape: a, ...type }),
      tensor(r, { shape: b, ...type }),
    ];
  },
  tolerance: kExact,
  // The method belongs to the first value, not to the condition.
  method: ([condition, a, b]) => [a, condition, b],
};

calls.addN = {
  args(r) {
    const extents = fitted(shape(r, 0, 6));
    const dtype = r.pick(['float32', 'int32']);
    return [r.list(r.int(1, 4), () => tensor(r, { shape: extents, dtype }))];
  },
  tolerance: { sums: true },
};
