// Rules of slices, broadcasting, padding, splitting.
import { elements } from '../arguments.mjs';
import { namesTwice } from '../corrections.mjs';

export const shapes = [
  {
    name: 'slices of nothing',
    theirs: '`stridedSlice` throws if it begins after its end.',
    ours: 'Returns no elements.',
    why: 'As in TensorFlow.',
    of: /^stridedSlice$/,
    when: ({ kind }) => kind === 'taken',
    check: ({ ours }) => ours.result.values.length === 0,
  },
  {
    name: 'places outside',
    theirs:
      '`stridedSlice` accepts lists of different lengths. `slice` accepts a negative begin other than -1, and returns a tensor that has fewer values than its shape.',
    ours: 'Throws.',
    why: 'The slice is outside of the tensor.',
    of: /^(stridedSlice|slice)/,
    when: ({ kind, words }) => kind === 'refused' && /of one length|negative begin|would overflow/.test(words),
  },
  {
    name: 'slices to the end',
    theirs: '`slice1d` throws if the size is undefined, and returns no values if it is null.',
    ours: 'Slices to the end.',
    why: 'As `slice` does.',
    of: /^slice1d$/,
    when: ({ kind, call }) => (kind === 'taken' || kind === 'shape') && (call.args[2] ?? undefined) === undefined,
  },
  {
    name: 'single elements of a step',
    theirs:
      '`stridedSlice` throws, or returns another element, for a dimension in `shrinkAxisMask` whose stride is not 1.',
    ours: 'Returns the first element of the dimension.',
    why: 'As in TensorFlow.',
    of: /^stridedSlice$/,
    when: ({ kind, call }) =>
      (kind === 'taken' || (kind === 'value' && call.args[3]?.some?.((step) => step !== 1))) && call.args[8] > 0,
  },
  {
    name: 'axes named twice',
    theirs: 'Throws if a reduction names an axis twice, or reduces another axis; `reverse` reverses it twice.',
    ours: 'Counts it once. A norm of matrices throws.',
    why: 'An axis is reduced or reversed, or it is not.',
    of: /^(sum|prod|mean|max|min|any|all|logSumExp|moments|norm|euclideanNorm|reverse\w*|squeeze)$/,
    when: ({ kind, words, call }) => (kind !== 'refused' || /invalid axis/.test(words)) && namesTwice(call),
  },
  {
    name: 'new axes of slices',
    theirs:
      '`stridedSlice` with both `newAxisMask` and `shrinkAxisMask` may throw, or return fewer values than its shape has.',
    ours: 'Returns all values.',
    why: 'As in TensorFlow.',
    of: /^stridedSlice$/,
    when: ({ kind, call, theirs }) =>
      kind === 'form' && call.args[7] > 0 && theirs.result.values.length !== elements(theirs.result.shape),
  },
  {
    name: 'transposing an axis twice',
    theirs: '`transpose` accepts a `perm` that names an axis twice.',
    ours: 'Throws.',
    why: 'The result has values in wrong places.',
    of: /transpose$/,
    when: ({ kind, words }) => kind === 'refused' && /perm must name each axis once/.test(words),
  },
  {
    name: 'stacking single tensors',
    theirs:
      'The method `stack` throws a TypeError for a single tensor or number, and treats a typed array as a list of numbers.',
    ours: 'Treats it as one tensor.',
    why: 'It stands for a list of one tensor.',
    of: /^\.?stack$/,
    when: ({ kind, words, call }) =>
      kind === 'taken' &&
      (/not iterable/.test(words) ||
        (call.isMethod && /stack\(new \w+Array/.test(String(call)) && /matching shapes/.test(words))),
  },
  {
    name: 'where of nothing',
    theirs: '`where` does not broadcast to a shape with no elements.',
    ours: 'Broadcasts.',
    why: 'A size of 0 is a size.',
    of: /^where$/,
    when: ({ kind, ours }) => kind === 'shape' && ours.result.values.length === 0,
  },
  {
    name: 'broadcasting to nothing',
    theirs: '`broadcastTo` a shape with no elements returns the single element unchanged.',
    ours: 'Returns no elements.',
    why: 'The result has the given shape.',
    of: /broadcastTo$/,
    when: ({ kind, ours }) => kind === 'shape' && ours.result.values.length === 0,
  },
  {
    name: 'mirroring nothing',
    theirs: '`mirrorPad` throws if a dimension has no elements, even with no padding in it.',
    ours: 'Returns the dimension unchanged.',
    why: 'There is nothing to pad.',
    of: /^mirrorPad$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[0].size === 0,
  },
  {
    name: 'pads of other dimensions',
    theirs: '`pad` accepts lists that are shorter or longer than the rank, and negative pads.',
    ours: 'Throws.',
    why: 'A wrong shape is an error.',
    of: /^(pad|mirrorPad)/,
    when: ({ kind, words }) => kind === 'refused' && /paddings/.test(words),
  },
  {
    name: 'gathering nothing',
    theirs: '`gather` throws for an index out of range even if the result has no elements.',
    ours: 'Returns no elements.',
    why: 'No element is read.',
    of: /^gather$/,
    when: ({ kind, ours }) => kind === 'taken' && ours.result.values.length === 0,
  },
  {
    name: 'repeating nothing',
    theirs: '`tile` accepts negative repetitions of a tensor with no elements.',
    ours: 'Throws.',
    why: 'Repetitions are counts.',
    of: /^tile$/,
    when: ({ kind, words }) => kind === 'refused' && /reps of 0 or more/.test(words),
  },
  {
    name: 'many dimensions',
    theirs: 'Tensors have any number of dimensions.',
    ours: 'Throws beyond 8 dimensions.',
    why: 'Shapes have a fixed size in the engine.',
    of: /^diag$/,
    when: ({ kind, words }) => kind === 'refused' && /at most 4 dimensions/.test(words),
  },
  {
    name: 'first part of a split',
    theirs: '`split` throws if the first size is -1.',
    ours: 'Accepts -1 in any position.',
    why: 'As in TensorFlow.',
    of: /^split$/,
    when: ({ kind, call }) => kind === 'taken' && call.args[1][0] === -1,
  },
  {
    name: 'parts larger than the whole',
    theirs: '`split` returns overlapping parts if the sizes beside a -1 are larger than the dimension.',
    ours: 'Throws.',
    why: 'The sizes must add up to the dimension.',
    of: /^split$/,
    when: ({ kind, call, words }) =>
      kind === 'refused' && call.args[1].includes?.(-1) && /sizes of 0 or more|sum of sizes must match/.test(words),
  },
  {
    name: 'joining typed arrays',
    theirs: 'The method `concat` treats a typed array as a list of scalars, and throws.',
    ours: 'Treats it as one tensor.',
    why: 'As in other arguments.',
    of: /concat/,
    when: ({ kind, words }) => kind === 'taken' && /Error in concat1D/.test(words),
  },
  {
    name: 'moving text',
    theirs: '`reverse`, `transpose` and `broadcastTo` throw for strings.',
    ours: 'Moves strings as any other values.',
    why: 'Moving elements does not depend on the dtype.',
    of: /^\.?(reverse|transpose|broadcastTo)/,
    when: ({ kind, words }) => kind === 'taken' && /must be numeric tensor/.test(words),
  },
];
