// Functions that create tensors, and functions that read and print them.
import { Code, TensorArgument, elements } from '../arguments.mjs';
import { dtype, extent, fitted, number, shape, shortened, tensor, values } from '../values.mjs';

const kExact = { ulps: 0 };
export const calls = {};
const define = (name, args, rest = {}) => (calls[name] = { args, tolerance: kExact, ...rest });

const value = (r) =>
  r.weighed([
    [6, number(r)],
    [1, r.chance(0.5)],
  ]);
define('fill', (r) => shortened(r, [shape(r), value(r)], [dtype(r)]));
for (const name of ['zeros', 'ones']) define(name, (r) => shortened(r, [shape(r)], [dtype(r)]));
for (const name of ['zerosLike', 'onesLike']) define(name, (r) => [tensor(r)]);
define(
  'range',
  (r) => {
    const [start, stop] = r.chance(0.7) ? [r.int(-9, 9), r.int(-9, 9)] : [r.int(-99, 99) / 8, r.int(-99, 99) / 8];
    const step = r.weighed([
      [5, r.int(1, 4)],
      [3, -r.int(1, 4)],
      [2, r.int(1, 16) / 4],
      [0.3, 0],
    ]);
    return shortened(r, [start, stop], [step, r.pick(['float32', 'int32'])]);
  },
  { tolerance: { relative: 1e-6, absolute: 1e-5 } },
);
define('linspace', (r) => [r.real(-5, 5), r.real(-5, 5), r.int(0, 9)], {
  tolerance: { relative: 1e-6, absolute: 1e-6 },
});
define('eye', (r) =>
  shortened(r, [r.int(0, 5)], [r.int(1, 5), fitted(shape(r, 0, 3)).map((one) => Math.min(one, 3)), dtype(r)]),
);
define(
  'oneHot',
  (r) => {
    const extents = fitted(shape(r, 0, 4));
    const indices = r.list(elements(extents), () => r.int(-1, 5));
    const x = tensor(r, { shape: extents, dtype: 'int32', values: indices });
    return shortened(r, [x, r.int(2, 6)], [r.int(-3, 3), r.int(-3, 3), dtype(r)]);
  },
  { method: (args) => args.slice(0, 4) },
);

/** Random results can only be compared in their invariants. */
const drawn = { random: true };
const numeric = (r) => r.pick(['float32', 'int32']);
define('randomUniform', (r) => shortened(r, [shape(r)], [r.int(-5, 0), r.int(1, 9), dtype(r), r.int(1, 99)]), {
  tolerance: drawn,
});
define('randomUniformInt', (r) => shortened(r, [shape(r), r.int(-5, 0), r.int(1, 9)], [r.int(1, 99)]), {
  tolerance: drawn,
});
define('randomNormal', (r) => shortened(r, [shape(r)], [r.int(-5, 5), r.real(0, 3), numeric(r), r.int(1, 99)]), {
  tolerance: drawn,
});
define('randomStandardNormal', (r) => shortened(r, [shape(r)], [numeric(r), r.int(1, 99)]), { tolerance: drawn });
define('truncatedNormal', (r) => shortened(r, [shape(r)], [r.int(-5, 5), r.real(0, 3), numeric(r), r.int(1, 99)]), {
  tolerance: drawn,
});
define('rand', (r) => shortened(r, [shape(r), new Code('((i) => () => i++ / 4)(0)')], [dtype(r)]));

/** Returns values, and the shape and dtype that may go with them. */
function described(r, rank) {
  const extents = fitted(rank === undefined ? shape(r) : r.list(rank, () => extent(r)));
  const type = dtype(r);
  const flat = r.chance(0.4);
  const data = new TensorArgument(values(r, elements(extents), type), flat ? [elements(extents)] : extents, type);
  const given = data.with({
    form: data.rank === 0 ? 'number' : flat && r.chance(0.5) ? 'typed' : r.chance(0.2) ? 'rows' : 'nested',
  });
  const form = given.rank < 2 && given.form === 'rows' ? given.with({ form: 'nested' }) : given;
  return { form, extents, type: r.chance(0.3) ? undefined : r.chance(0.7) ? type : dtype(r), flat };
}
define('tensor', (r) => {
  const { form, extents, type, flat } = described(r);
  return [form, flat || r.chance(0.3) ? extents : undefined, type].slice(0, flat ? 3 : r.int(1, 3));
});
define('scalar', (r) => shortened(r, [described(r, 0).form.with({ form: 'number', shape: [] })], [dtype(r)]));
define('tensor1d', (r) => shortened(r, [described(r, 1).form], [dtype(r)]));
for (const rank of [2, 3, 4, 5, 6]) {
  define(`tensor${rank}d`, (r) => {
    const { form, extents, type, flat } = described(r, rank);
    return flat || r.chance(0.4) ? [form, extents, type] : [form];
  });
}
define('variable', (r) => shortened(r, [tensor(r, { form: 'tensor' })], [r.chance(0.5), undefined, dtype(r)]), {
  then: (r, [x]) => (r.chance(0.5) ? [] : [['assign', tensor(r, { shape: x.shape, dtype: x.dtype, form: 'tensor' })]]),
});

/** Returns an index into a buffer of this shape, occasionally out of range. */
const place = (r, extents) => extents.map((one) => (r.chance(0.98) ? r.int(0, Math.max(one - 1, 0)) : r.int(-1, one)));
define('buffer', (r) => shortened(r, [shape(r, 0, 5)], [dtype(r)]), {
  then(r, [extents, type]) {
    const one = type === 'bool' ? r.int(0, 1) : r.int(-9, 9);
    return [['set', one, ...place(r, extents)], ...r.pick([[['toTensor']], [['get', ...place(r, extents)]], []])];
  },
});

const alone = (r) => [tensor(r, { form: 'tensor' })];
for (const name of ['.dataSync', '.data', '.arraySync', '.array', '.bytes', '.bufferSync', '.buffer'])
  define(name, alone);
define(
  '.bufferSync.get',
  (r) => {
    const [x] = alone(r);
    return [x];
  },
  { path: '.bufferSync', then: (r, [x]) => [['get', ...place(r, x.shape)]] },
);
define('.toString', (r) => {
  const extents = r.chance(0.2) ? [r.int(1, 3), r.int(18, 24)] : shape(r, 0, 6);
  const kind = r.pick(['small', 'unit', 'special', 'positive']);
  return shortened(r, [tensor(r, { shape: extents, form: 'tensor', kind })], [r.chance(0.5)]);
});
for (const name of ['rank', 'rankType', 'size', 'strides', 'shape', 'dtype', 'isDisposed']) {
  define(`.${name}`, alone, { property: true });
}
