// Rules of invalid and omitted arguments.

export const given = [
  {
    name: 'ragged arrays',
    theirs:
      'Accepts nested arrays of different lengths as the argument of an op, and computes with some of the values.',
    ours: 'Throws, and names the element.',
    why: 'The array is not a tensor.',
    of: /./,
    when: ({ kind, words }) => kind === 'refused' && /Element arr\[/.test(words),
  },
  {
    name: 'arguments that mean nothing',
    theirs: 'Computes something if NaN, a fraction, a string or null is given where an integer or a name is expected.',
    ours: 'Throws, and names the argument.',
    why: 'It is a mistake in the program.',
    of: /./,
    when: ({ kind, call, ours }) =>
      kind === 'refused' && call.spoiled === 'nonsense' && !(ours.error instanceof TypeError),
  },
  {
    name: 'what is left out',
    theirs:
      'Throws for null as some optional arguments, such as the `dtype` of `oneHot` or the dilations of `conv2d`; treats null as 0 in others.',
    ours: 'Uses the default for these; throws where null would mean 0, such as the `axis` of `concat`.',
    why: 'Null stands for no value.',
    of: /./,
    when: ({ kind, call }) =>
      (kind === 'taken' || kind === 'value') &&
      call.spoiled === 'nonsense' &&
      [...call.args, ...Object.values(call.args[0] ?? {})].some((one) => one === undefined || one === null),
  },
  {
    name: 'isPromise',
    theirs: '`util.isPromise` returns undefined for most values that are not promises.',
    ours: 'Returns false.',
    why: 'As its type says.',
    of: /^util.isPromise$/,
    when: ({ ours, theirs }) => ours.result === false && !theirs.result,
  },
];
