// What makes tensors.

export const creation = [
  {
    name: 'the end of linspace',
    theirs: 'adds up the steps of `linspace` in float32, and misses its end by their errors',
    ours: 'reaches it',
    of: /^linspace$/,
    when: ({ kind, x, y, call }) => kind === 'value' && Math.abs(x - y) <= 1e-6 * Math.max(...call.args.slice(0, 2).map(Math.abs)),
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
    theirs: 'refuses a number as the shape of `zeros`, `ones` and `fill`',
    ours: 'takes it for one dimension',
    of: /^(zeros|ones|fill)$/,
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
];
