// Rules of reductions, norms, and matrix products.
import { as, firstOf, kOfNothing, withWholeBatches } from '../corrections.mjs';

export const reductions = [
  {
    name: 'reductions of nothing',
    theirs: 'Returns NaN for `max` and `min` of no elements, 0 for `mean`, and false for `all`.',
    ours: 'Returns -Infinity for `max`, Infinity for `min` (for int32 the ends of its range), NaN for `mean`, and true for `all`.',
    why: 'These are the neutral elements; the mean of nothing is 0 / 0.',
    of: /^(max|min|mean|all|any|logSumExp|moments|norm)$/,
    when: ({ kind, call }) => kind === 'value' && (call.args[0].size ?? call.args[0].length) === 0,
    check: ({ call, ours }) =>
      firstOf(ours.result).every((value) => kOfNothing[call.name].includes(Number(value)) || Number.isNaN(value)),
  },
  {
    name: 'products beyond float32',
    theirs: '`prod` multiplies in float64: intermediate results may exceed the range of float32.',
    ours: 'Multiplies in float32, in an order of its own.',
    why: 'The engine computes in float32.',
    of: /^prod$/,
    when: ({ kind, dtype, x }) =>
      kind === 'value' && dtype === 'float32' && !(Math.abs(x) < 1e38 && Math.abs(x) > 1e-37),
  },
  {
    name: 'other norms',
    theirs: "`norm` throws for orders other than 1, 2, Infinity, -Infinity, 'euclidean' and 'fro'.",
    ours: 'Computes vector norms of any positive order.',
    why: 'The formula is the same for all.',
    of: /^norm$/,
    when: ({ kind, words }) => kind === 'taken' && /invalid ord value/.test(words),
  },
  {
    name: 'norms over two axes',
    theirs:
      '`norm` of order 1 or ±Infinity over two axes counts the second axis among those that are left after the first reduction: `[1, 0]` may throw or reduce another axis.',
    ours: 'Reduces the two given axes.',
    why: 'An axis counts the dimensions of the input.',
    of: /^norm$/,
    when: ({ kind, call }) =>
      kind !== 'refused' && [1, Infinity, -Infinity].includes(call.args[1]) && call.args[2]?.length === 2,
  },
  {
    name: 'products of bools',
    theirs: '`matMul`, `dot` and `outerProduct` of bools return bool, with values above 1 in it.',
    ours: 'Returns int32. (With one bool operand, both libraries return the dtype of the other.)',
    why: 'A bool does not hold the sums.',
    of: /^(matMul|dot|outerProduct)$/,
    when: ({ kind }) => kind === 'dtype' || kind === 'value',
    instead: as('int32', ['bool']),
  },
  {
    name: 'fused products and windows of bools',
    theirs: '`fused.matMul` and max pooling accept bools.',
    ours: 'Throws.',
    why: 'Cast them to int32 or float32, as the result needs it.',
    of: /^(fused\.matMul|maxPool|pool)$/,
    when: ({ kind, words }) => kind === 'refused' && /but got bool/.test(words),
  },
  {
    name: 'concat of types',
    theirs:
      "`concat` joins tensors of different dtypes and stores all values in the first one's: an int32 loses fractions.",
    ours: 'Throws.',
    why: 'Values would change without notice.',
    of: /^concat/,
    when: ({ kind, words }) => kind === 'refused' && /one dtype/.test(words),
  },
  {
    name: 'batches of matMul',
    theirs: '`matMul` broadcasts batch dimensions wrongly if both operands have more than one.',
    ours: 'Broadcasts them as NumPy does.',
    why: 'As in TensorFlow.',
    of: /^(fused\.)?matMul$/,
    when: ({ kind }) => kind === 'value' || kind === 'form' || kind === 'taken',
    instead: withWholeBatches,
  },
];
