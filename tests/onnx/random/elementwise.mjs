// Random nodes of elementwise ops.
import { kElementTypes } from '../../bench/onnx.mjs';
import { isFloat, kAny, kFloats, kIntegers, kNumbers, node, range, tensor } from './values.mjs';

const number = (value) => ({ float: value });

/** Functions of a float: the first version, the range of inputs, and the attributes. */
const kFunctions = {
  Acos: [7, [-1, 1]],
  Acosh: [9, [1, 6]],
  Asin: [7, [-1, 1]],
  Asinh: [9],
  Atan: [7],
  Atanh: [9, [-0.95, 0.95]],
  Ceil: [7, [-20, 20]],
  Celu: [12, undefined, (r) => ({ alpha: r.maybe(number(r.pick([0.5, 2, 1]))) })],
  Cos: [7, [-8, 8]],
  Cosh: [9],
  Elu: [7, undefined, (r) => ({ alpha: r.maybe(number(r.float(-1, 3))) })],
  Erf: [9],
  Exp: [7],
  Floor: [7, [-20, 20]],
  Gelu: [20, undefined, (r) => ({ approximate: r.maybe(r.pick(['tanh', 'none'])) })],
  HardSigmoid: [7, [-6, 6], (r) => ({ alpha: r.maybe(number(r.float(0, 1))), beta: r.maybe(number(r.float(-1, 1))) })],
  HardSwish: [14, [-5, 5]],
  LeakyRelu: [7, undefined, (r) => ({ alpha: r.maybe(number(r.float(-1, 1))) })],
  Log: [7, [0, 9]],
  Mish: [18],
  Reciprocal: [7],
  Round: [11, [-20, 20]],
  Selu: [7, undefined, (r) => ({ alpha: r.maybe(number(r.float(0, 3))), gamma: r.maybe(number(r.float(-1, 3))) })],
  Sigmoid: [7, [-30, 30]],
  Sin: [7, [-8, 8]],
  Sinh: [9],
  Softplus: [7, [-30, 30]],
  Softsign: [7],
  Sqrt: [7, [0, 9]],
  Swish: [24, undefined, (r) => ({ alpha: r.maybe(number(r.float(-1, 2))) })],
  Tan: [7, [-1.4, 1.4]],
  Tanh: [7],
  ThresholdedRelu: [10, undefined, (r) => ({ alpha: r.maybe(number(r.float(-1, 2))) })],
};

const functions = Object.fromEntries(
  Object.entries(kFunctions).map(([op, [since, [low, high] = [-4, 4], attributes = () => ({})]]) => [
    op,
    (r) => {
      const x = r.tensor(r.pick(kFloats), r.dims(), { low, high, isSpecial: r.chance(0.3) });
      return node(op, r.version(since), [r.mayFix(x)], attributes(r));
    },
  ]),
);

/** Returns a function that makes nodes of two inputs of one type that broadcast. */
const binary =
  (op, since, types, more = {}) =>
  (r) => {
    const type = r.pick(types);
    const { right = {}, left = {}, outputType = type, attributes = () => ({}) } = more;
    const options = { isSpecial: r.chance(0.2), isWide: more.isWide?.(r, type) ?? false, isWhole: r.chance(0.2) };
    const [a, b] = r.pair();
    const x = r.tensor(type, a, { ...options, ...left });
    const y = r.tensor(type, b, { ...options, ...right });
    return node(op, r.version(since), [r.mayFix(x), r.mayFix(y)], attributes(r, type), { types: [outputType] });
  };

// Sums and products of int64 stay within int32; others wrap around.
const mayWrap = (r, type) => r.chance(0.3) && type !== 'int64' && type !== 'uint64';
const comparison = (op, since, types) => binary(op, since, types, { outputType: 'bool', isWide: mayWrap });

/** Returns Div or Mod of divisors that no integer overflows with. */
function division(op, attributes = () => ({})) {
  return (r) => {
    const type = r.pick(op === 'Mod' ? [...kIntegers, 'float32'] : kNumbers);
    const [a, b] = r.pair();
    const span = { low: -40, high: 40, isWide: r.chance(0.2) && type !== 'uint32' };
    const x = r.tensor(type, a, span);
    const y = r.tensor(type, b, { low: -9, high: 9, isWide: span.isWide });
    const divisor = isFloat(type)
      ? y
      : tensor(
          type,
          b,
          Array.from(y.values, (value) => (Number(value) === 0 || Number(value) === -1 ? 3 : Number(value))),
        );
    return node(op, r.version(op === 'Mod' ? 10 : 7), [r.mayFix(x), r.mayFix(divisor)], attributes(r, type));
  };
}

