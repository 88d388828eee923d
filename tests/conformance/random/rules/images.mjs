// Rules of convolutions, pooling, normalization and resizing.
import { tensorsOf } from '../arguments.mjs';
import { hasListOfOne, isBeyondFloat, padOf, withChannelsLast, withExplicitPads } from '../corrections.mjs';

/** Rounded twice each: a difference, a fraction, their product (each of two values) and a sum. */
const kBlends = 14 * 2 ** -24;

function largest(values) {
  return values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
}

export const images = [
  {
    name: 'batchNorm along other axes',
    theirs: '`batchNorm` repeats its parameters over the last dimensions, whatever their shape.',
    ours: 'Broadcasts them to `x`, and throws if they do not fit.',
    why: 'A wrong shape is an error.',
    of: /^batchNorm/,
    when: ({ kind, words }) => (kind === 'refused' && /broadcast/.test(words)) || kind === 'value',
  },
  {
    name: 'pads of non-square windows',
    theirs: 'If `pad` is a number, convolutions and pools use the height of windows and strides for the width, too.',
    ours: 'Uses the width for the width.',
    why: 'Otherwise the output has the wrong width.',
    of: /^(fused\.)?(conv2d|depthwiseConv2d|separableConv2d|maxPool|avgPool|pool|conv1d|conv2dTranspose)$/,
    when: ({ kind, call }) =>
      /shape|value|taken/.test(kind) && typeof (call.args[0].pad ?? call.args[padOf(call)]) === 'number',
    instead: withExplicitPads,
  },
  {
    name: 'windows beyond the image',
    theirs: 'Returns an image of negative size if a window does not fit its image.',
    ours: 'Throws.',
    why: 'A shape has no negative sizes.',
    of: /conv|pool/i,
    when: ({ kind, words }) =>
      kind === 'refused' &&
      /a window of size|a window must|pads must not be negative|(strides|dilations) must be|needs an input of shape/.test(
        words,
      ),
  },
  {
    name: 'channels first in depthwise convolutions',
    theirs: '`depthwiseConv2d` with `NCHW` treats channels as columns, or throws, on the cpu backend.',
    ours: 'Computes it.',
    why: "Layers with `dataFormat: 'channelsFirst'` need it.",
    of: /^(fused\.)?(conv2d|depthwiseConv2d)$/,
    when: ({ call }) => (call.args[0].dataFormat ?? call.args[4]) === 'NCHW',
    instead: withChannelsLast,
  },
  {
    name: 'convolutions in groups',
    theirs: '`conv2d` throws if the filter has fewer input channels than the image.',
    ours: 'Computes a grouped convolution.',
    why: 'As in TensorFlow.',
    of: /^((fused\.)?conv2d|conv1d)$/,
    when: ({ kind, words }) => kind === 'taken' && /depth of input/.test(words),
  },
  {
    name: 'padding under infinite filters',
    theirs: 'Convolutions skip the padding.',
    ours: 'Multiplies it as zeros: the result is NaN where the filter is infinite or NaN over the padding.',
    why: '0 times Infinity is NaN.',
    of: /conv/i,
    when: ({ kind, call, x }) =>
      kind === 'value' &&
      (Number.isNaN(x) || call.args[0].activation) &&
      tensorsOf(call.args).some(({ values }) => values.some((value) => !(Math.abs(value) < 1e30))),
  },
  {
    name: 'padding in a dilated pool',
    theirs:
      '`pool` with dilations counts the padding as zeros: averages are too small, and maxima of negative values are 0.',
    ours: 'Ignores the padding.',
    why: 'As in a pool without dilations.',
    of: /^pool$/,
    when: ({ kind, call }) =>
      kind !== 'refused' && call.args[3] !== 'valid' && [call.args[4]].flat().some((one) => one > 1),
  },
  {
    name: 'pads of three',
    theirs: 'Ignores numbers after the first two pads of a dimension.',
    ours: 'Throws.',
    why: 'A dimension has two pads.',
    of: /conv|pool/i,
    when: ({ kind, words }) => kind === 'refused' && /Unknown padding parameter/.test(words),
  },
  {
    name: 'windows outside the image',
    theirs: 'A pool with rounding may return 0, or a value of the next image, for a window that starts beyond the end.',
    ours: 'Pools no pixels: NaN for an average, -Infinity for a maximum.',
    why: 'As in `mean` and `max` of no elements.',
    of: /^(maxPool|avgPool|pool)$/,
    when: ({ kind, x }) => kind === 'value' && (Number.isNaN(x) || x === -Infinity),
    check: ({ call }) => call.args.includes('ceil') || call.args.includes('round'),
  },
  {
    name: 'integers of no window',
    theirs: 'Max pooling of int32 returns 0 for a window that lies in the padding.',
    ours: 'Returns the least int32.',
    why: 'As in `max` of no elements.',
    of: /^(maxPool|pool)$/,
    when: ({ kind, dtype, x, y }) => kind === 'value' && dtype === 'int32' && x === -2147483648 && y === 0,
  },
  {
    name: 'lists of one step',
    theirs: 'Throws, or returns NaN, if a stride, a dilation or a size is a list of one number.',
    ours: 'Uses the number for both dimensions.',
    why: 'It has no other meaning.',
    of: /conv|pool|resize/i,
    when: ({ kind, call }) => kind !== 'refused' && call.spoiled === 'other' && hasListOfOne(call),
  },
  {
    name: 'integers for pixels',
    theirs: '`pool` throws for int32 or bool values that are given in place of a tensor, such as an `Int32Array`.',
    ours: 'Converts them to float32.',
    why: '`avgPool` and `conv2d` do so in both libraries.',
    of: /conv|pool/i,
    when: ({ kind, words }) => kind === 'taken' && /must be float32 tensor, but got (int32|bool)/.test(words),
  },
  {
    name: 'biases of several dimensions',
    theirs: '`fused.conv2d` with `NCHW` throws for a bias of more than one dimension.',
    ours: 'Adds any bias that broadcasts.',
    why: 'As with `NHWC`.',
    of: /^fused/,
    when: ({ kind, words }) => kind === 'taken' && /only supports scalar or 1-D Tensor bias/.test(words),
  },
  {
    name: 'biases of other channels',
    theirs: '`fused.conv2d` accepts a bias that gives the result more channels.',
    ours: 'Throws.',
    why: 'A bias has a value for each output channel.',
    of: /^fused/,
    when: ({ kind, words }) => kind === 'refused' && /bias shape .* is not compatible/.test(words),
  },
  {
    name: 'transposed convolutions of other batches',
    theirs: '`conv2dTranspose` reads beyond its input if the output shape has more images than the input.',
    ours: 'Throws.',
    why: 'There are no such values.',
    of: /conv2dTranspose$/,
    when: ({ kind, words }) => kind === 'refused' && /must match batch of input/.test(words),
  },
  {
    name: 'slopes of other shapes',
    theirs: 'Throws for some `preluActivationWeights` that broadcast to the result.',
    ours: 'Accepts them.',
    why: 'As in `prelu`.',
    of: /^fused/,
    when: ({ kind, call }) => kind === 'taken' && call.args[0].activation === 'prelu',
  },
  {
    name: 'slopes in float32',
    theirs: 'Computes with the `alpha` of `step` in float64.',
    ours: 'Rounds it to float32, and to the range of int32 if the tensor is int32.',
    why: 'Number arguments of ops are float32 in the engine.',
    of: /^step$/,
    when: ({ kind, call }) => (kind === 'value' || kind === 'dtype') && Math.abs(call.args[1]) > 2 ** 20,
  },
  {
    name: 'rounding in pool',
    theirs: "`pool` throws for `dimRoundingMode` if `pad` is a number, because it has replaced the number by 'valid'.",
    ours: 'Rounds.',
    why: 'The mode is meant for pads that are numbers.',
    of: /^pool$/,
    when: ({ kind, words }) => kind === 'taken' && /dimRoundingMode/.test(words),
  },
  {
    name: 'leakyrelu without a slope',
    theirs: '`fused.conv2d` returns NaN for the activation `leakyrelu` without `leakyreluAlpha`.',
    ours: 'Uses 0.2.',
    why: 'As in `leakyRelu`.',
    of: /^fused/,
    when: ({ kind, call, y }) => kind === 'value' && call.args[0].activation === 'leakyrelu' && Number.isNaN(y),
  },
  {
    name: 'resizing nothing',
    theirs: 'Resizes images without pixels, to zeros or NaN.',
    ours: 'Throws.',
    why: 'There is nothing to interpolate.',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /without pixels/.test(words),
  },
  {
    name: 'resizing with 0 for false',
    theirs: 'Throws if `alignCorners` is true and `halfPixelCenters` is 0.',
    ours: 'Treats 0 as false.',
    why: 'As JavaScript does.',
    of: /^image.resize/,
    when: ({ kind, words }) => kind === 'taken' && /If halfPixelCenters is true/.test(words),
  },
  {
    name: 'resizing bools',
    theirs: '`resizeBilinear` accepts bools.',
    ours: 'Throws.',
    why: 'Cast them to float32 to blend them.',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /as dtype, got bool/.test(words),
  },
  {
    name: 'resizing to nothing',
    theirs: 'Resizes images to a size of 0.',
    ours: 'Throws.',
    why: 'It is a mistake in the size.',
    of: /^image/,
    when: ({ kind, words }) => kind === 'refused' && /new size of 1 or more/.test(words),
  },
  {
    name: 'resizing large numbers',
    theirs: '`resizeBilinear` blends in float64.',
    ours: 'Blends in float32: a pixel that is far larger than its neighbour rounds the values between them.',
    why: 'The engine computes in float32.',
    of: /resizeBilinear$/,
    when: ({ kind, call, x, y }) =>
      kind === 'value' && Math.abs(x - y) <= kBlends * largest(tensorsOf(call.args)[0].values),
  },
  {
    name: 'resizing integers',
    theirs: '`resizeNearestNeighbor` rounds int32 pixels to float32.',
    ours: 'Keeps all digits.',
    why: 'Pixels are only copied.',
    of: /^image.resizeNearestNeighbor$/,
    when: ({ kind, call, dtype }) => kind === 'value' && dtype === 'int32' && tensorsOf(call.args).some(isBeyondFloat),
    check: ({ call, ours }) => ours.result.values.every((value) => tensorsOf(call.args)[0].values.includes(value)),
  },
];
