// Rules of functions that create tensors.

export const creation = [
  {
    name: 'the end of linspace',
    theirs: '`linspace` adds up its steps in float32, so that the last value differs from the given end.',
    ours: 'The last value is the given end.',
    why: 'As in NumPy.',
    of: /^linspace$/,
    when: ({ kind, x, y, call }) =>
      kind === 'value' && Math.abs(x - y) <= 1e-6 * Math.max(...call.args.slice(0, 2).map(Math.abs)),
  },
  {
    name: 'batches of eye',
    theirs: '`eye` throws for a `batchShape` of more than three dimensions, or of none.',
    ours: 'Accepts any number of dimensions.',
    why: 'As in TensorFlow.',
    of: /^eye$/,
    when: ({ kind }) => kind === 'taken',
  },
  {
    name: 'scalar buffers',
    theirs: 'The value of a buffer of rank 0 cannot be set without indices.',
    ours: 'It can.',
    why: 'A scalar has no indices.',
    of: /^buffer$/,
    when: ({ kind, words }) => kind === 'taken' && /provided coordinates \(1\) must match the rank \(0\)/.test(words),
  },
  {
    name: 'shapes of one number',
    theirs: '`zeros`, `ones` and `fill` throw for a number as the shape.',
    ours: 'Treats it as the size of one dimension.',
    why: 'As NumPy does.',
    of: /^(zeros|ones|fill)$/,
    when: ({ kind, call }) => kind === 'taken' && typeof call.args[0] === 'number',
  },
  {
    name: 'parts of steps',
    theirs: '`range` of int32 adds up its steps in int32: a step of 0.5 returns zeros.',
    ours: 'Rounds each value toward 0.',
    why: 'The steps keep their fractions.',
    of: /^range$/,
    when: ({ kind, call, dtype }) =>
      kind === 'value' && dtype === 'int32' && !call.args.slice(0, 3).every(Number.isInteger),
  },
  {
    name: 'tensors left behind',
    theirs: '`meshgrid`, `setdiff1dAsync`, and `variable` with another dtype than its value, leave tensors behind.',
    ours: 'Leaves none.',
    why: 'Nobody could dispose them.',
    of: /^(variable|meshgrid|\w+Async)$/,
    when: ({ kind }) => kind === 'left',
  },
  {
    name: 'variables of values',
    theirs: '`variable` throws a TypeError for numbers and arrays.',
    ours: 'Creates a tensor of them.',
    why: 'As other functions do.',
    of: /^variable$/,
    when: ({ kind }) => kind === 'taken',
  },
  {
    name: 'types of meshgrid',
    theirs: '`meshgrid` returns float32 for typed arrays of other types.',
    ours: 'Returns int32 for an `Int32Array`.',
    why: 'As `tensor` does.',
    of: /^meshgrid$/,
    when: ({ kind }) => kind === 'dtype',
  },
  {
    name: 'spaces to nowhere',
    theirs: '`linspace` with an end that is NaN or infinite returns the start as its first value.',
    ours: 'Returns NaN.',
    why: 'The step is not a number.',
    of: /^linspace$/,
    when: ({ kind, call }) => kind === 'value' && call.args.some((one) => !Number.isFinite(one)),
  },
];