function power(r) {
  const type = r.pick(['float32', 'float32', 'float64', 'int32', 'int64']);
  const exponent = r.pick([type, type, 'float32', 'int32', 'int64']);
  const [a, b] = r.pair();
  const isWhole = !isFloat(type) || r.chance(0.3);
  const x = r.tensor(type, a, { low: isWhole ? -5 : 0.1, high: 5, isWhole });
  const y = r.tensor(exponent, b, { low: isFloat(type) && !isWhole ? -3 : 0, high: 4, isWhole });
  return node('Pow', r.version(13), [r.mayFix(x), r.mayFix(y)]);
}

/** Max, Min, Sum and Mean. */
const folded = (op, types) => (r) => {
  const type = r.pick(types);
  const shape = r.dims();
  const isSpecial = r.chance(0.2);
  const isWide = r.chance(0.2) && op !== 'Sum' && type !== 'uint64';
  const inputs = range(r.int(1, 4)).map(() =>
    r.mayFix(r.tensor(type, r.narrowed(shape, 0.2), { isSpecial, isWide, low: -9, high: 9 })),
  );
  return node(op, r.version(8), inputs);
};

function clip(r) {
  const version = r.version(7);
  const type = r.pick(version < 11 ? kFloats : version < 12 ? ['float32'] : kNumbers);
  const x = r.mayFix(r.tensor(type, r.dims(), { low: -9, high: 9 }));
  const [low, high] = r.chance(0.1) ? [2, -2] : [-2, 3];
  if (version < 11) return node('Clip', version, [x], { min: r.maybe(number(low)), max: r.maybe(number(high)) });
  const end = (value) =>
    r.chance(0.7) ? r.mayFix(tensor(type, [], [type.startsWith('u') ? Math.max(0, value + 2) : value]), 0.6) : null;
  return node('Clip', version, [x, end(low), end(high)].slice(0, r.pick([3, 3, 2, 1])));
}

const kCastTypes = [
  'float32',
  'float64',
  'float16',
  'int32',
  'int64',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'uint32',
  'bool',
];
/** Inputs of casts whose results are defined: those of the ranges of both types, or integers that wrap around. */
function castInput(r, from, to) {
  const isToUnsigned = to.startsWith('u');
  if (isFloat(from)) {
    const isSpecial = isFloat(to) && r.chance(0.4);
    return r.tensor(from, r.dims(), { low: isToUnsigned ? 0 : -100, high: 100, isSpecial });
  }
  const isWide = !isFloat(to) && r.chance(0.4) && from !== 'uint32';
  return r.tensor(from, r.dims(), { low: isToUnsigned ? 0 : -100, high: 100, isWide });
}

function cast(r) {
  const [from, to] = [r.pick(kCastTypes), r.pick(kCastTypes)];
  return node('Cast', r.version(9), [r.mayFix(castInput(r, from, to))], { to: kElementTypes[to] }, { types: [to] });
}

function castLike(r) {
  const [from, to] = [r.pick(kCastTypes), r.pick(kCastTypes)];
  const like = r.mayFix(r.tensor(to, r.dims(0, 2)));
  return node('CastLike', r.version(15), [r.mayFix(castInput(r, from, to)), like], {}, { types: [to] });
}

function where(r) {
  const type = r.pick([...kAny, 'string']);
  const shape = r.dims();
  const inputs = [r.tensor('bool', r.narrowed(shape)), r.tensor(type, r.narrowed(shape)), r.tensor(type, shape)];
  const order = r.chance(0.5) ? inputs : [inputs[0], inputs[2], inputs[1]];
  return node(
    'Where',
    r.version(9),
    order.map((one) => (type === 'string' ? one : r.mayFix(one))),
    {},
    { types: [type] },
  );
}

/** Abs, Neg, Sign and Relu. */
const signed = (op, since, types) => (r) => {
  const type = r.pick(types);
  const x = r.tensor(type, r.dims(), { isSpecial: r.chance(0.4), isWide: r.chance(0.2), low: -9, high: 9 });
  return node(op, r.version(since), [r.mayFix(x)]);
};

