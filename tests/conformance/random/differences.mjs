// Where Tenure is not to do as TensorFlow.js does: each row is one of docs/differences.md, and, where calls can meet it,
// the rule that lets them differ. `of` are the names of calls; `when(found)` says whether a difference is of that kind;
// `instead(call)` is a call of TensorFlow.js whose outcome Tenure's must then be, and `check(found)` what must hold of
// the outcomes.
import { tensorsOf } from './arguments.mjs';
import { as, firstOf, hasListOfOne, isBeyondFloat, namesTwice, kOfNothing, padOf, withChannelsLast, withExplicitPads, withWholeBatches } from './corrections.mjs';
import { flow, limits, repairs } from './models/repairs.mjs';

export const differences = [
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
    theirs: 'computes products of int32 in float64, and loses their last digits beyond 2^53',
    ours: 'wraps around, as int32 does everywhere',
    of: /^(abs|square|mul|pow|squaredDifference|prod|matMul|dot|outerProduct|fused.matMul|floorDiv|mod|norm)$/,
    when: ({ kind, call, dtype }) =>
      kind === 'value' &&
      dtype === 'int32' &&
      (/prod|pow/.test(call.name) || tensorsOf(call.args).some(({ values }) => values.some((value) => Math.abs(value) > 30000))),
  },
  {
    name: 'integers as floats',
    theirs: 'keeps all digits of an int32 that is cast to float32, or meets one, on its cpu backend',
    ours: 'rounds it to float32, which holds integers up to 2^24',
    of: /./,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype === 'float32' && tensorsOf(call.args).some(isBeyondFloat),
    instead: as('float32', ['int32']),
  },
  {
    name: 'floats beyond int32',
    theirs: 'wraps floats beyond the range of int32 around in `cast`',
    ours: 'gives the end of the range',
    of: /^(cast|variable|\.toInt|\.asType)$/,
    when: ({ kind, x, dtype }) => kind === 'value' && dtype === 'int32' && (x === 2147483647 || x === -2147483648),
  },
  {
    name: 'floorDiv of floats',
    theirs: 'gives int32 for `floorDiv` of floats on its cpu backend',
    ours: 'gives float32, as TensorFlow does',
    of: /^floorDiv$/,
    when: ({ kind, ours, theirs }) => kind === 'dtype' && ours.result.dtype === 'float32' && theirs.result.dtype === 'int32',
    check: ({ ours, theirs }) => ours.result.values.every((value, i) => !(Math.abs(value) < 2 ** 24) || Math.abs(value - theirs.result.values[i]) <= 1),
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
  {
    name: 'reductions of nothing',
    theirs: 'gives NaN for `max` and `min` of no elements, and 0 for `mean` and `all`',
    ours: 'gives what leaves others as they are (-Infinity, Infinity, true), and NaN for `mean`',
    of: /^(max|min|mean|all|any|logSumExp|moments|norm)$/,
    when: ({ kind, call }) => kind === 'value' && (call.args[0].size ?? call.args[0].length) === 0,
    check: ({ call, ours }) => firstOf(ours.result).every((value) => kOfNothing[call.name].includes(Number(value)) || Number.isNaN(value)),
  },
  {
    name: 'other norms',
    theirs: 'computes the norms 1, 2, Euclidean and infinite only',
    ours: 'computes any of vectors',
    of: /^norm$/,
    when: ({ kind, words }) => kind === 'taken' && /invalid ord value/.test(words),
  },
  {
    name: 'norms over two axes',
    theirs: 'takes the second of two axes of a `norm` for one of what is left without the first',
    ours: 'takes both as they are given',
    of: /^norm$/,
    when: ({ kind, call }) => kind !== 'refused' && [1, Infinity, -Infinity].includes(call.args[1]) && call.args[2]?.length === 2,
  },
  {
    name: 'products of bools',
    theirs: 'multiplies matrices, and convolves images, of bools',
    ours: 'throws',
    of: /^((fused\.)?matMul|dot|outerProduct|conv2dTranspose)$/,
    when: ({ kind, words }) => kind === 'refused' && /but got bool/.test(words),
  },
  {
    name: 'concat of types',
    theirs: 'joins tensors of different types in `concat`, and keeps the first type for the values of all',
    ours: 'throws',
    of: /^concat/,
    when: ({ kind, words }) => kind === 'refused' && /one dtype/.test(words),
  },
  {
    name: 'batches of matMul',
    theirs: 'broadcasts the batches of `matMul` wrongly where both have several',
    ours: 'broadcasts them as NumPy does',
    of: /^(fused\.)?matMul$/,
    when: ({ kind }) => kind === 'value' || kind === 'form' || kind === 'taken',
    instead: withWholeBatches,
  },
  {
    name: 'batchNorm along other axes',
    theirs: 'repeats the parameters of `batchNorm` whatever their shape, over the last axes',
    ours: 'broadcasts them to `x`, and throws where they do not fit',
    of: /^batchNorm/,
    when: ({ kind, words }) => (kind === 'refused' && /broadcast/.test(words)) || kind === 'value',
  },
  {
    name: 'pads of non-square windows',
    theirs: 'takes the height of windows and strides for their width, too, where `pad` is a number',
    ours: 'takes the width',
    of: /^(fused\.)?(conv2d|depthwiseConv2d|separableConv2d|maxPool|avgPool|pool|conv1d|conv2dTranspose)$/,
    when: ({ kind, call }) => /shape|value|taken/.test(kind) && typeof (call.args[0].pad ?? call.args[padOf(call)]) === 'number',
    instead: withExplicitPads,
  },
  {
    name: 'windows beyond the image',
    theirs: 'makes images of no or less than no pixels where a window is larger than its image',
    ours: 'throws',
    of: /conv|pool/i,
    when: ({ kind, words }) => kind === 'refused' && /a window of size|a window must|pads must not be negative|(strides|dilations) must be|needs an input of shape/.test(words),
  },
  {
    name: 'channels first in depthwise convolutions',
    theirs: 'takes channels for columns in `depthwiseConv2d` with `NCHW`, or refuses it, on its cpu backend',
    ours: 'computes it',
    of: /^(fused\.)?(conv2d|depthwiseConv2d)$/,
    when: ({ call }) => (call.args[0].dataFormat ?? call.args[4]) === 'NCHW',
    instead: withChannelsLast,
  },
  {
    name: 'convolutions in groups',
    theirs: 'refuses filters that take a part of the channels only',
    ours: 'convolves in groups',
    of: /^(fused\.)?conv2d$/,
    when: ({ kind, words }) => kind === 'taken' && /depth of input/.test(words),
  },
  {
    name: 'padding under infinite filters',
    theirs: 'leaves the padding out of a convolution',
    ours: 'multiplies it as zeros: the result is NaN where the filter is infinite or NaN there',
    of: /conv/i,
    when: ({ kind, call, x }) =>
      kind === 'value' && (Number.isNaN(x) || call.args[0].activation) && tensorsOf(call.args).some(({ values }) => values.some((value) => !(Math.abs(value) < 1e30))),
  },
  {
    name: 'padding in a dilated pool',
    theirs: 'counts the padding in a dilated pool',
    ours: 'leaves it out',
    of: /^pool$/,
    when: ({ kind, call }) =>
      kind !== 'refused' && call.args[3] !== 'valid' && [call.args[4]].flat().some((one) => one > 1),
  },
  {
    name: 'windows outside the image',
    theirs: 'reads the next image, or nothing, where rounding lets a window of a pool begin behind the end',
    ours: 'pools nothing: NaN, or -Infinity',
    of: /^(maxPool|avgPool|pool)$/,
    when: ({ kind, x }) => kind === 'value' && (Number.isNaN(x) || x === -Infinity),
    check: ({ call }) => call.args.includes('ceil') || call.args.includes('round'),
  },
  {
    name: 'pools of single pixels',
    theirs: 'leaves an image as it is where windows of one pixel give as many as it has, whatever strides and pads say',
    ours: 'pools',
    of: /^(maxPool|avgPool|pool)$/,
    when: ({ kind, call }) => kind === 'value' && [call.args[1]].flat().every((one) => one === 1),
  },
  {
    name: 'lists of one step',
    theirs: 'makes images of NaN pixels, or throws, where a stride, dilation or size is a list of one',
    ours: 'takes it for both dimensions',
    of: /conv|pool|resize/i,
    when: ({ kind, call }) => kind !== 'refused' && call.spoiled === 'other' && hasListOfOne(call),
  },
  {
    name: 'slopes of other shapes',
    theirs: 'refuses some `preluActivationWeights` that broadcast to the result',
    ours: 'takes them',
    of: /^fused/,
    when: ({ kind, call }) => kind === 'taken' && call.args[0].activation === 'prelu',
  },
  {
    name: 'slopes in float32',
    theirs: 'takes the `alpha` of `step` in float64',
    ours: 'takes it as float32, and within the range of int32 where the tensor is one',
    of: /^step$/,
    when: ({ kind, call }) => (kind === 'value' || kind === 'dtype') && Math.abs(call.args[1]) > 2 ** 20,
  },
  {
    name: 'rounding in pool',
    theirs: 'refuses the rounding of numbers as `pad` in `pool`, having made them `valid`',
    ours: 'rounds',
    of: /^pool$/,
    when: ({ kind, words }) => kind === 'taken' && /dimRoundingMode/.test(words),
  },
  {
    name: 'leakyrelu without a slope',
    theirs: 'gives NaN for the fused activation `leakyrelu` without `leakyreluAlpha`',
    ours: 'takes 0.2, as `leakyRelu()` does',
    of: /^fused/,
    when: ({ kind, call, y }) => kind === 'value' && call.args[0].activation === 'leakyrelu' && Number.isNaN(y),
  },
  {
    name: 'resizing nothing',
    theirs: 'makes images of no pixels larger, out of nothing',
    ours: 'throws',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /without pixels/.test(words),
  },
  {
    name: 'resizing bools',
    theirs: 'resizes images of bools bilinearly',
    ours: 'throws',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /as dtype, got bool/.test(words),
  },
  {
    name: 'slices of nothing',
    theirs: 'throws for a `stridedSlice` that begins behind its end',
    ours: 'gives no elements, as TensorFlow does',
    of: /^stridedSlice$/,
    when: ({ kind }) => kind === 'taken',
    check: ({ ours }) => ours.result.values.length === 0,
  },
  {
    name: 'places outside',
    theirs: 'takes lists of different lengths in `stridedSlice`, and places outside of a tensor of no elements in `slice`',
    ours: 'throws',
    of: /^(stridedSlice|slice)/,
    when: ({ kind, words }) => kind === 'refused' && /of one length|negative begin|would overflow/.test(words),
  },
  {
    name: 'slices to the end',
    theirs: 'throws for undefined as the size of `slice1d`',
    ours: 'goes to the end',
    of: /^slice1d$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[2] === undefined,
  },
  {
    name: 'single elements of a step',
    theirs: 'throws where `stridedSlice` shrinks a dimension that has a step',
    ours: 'takes the first element',
    of: /^stridedSlice$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[8] > 0,
  },
  {
    name: 'axes named twice',
    theirs: 'throws for an axis that a reduction names twice, or reduces another, and reverses it twice',
    ours: 'takes it once; throws for a norm of matrices',
    of: /^(sum|prod|mean|max|min|any|all|logSumExp|moments|norm|euclideanNorm|reverse\w*)$/,
    when: ({ kind, words, call }) => (kind !== 'refused' || /invalid axis/.test(words)) && namesTwice(call),
  },
  {
    name: 'where of nothing',
    theirs: 'does not broadcast to no elements in `where`',
    ours: 'does',
    of: /^where$/,
    when: ({ kind, ours }) => kind === 'shape' && ours.result.values.length === 0,
  },
  {
    name: 'broadcasting to nothing',
    theirs: 'leaves a single element as it is in `broadcastTo` of no elements',
    ours: 'gives none',
    of: /broadcastTo$/,
    when: ({ kind, ours }) => kind === 'shape' && ours.result.values.length === 0,
  },
  {
    name: 'mirroring nothing',
    theirs: 'refuses to pad a dimension of no elements by none in `mirrorPad`',
    ours: 'leaves it',
    of: /^mirrorPad$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[0].size === 0,
  },
  {
    name: 'pads of other dimensions',
    theirs: 'pads with lists of other lengths than there are dimensions, or by less than nothing, to something',
    ours: 'throws',
    of: /^(pad|mirrorPad)/,
    when: ({ kind, words }) => kind === 'refused' && /paddings/.test(words),
  },
  {
    name: 'first part of a split',
    theirs: 'refuses -1 as the first size of `split`',
    ours: 'takes it anywhere',
    of: /^split$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[1][0] === -1,
  },
  {
    name: 'batches of eye',
    theirs: 'takes only one to three dimensions as the `batchShape` of `eye`',
    ours: 'takes any',
    of: /^eye$/,
    when: ({ kind }) => kind === 'taken',
  },
  {
    name: 'scalar buffers',
    theirs: 'cannot set the value of a buffer of rank 0',
    ours: 'can',
    of: /^buffer$/,
    when: ({ kind, words }) => kind === 'taken' && /provided coordinates \(1\) must match the rank \(0\)/.test(words),
  },
  {
    name: 'shapes of one number',
    theirs: 'refuses a number as the shape of `zeros` and `ones`',
    ours: 'takes it for one dimension',
    of: /^(zeros|ones)$/,
    when: ({ kind, call }) => kind === 'taken' && typeof call.args[0] === 'number',
  },
  {
    name: 'parts of steps',
    theirs: 'adds up a `range` of int32 in int32, and loses parts of its steps',
    ours: 'rounds each value',
    of: /^range$/,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype === 'int32' && !call.args.slice(0, 3).every(Number.isInteger),
  },
  {
    name: 'tensors left behind',
    theirs: 'leaves tensors behind in `meshgrid`, `setdiff1dAsync`, and `variable` with a type of its own',
    ours: 'leaves none',
    of: /^(variable|meshgrid|\w+Async)$/,
    when: ({ kind }) => kind === 'left',
  },
  {
    name: 'variables of values',
    theirs: 'fails with a TypeError for a `variable` of numbers',
    ours: 'makes a tensor of them',
    of: /^variable$/,
    when: ({ kind }) => kind === 'taken',
  },
  {
    name: 'types of meshgrid',
    theirs: 'gives float32 for `meshgrid` of other types',
    ours: 'keeps the type of each',
    of: /^meshgrid$/,
    when: ({ kind }) => kind === 'dtype',
  },
  {
    name: 'spaces to nowhere',
    theirs: 'gives the start of a `linspace` whose end is NaN',
    ours: 'gives NaN',
    of: /^linspace$/,
    when: ({ kind, call }) => kind === 'value' && call.args.some((one) => !Number.isFinite(one)),
  },
  {
    name: 'ragged arrays',
    theirs: 'takes nested arrays of different lengths as the argument of an op, and something for the values',
    ours: 'throws, naming the element',
    of: /./,
    when: ({ kind, words }) => kind === 'refused' && /Element arr\[/.test(words),
  },
  {
    name: 'arguments that mean nothing',
    theirs: 'computes something with NaN, fractions, words or null where an integer or a choice is due',
    ours: 'throws, naming the argument',
    of: /./,
    when: ({ kind, call, ours }) => kind === 'refused' && call.spoiled === 'nonsense' && !(ours.error instanceof TypeError),
  },
  {
    name: 'what is left out',
    theirs: 'fails with a TypeError where a stride or the like is undefined or null',
    ours: 'takes the default',
    of: /./,
    when: ({ kind, call }) => kind === 'taken' && call.spoiled === 'nonsense' && call.args.some((one) => one === undefined || one === null),
  },
  {
    name: 'isPromise',
    theirs: 'gives undefined for `util.isPromise` of what is none',
    ours: 'gives false',
    of: /^util.isPromise$/,
    when: ({ ours, theirs }) => ours.result === false && !theirs.result,
  },
  // Of models.
  flow,
  ...repairs,
  ...limits,
];

/** docs/differences.md. */
export function table() {
  const rows = differences.map(({ theirs, ours }) => `| ${theirs} | ${ours} |`);
  return `# Where results differ from TensorFlow.js

Generated from tests/conformance/random/differences.mjs, whose rules are all that random calls on both libraries may
differ by: \`node tests/conformance/random/run.mjs --table\`. What differs about ownership is in the README.

| where TensorFlow.js | Tenure |
| --- | --- |
${rows.join('\n')}
`;
}

/** The rows whose rule may allow a difference. */
export function candidates(found) {
  return differences.filter(({ of, when }) => of?.test(found.call.name) && when(found));
}
