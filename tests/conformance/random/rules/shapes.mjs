// Slices, broadcasting, padding, splitting.
import { namesTwice } from '../corrections.mjs';

export const shapes = [
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
    theirs: 'throws for undefined as the size of `slice1d`, and gives nothing for null',
    ours: 'goes to the end',
    of: /^slice1d$/,
    when: ({ kind, call }) => (kind === 'taken' || kind === 'shape') && (call.args[2] ?? undefined) === undefined,
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
    of: /^(sum|prod|mean|max|min|any|all|logSumExp|moments|norm|euclideanNorm|reverse\w*|squeeze)$/,
    when: ({ kind, words, call }) => (kind !== 'refused' || /invalid axis/.test(words)) && namesTwice(call),
  },
  {
    name: 'transposing an axis twice',
    theirs: 'takes a `perm` that names an axis twice',
    ours: 'throws',
    of: /transpose$/,
    when: ({ kind, words }) => kind === 'refused' && /perm must name each axis once/.test(words),
  },
  {
    name: 'stacking single tensors',
    theirs: 'fails with a TypeError for one tensor, or a number, as the argument of the method `stack`, and takes each number of a typed array for a tensor',
    ours: 'takes it for a list of one',
    of: /^\.?stack$/,
    when: ({ kind, words, call }) =>
      kind === 'taken' &&
      (/not iterable/.test(words) || (call.isMethod && /stack\(new \w+Array/.test(String(call)) && /matching shapes/.test(words))),
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
    name: 'joining typed arrays',
    theirs: 'takes a typed array for a list of scalars in the method `concat`, and throws',
    ours: 'takes it for a tensor',
    of: /concat/,
    when: ({ kind, words }) => kind === 'taken' && /Error in concat1D/.test(words),
  },
  {
    name: 'reversing text',
    theirs: 'refuses text in `reverse`',
    ours: 'reverses it',
    of: /^\.?reverse/,
    when: ({ kind, words }) => kind === 'taken' && /must be numeric tensor/.test(words),
  },
];