function shrink(r) {
  const x = r.tensor(r.pick([...kFloats, 'int32', 'int8', 'uint8']), r.dims(), { low: -4, high: 4 });
  const attributes = { bias: r.maybe(number(r.pick([0.5, 1, -1]))), lambd: r.maybe(number(r.pick([0.5, 1, 2]))) };
  return node('Shrink', r.version(9), [r.mayFix(x)], attributes);
}

function shift(r) {
  const type = r.pick(['uint8', 'uint16', 'uint32']);
  const [a, b] = r.pair();
  const x = r.tensor(type, a, { isWide: true });
  const count = r.tensor(type, b, { low: 0, high: 7 });
  return node('BitShift', r.version(11), [r.mayFix(x), r.mayFix(count)], { direction: r.pick(['LEFT', 'RIGHT']) });
}

function infinite(r) {
  const attributes = { detect_negative: r.maybe(r.int(0, 1)), detect_positive: r.maybe(r.int(0, 1)) };
  const x = r.tensor(r.pick(['float32', 'float64']), r.dims(), { isSpecial: true });
  return node('IsInf', r.version(10), [r.mayFix(x)], attributes, { types: ['bool'] });
}

function isNotNumber(r) {
  const x = r.tensor(r.pick(kFloats), r.dims(), { isSpecial: true });
  return node('IsNaN', r.version(9), [r.mayFix(x)], {}, { types: ['bool'] });
}

function slope(r) {
  const type = r.pick([...kFloats, 'int32']);
  const shape = r.dims(1, 4);
  return node('PRelu', r.version(9), [r.tensor(type, shape), r.mayFix(r.tensor(type, r.narrowed(shape, 0.5)))]);
}

const kArithmetic = [...kFloats, 'int32', 'int64', ...kIntegers];
const kSigned = [...kFloats, 'int32', 'int64', 'int8', 'int16'];
const isWideBits = (r, type) => r.chance(0.6) && type !== 'int64' && type !== 'uint64';

export const elementwiseOps = {
  ...functions,
  Abs: signed('Abs', 7, [...kNumbers]),
  Add: binary('Add', 7, kArithmetic, { isWide: mayWrap }),
  And: binary('And', 7, ['bool']),
  BitShift: shift,
  BitwiseAnd: binary('BitwiseAnd', 18, kIntegers, { isWide: isWideBits }),
  BitwiseNot: signed('BitwiseNot', 18, ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32']),
  BitwiseOr: binary('BitwiseOr', 18, kIntegers, { isWide: isWideBits }),
  BitwiseXor: binary('BitwiseXor', 18, kIntegers, { isWide: isWideBits }),
  Cast: cast,
  CastLike: castLike,
  Clip: clip,
  Div: division('Div'),
  Equal: comparison('Equal', 7, [...kAny, 'string']),
  Greater: comparison('Greater', 7, kNumbers),
  GreaterOrEqual: comparison('GreaterOrEqual', 12, kNumbers),
  IsInf: infinite,
  IsNaN: isNotNumber,
  Less: comparison('Less', 7, kNumbers),
  LessOrEqual: comparison('LessOrEqual', 12, kNumbers),
  Max: folded('Max', kNumbers),
  Mean: folded('Mean', kFloats),
  Min: folded('Min', kNumbers),
  Mod: division('Mod', (r, type) => ({ fmod: isFloat(type) ? 1 : r.maybe(r.int(0, 1)) })),
  Mul: binary('Mul', 7, kArithmetic, { isWide: mayWrap }),
  Neg: signed('Neg', 7, kSigned),
  Not: (r) => node('Not', r.version(7), [r.mayFix(r.tensor('bool', r.dims()))]),
  Or: binary('Or', 7, ['bool']),
  PRelu: slope,
  Pow: power,
  Relu: signed('Relu', 14, kSigned),
  Shrink: shrink,
  Sign: signed('Sign', 9, kNumbers),
  Sub: binary('Sub', 7, ['float32', 'float64', 'float16', 'int32', 'int64', 'int8', 'int16', 'uint8', 'uint32'], {
    isWide: mayWrap,
  }),
  Sum: folded('Sum', kFloats),
  Where: where,
  Xor: binary('Xor', 7, ['bool']),
};
