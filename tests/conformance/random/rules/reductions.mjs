// Reductions, norms, and products of matrices.
import { as, firstOf, kOfNothing, withWholeBatches } from '../corrections.mjs';

export const reductions = [
  {
    name: 'reductions of nothing',
    theirs: 'gives NaN for `max` and `min` of no elements, and 0 for `mean` and `all`',
    ours: 'gives what leaves others as they are (-Infinity, Infinity, true), and NaN for `mean`',
    of: /^(max|min|mean|all|any|logSumExp|moments|norm)$/,
    when: ({ kind, call }) => kind === 'value' && (call.args[0].size ?? call.args[0].length) === 0,
    check: ({ call, ours }) => firstOf(ours.result).every((value) => kOfNothing[call.name].includes(Number(value)) || Number.isNaN(value)),
  },
  {
    name: 'products beyond float32',
    theirs: 'multiplies in float64, and comes back from beyond the range of float32',
    ours: 'multiplies in float32, in an order of its own',
    of: /^prod$/,
    when: ({ kind, dtype, x }) => kind === 'value' && dtype === 'float32' && !(Math.abs(x) < 1e38 && Math.abs(x) > 1e-37),
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
    theirs: 'gives bool for `matMul`, `dot` and `outerProduct` of bools, with sums above 1 in it',
    ours: 'gives int32',
    of: /^(matMul|dot|outerProduct)$/,
    when: ({ kind }) => kind === 'dtype' || kind === 'value',
    instead: as('int32', ['bool']),
  },
  {
    name: 'fused products and windows of bools',
    theirs: 'multiplies matrices of bools in `fused.matMul`, and takes the largest of bools under windows',
    ours: 'throws',
    of: /^(fused\.matMul|maxPool|pool)$/,
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
];
