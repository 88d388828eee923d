// What elements come to: types, rounding, ranges.
import { tensorsOf } from '../arguments.mjs';
import { as, isBeyondFloat } from '../corrections.mjs';

/** The float32 before 2^31. */
const kLargestBefore = 2 ** 31 - 128;

export const arithmetic = [
  {
    name: 'float functions of integers',
    theirs: 'refuses `sqrt`, `exp`, `sin`, norms and other functions of integers and bools, or rounds what they give',
    ours: 'gives float32',
    of: /^(reciprocal|sqrt|rsqrt|exp|expm1|log|log1p|a?sin|a?cos|a?tan|a?sinh|a?cosh|a?tanh|erf|sigmoid|softplus|elu|selu|leakyRelu|logSigmoid|atan2|prelu|norm|euclideanNorm|logSumExp|softmax|logSoftmax|batchNorm\w*)$/,
    when: ({ kind, words }) => kind === 'dtype' || kind === 'value' || (kind === 'taken' && /must be|Input dtype/.test(words)),
    instead: as('float32', ['int32', 'bool']),
  },
  {
    name: 'rounding integers',
    theirs: 'refuses `ceil` and `floor` of integers',
    ours: 'gives the integers',
    of: /^(ceil|floor|round)$/,
    when: ({ kind, words }) => kind === 'dtype' || (kind === 'taken' && /must be/.test(words)),
    check: ({ call, ours }) => ours.result.values.every((value, i) => value === call.args[0].values[i]),
  },
  {
    name: 'arithmetic of bools',
    theirs: 'gives bool for `neg`, `square`, `relu` and other arithmetic of bools',
    ours: 'gives int32, as for a sum of bools',
    of: /^(neg|abs|sign|square|relu6?|clipByValue|step|add|sub|mul|div|divNoNan|floorDiv|mod|pow|maximum|minimum|squaredDifference|norm|euclideanNorm)$/,
    when: ({ kind }) => kind === 'dtype' || kind === 'value',
    instead: as('int32', ['bool']),
  },
  {
    name: 'int32 wraps',
    theirs: 'computes products of int32 in float64, and loses their last digits beyond 2^53; squares in float32',
    ours: 'wraps around, as int32 does everywhere',
    of: /^(abs|square|mul|pow|squaredDifference|prod|matMul|dot|outerProduct|fused.matMul|floorDiv|mod|norm)$/,
    when: ({ kind, call, dtype }) =>
      kind === 'value' &&
      dtype === 'int32' &&
      (/prod|pow/.test(call.name) || tensorsOf(call.args).some(({ values }) => values.some((value) => Math.abs(value) > (call.name === 'square' ? 4096 : 30000)))),
  },
  {
    name: 'integers as floats',
    theirs: 'keeps all digits of an int32 that is cast to float32, or meets one, on its cpu backend',
    ours: 'rounds it to float32, which holds integers up to 2^24',
    of: /./,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype !== 'int32' && tensorsOf(call.args).some(isBeyondFloat),
    instead: as('float32', ['int32']),
  },
  {
    name: 'numbers beside integers',
    theirs: 'keeps all digits of the numbers given to `pad`, `clipByValue` and `step` of integers',
    ours: 'rounds them to float32',
    of: /^(pad|clipByValue|step)/,
    when: ({ kind, dtype, call, x, y }) =>
      kind === 'value' &&
      dtype === 'int32' &&
      call.args.some((one) => typeof one === 'number' && x === Math.trunc(Math.fround(one)) && y === Math.trunc(one)),
  },
  {
    name: 'floats beyond int32',
    theirs: 'wraps floats beyond the range of int32 around in `cast`, `pad` and norms of integers',
    ours: 'gives the end of the range',
    of: /^(cast|variable|pad\w*|\.toInt|\.asType|norm|euclideanNorm)$/,
    when: ({ kind, x, dtype }) => kind === 'value' && dtype === 'int32' && (x >= kLargestBefore || x === -2147483648),
  },
  {
    name: 'NaN between equal bounds',
    theirs: 'gives the bound for NaN in `clipByValue` where both bounds are the same',
    ours: 'keeps NaN',
    of: /^clipByValue$/,
    when: ({ kind, call, x }) => kind === 'value' && Number.isNaN(x) && call.args[1] === call.args[2],
  },
  {
    name: 'floorDiv of floats',
    theirs: 'gives int32 for `floorDiv` of floats on its cpu backend',
    ours: 'gives float32, as TensorFlow does',
    of: /^floorDiv$/,
    when: ({ kind, ours, theirs }) => kind === 'dtype' && ours.result.dtype === 'float32' && theirs.result.dtype === 'int32',
    check: ({ ours, theirs }) => ours.result.values.every((value, i) => !(Math.abs(value) < 2 ** 24) || Math.abs(value - theirs.result.values[i]) <= Math.max(1, Math.abs(value) * 2 ** -22)),
  },
  {
    name: 'mod of nearly nothing',
    theirs: 'gives 0 for `mod` where the rest rounds to the divisor, and NaN where that is infinite',
    ours: 'gives the divisor',
    of: /^mod$/,
    when: ({ kind, call, x, y }) =>
      kind === 'value' && (y === 0 || Number.isNaN(y)) && tensorsOf(call.args).some(({ values }) => values.includes(x)),
  },
  {
    name: 'small values',
    theirs: 'loses the digits of `elu` and `selu` near 0',
    ours: 'keeps them',
    of: /^(elu|selu|softplus|logSigmoid)$/,
    when: ({ kind, x, y }) => kind === 'value' && Math.abs(x - y) < 4e-16,
  },
  {
    name: 'true as 1',
    theirs: 'keeps any byte in a bool tensor that `fill`, `pad` or `oneHot` makes',
    ours: 'keeps 0 or 1: whatever does not round to 0 is true',
    of: /^(fill|pad\w*|oneHot|rand|buffer)$/,
    when: ({ kind, dtype, x }) => kind === 'value' && dtype === 'bool' && (x === 0 || x === 1),
  },
];
