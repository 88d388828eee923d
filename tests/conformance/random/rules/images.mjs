// Convolutions, pools, normalization and resizing.
import { tensorsOf } from '../arguments.mjs';
import { hasListOfOne, isBeyondFloat, padOf, withChannelsLast, withExplicitPads } from '../corrections.mjs';

/** Twice, a difference, a fraction, their product (each of two values) and a sum are rounded. */
const kBlends = 14 * 2 ** -24;

function largest(values) {
  return values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
}

export const images = [
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
    of: /^((fused\.)?conv2d|conv1d)$/,
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
    name: 'pads of three',
    theirs: 'leaves out what follows the first two pads of a dimension',
    ours: 'throws',
    of: /conv|pool/i,
    when: ({ kind, words }) => kind === 'refused' && /Unknown padding parameter/.test(words),
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
    name: 'integers of no window',
    theirs: 'gives 0 for the largest integer under a window that lies in the padding alone',
    ours: 'gives the least int32, as `max` of nothing does',
    of: /^(maxPool|pool)$/,
    when: ({ kind, dtype, x, y }) => kind === 'value' && dtype === 'int32' && x === -2147483648 && y === 0,
  },
  {
    name: 'lists of one step',
    theirs: 'makes images of NaN pixels, or throws, where a stride, dilation or size is a list of one',
    ours: 'takes it for both dimensions',
    of: /conv|pool|resize/i,
    when: ({ kind, call }) => kind !== 'refused' && call.spoiled === 'other' && hasListOfOne(call),
  },
  {
    name: 'integers for pixels',
    theirs: 'refuses integers, and bools, given as values in the place of a filter or an image',
    ours: 'takes them for floats',
    of: /conv|pool/i,
    when: ({ kind, words }) => kind === 'taken' && /must be float32 tensor, but got (int32|bool)/.test(words),
  },
  {
    name: 'biases of several dimensions',
    theirs: 'refuses those in `fused.conv2d` with `NCHW`',
    ours: 'adds what broadcasts',
    of: /^fused/,
    when: ({ kind, words }) => kind === 'taken' && /only supports scalar or 1-D Tensor bias/.test(words),
  },
  {
    name: 'biases of other channels',
    theirs: 'takes any bias that broadcasts in `fused.conv2d`, also where that makes more channels',
    ours: 'throws',
    of: /^fused/,
    when: ({ kind, words }) => kind === 'refused' && /bias shape .* is not compatible/.test(words),
  },
  {
    name: 'transposed convolutions of other batches',
    theirs: 'reads beyond its input where the output shape of `conv2dTranspose` has more images',
    ours: 'throws',
    of: /conv2dTranspose$/,
    when: ({ kind, words }) => kind === 'refused' && /must match batch of input/.test(words),
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
    name: 'resizing with 0 for false',
    theirs: 'takes 0 for true in `halfPixelCenters` where `alignCorners` is true',
    ours: 'takes it for false',
    of: /^image.resize/,
    when: ({ kind, words }) => kind === 'taken' && /If halfPixelCenters is true/.test(words),
  },
  {
    name: 'resizing bools',
    theirs: 'resizes images of bools bilinearly',
    ours: 'throws',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /as dtype, got bool/.test(words),
  },
  {
    name: 'resizing to nothing',
    theirs: 'gives images of no pixels for a new size of 0',
    ours: 'throws',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /new size of 1 or more/.test(words),
  },
  {
    name: 'resizing large numbers',
    theirs: 'blends pixels in float64',
    ours: 'blends them in float32: what is far larger than its neighbour rounds what lies between them',
    of: /resizeBilinear$/,
    when: ({ kind, call, x, y }) => kind === 'value' && Math.abs(x - y) <= kBlends * largest(tensorsOf(call.args)[0].values),
  },
  {
    name: 'resizing integers',
    theirs: 'rounds the integers of an image to float32 in `resizeNearestNeighbor`',
    ours: 'keeps them',
    of: /^image.resizeNearestNeighbor$/,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype === 'int32' && tensorsOf(call.args).some(isBeyondFloat),
    check: ({ call, ours }) => ours.result.values.every((value) => tensorsOf(call.args)[0].values.includes(value)),
  },
];
