// Where Tenure is not to do as TensorFlow.js does: each row is one of the README's table, and, where calls can meet it,
// the rule that lets them differ. `of` are the names of calls; `when(found)` says whether a difference is of that kind;
// `instead(call)` is a call of TensorFlow.js whose outcome Tenure's must then be.
import { arrayOf, mapTensors } from './arguments.mjs';
import { flow, limits, repairs } from './models/repairs.mjs';

const as = (type, from) => (call) => ({
  args: mapTensors(call.args, (one) => {
    const changed = from.includes(typeOf(one)) ? one.with({ dtype: type, values: arrayOf(type, one.values), form: 'tensor' }) : one;
    return changed;
  }),
});

/** The type that values have for a library; without one of their own, numbers are float32. */
function typeOf({ dtype, form }) {
  if (form === 'typed' || form === 'rows') return dtype === 'float32' ? 'float32' : 'int32';
  if ((form === 'nested' || form === 'number') && dtype === 'int32') return 'float32';
  return dtype;
}

const asFloat = as('float32', ['int32', 'bool']);
const asInt = as('int32', ['bool']);

const kFloatFunctions =
  /^(reciprocal|sqrt|rsqrt|exp|expm1|log|log1p|a?sin|a?cos|a?tan|a?sinh|a?cosh|a?tanh|erf|sigmoid|softplus|elu|selu|leakyRelu|logSigmoid|atan2|prelu|norm|euclideanNorm|logSumExp|softmax|logSoftmax)$/;

export const differences = [
  {
    name: 'float functions of integers',
    theirs: 'refuses `sqrt`, `exp`, `sin` and other functions of integers, or rounds what they give',
    ours: 'gives float32',
    of: kFloatFunctions,
    when: ({ kind, words }) => kind === 'dtype' || kind === 'value' || (kind === 'taken' && /must be|Input dtype/.test(words)),
    instead: asFloat,
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
    of: /^(neg|abs|sign|square|relu6?|clipByValue|step|add|sub|mul|div|divNoNan|floorDiv|mod|pow|maximum|minimum|squaredDifference)$/,
    when: ({ kind }) => kind === 'dtype' || kind === 'value',
    instead: asInt,
  },
  {
    name: 'floorDiv of floats',
    theirs: 'gives int32 for `floorDiv` of floats on its cpu backend',
    ours: 'gives float32, as TensorFlow does',
    of: /^floorDiv$/,
    when: ({ kind, ours, theirs }) => kind === 'dtype' && ours.result.dtype === 'float32' && theirs.result.dtype === 'int32',
    check: ({ ours, theirs }) => ours.result.values.every((value, i) => !(Math.abs(value) < 2 ** 31) || Math.abs(value - theirs.result.values[i]) <= 1),
  },
  {
    name: 'concat of types',
    theirs: 'joins tensors of different types in `concat`, and keeps the first type for the values of all',
    ours: 'throws',
    of: /^concat/,
    when: ({ kind, words }) => kind === 'refused' && /one dtype/.test(words),
  },
  {
    name: 'batches of eye',
    theirs: 'takes only one to three dimensions as the `batchShape` of `eye`',
    ours: 'takes any',
    of: /^eye$/,
    when: ({ kind }) => kind === 'taken',
  },
  {
    name: 'numbers of pads in conv1d',
    theirs: 'throws for a number as `pad` of `conv1d`',
    ours: 'pads the width',
    of: /^conv1d$/,
    when: ({ kind, words, call }) => kind === 'taken' && /Size|shape/.test(words) && typeof call.args[3] === 'number',
  },
  {
    name: 'scalar buffers',
    theirs: 'cannot set the value of a buffer of rank 0',
    ours: 'can',
    of: /^buffer$/,
    when: ({ kind, words }) => kind === 'taken' && /provided coordinates \(1\) must match the rank \(0\)/.test(words),
  },
  {
    name: 'isPromise',
    theirs: 'gives undefined for `isPromise` of what is none',
    ours: 'gives false',
    of: /^util.isPromise$/,
    when: ({ ours, theirs }) => ours.result === false && !theirs.result,
  },
  // Of models.
  flow,
  ...repairs,
  ...limits,
];

/** The rows whose rule may allow a difference. */
export function candidates(found) {
  return differences.filter(({ of, when }) => of?.test(found.call.name) && when(found));
}
