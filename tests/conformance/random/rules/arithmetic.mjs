// Rules of elementwise arithmetic: dtypes, rounding, ranges.
import { tensorsOf } from '../arguments.mjs';
import { as, isBeyondFloat } from '../corrections.mjs';

/** The largest float32 below 2^31. */
const kLargestBefore = 2 ** 31 - 128;

export const arithmetic = [
  {
    name: 'float functions of integers',
    theirs:
      'Rounds the results of `expm1`, `log1p`, `reciprocal`, `atan`, `softplus`, `selu`, `batchNorm` and other functions of int32 and bool tensors to the dtype of the input. Throws for the Euclidean norm of them and for `erf` of bools. Returns wrong values for `logSumExp` and `logSoftmax` of bools.',
    ours: 'Returns float32 with all digits. Functions that throw for them in TensorFlow.js, such as `sqrt`, `log` and `sin`, throw in Tenure, too.',
    why: 'The results are fractions.',
    of: /^(reciprocal|sqrt|rsqrt|exp|expm1|log|log1p|a?sin|a?cos|a?tan|a?sinh|a?cosh|a?tanh|erf|sigmoid|softplus|elu|selu|leakyRelu|logSigmoid|atan2|prelu|norm|euclideanNorm|logSumExp|softmax|logSoftmax|batchNorm\w*)$/,
    when: ({ kind, words }) =>
      kind === 'dtype' || kind === 'value' || (kind === 'taken' && /must be|Input dtype/.test(words)),
    instead: as('float32', ['int32', 'bool']),
  },
  {
    name: 'rounding integers',
    theirs: 'Returns bool for `round` of bools.',
    ours: 'Returns int32.',
    why: 'In arithmetic, bools count as the integers 0 and 1.',
    of: /^(ceil|floor|round)$/,
    when: ({ kind, words }) => kind === 'dtype' || (kind === 'taken' && /must be/.test(words)),
    check: ({ call, ours }) => ours.result.values.every((value, i) => value === call.args[0].values[i]),
  },
  {
    name: 'arithmetic of bools',
    theirs:
      'Returns bool for `add`, `neg`, `square`, `relu` and other arithmetic of bools; the sum of two trues is a bool with the value 2.',
    ours: 'Returns int32, as both libraries do for `sum` of bools.',
    why: 'A bool holds only 0 and 1.',
    of: /^(neg|abs|sign|square|relu6?|clipByValue|step|add|sub|mul|div|divNoNan|floorDiv|mod|pow|maximum|minimum|squaredDifference|norm|euclideanNorm)$/,
    when: ({ kind }) => kind === 'dtype' || kind === 'value',
    instead: as('int32', ['bool']),
  },
  {
    name: 'int32 wraps',
    theirs:
      'Computes products of int32 in float64, and loses the last digits beyond 2^53. Computes `square` of int32 in float32.',
    ours: 'Wraps around modulo 2^32.',
    why: 'As in NumPy and TensorFlow.',
    of: /^(abs|square|mul|pow|squaredDifference|prod|matMul|dot|outerProduct|fused.matMul|floorDiv|mod|norm)$/,
    when: ({ kind, call, dtype }) =>
      kind === 'value' &&
      dtype === 'int32' &&
      (/prod|pow/.test(call.name) ||
        tensorsOf(call.args).some(({ values }) =>
          values.some((value) => Math.abs(value) > (call.name === 'square' ? 4096 : 30000)),
        )),
  },
  {
    name: 'integers as floats',
    theirs: 'The cpu backend keeps all digits of an int32 that is cast to float32 or combined with a float32.',
    ours: 'Rounds it to float32, which holds all integers up to 2^24.',
    why: 'A float32 has no more digits.',
    of: /./,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype !== 'int32' && tensorsOf(call.args).some(isBeyondFloat),
    instead: as('float32', ['int32']),
  },
  {
    name: 'numbers beside integers',
    theirs: 'Keeps all digits of the number arguments of `pad`, `clipByValue` and `step` if the tensor is int32.',
    ours: 'Rounds the numbers to float32.',
    why: 'Number arguments of ops are float32 in the engine.',
    of: /^(pad|clipByValue|step)/,
    when: ({ kind, dtype, call, x, y }) =>
      kind === 'value' &&
      dtype === 'int32' &&
      call.args.some((one) => typeof one === 'number' && x === Math.trunc(Math.fround(one)) && y === Math.trunc(one)),
  },
  {
    name: 'floats beyond int32',
    theirs: 'Wraps floats outside the range of int32 around in `cast`, `pad` and norms of integers.',
    ours: 'Returns the nearest end of the range.',
    why: 'The sign and the order of the values are kept.',
    of: /^(cast|variable|pad\w*|\.toInt|\.asType|norm|euclideanNorm)$/,
    when: ({ kind, x, dtype }) => kind === 'value' && dtype === 'int32' && (x >= kLargestBefore || x === -2147483648),
  },
  {
    name: 'NaN between equal bounds',
    theirs: '`clipByValue` returns the bound for NaN if both bounds are equal.',
    ours: 'Returns NaN.',
    why: 'With other bounds, both libraries return NaN.',
    of: /^clipByValue$/,
    when: ({ kind, call, x }) => kind === 'value' && Number.isNaN(x) && call.args[1] === call.args[2],
  },
  {
    name: 'floorDiv of floats',
    theirs: '`floorDiv` of floats returns int32 on the cpu backend.',
    ours: 'Returns float32.',
    why: 'As in TensorFlow.',
    of: /^floorDiv$/,
    when: ({ kind, ours, theirs }) =>
      kind === 'dtype' && ours.result.dtype === 'float32' && theirs.result.dtype === 'int32',
    check: ({ ours, theirs }) =>
      ours.result.values.every(
        (value, i) =>
          !(Math.abs(value) < 2 ** 24) ||
          Math.abs(value - theirs.result.values[i]) <= Math.max(1, Math.abs(value) * 2 ** -22),
      ),
  },
  {
    name: 'mod of nearly nothing',
    theirs:
      '`mod` returns 0 if adding the divisor to the remainder rounds to the divisor, and NaN if the divisor is infinite.',
    ours: 'Returns the divisor.',
    why: 'As in Python.',
    of: /^mod$/,
    when: ({ kind, call, x, y }) =>
      kind === 'value' && (y === 0 || Number.isNaN(y)) && tensorsOf(call.args).some(({ values }) => values.includes(x)),
  },
  {
    name: 'small values',
    theirs: 'Loses digits of `elu` and `selu` near 0.',
    ours: 'Keeps them.',
    why: 'The engine uses `expm1`.',
    of: /^(elu|selu|softplus|logSigmoid)$/,
    when: ({ kind, x, y }) => kind === 'value' && Math.abs(x - y) < 4e-16,
  },
  {
    name: 'true as 1',
    theirs: '`fill`, `pad` and `oneHot` store any byte in a bool tensor: 7 stays 7, and 0.4 becomes 0.',
    ours: 'Stores 0 or 1; every value other than 0 is true.',
    why: 'As in `cast` to bool.',
    of: /^(fill|pad\w*|oneHot|rand|buffer)$/,
    when: ({ kind, dtype, x }) => kind === 'value' && dtype === 'bool' && (x === 0 || x === 1),
  },
];
