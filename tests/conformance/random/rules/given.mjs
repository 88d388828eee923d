// Arguments that are wrong, or left out.

export const given = [
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
    theirs: 'fails with a TypeError where a stride or the like is undefined or null, and takes a null for 0',
    ours: 'takes the default',
    of: /./,
    when: ({ kind, call }) =>
      (kind === 'taken' || kind === 'value') && call.spoiled === 'nonsense' && [...call.args, ...Object.values(call.args[0] ?? {})].some((one) => one === undefined || one === null),
  },
  {
    name: 'isPromise',
    theirs: 'gives undefined for `util.isPromise` of what is none',
    ours: 'gives false',
    of: /^util.isPromise$/,
    when: ({ ours, theirs }) => ours.result === false && !theirs.result,
  },
];
