// Data movement: ops that move elements, or change a shape or dtype.
import { axis, axisList, dtype, extent, fitted, number, shape, shortened, tensor } from '../values.mjs';
import { elements } from '../arguments.mjs';

const kExact = { ulps: 0 };
export const calls = {};
const define = (name, args, rest = {}) => (calls[name] = { args, tolerance: kExact, ...rest });

/** Returns another shape with as many elements. */
function reshaped(r, size) {
  if (size === 0) return r.shuffled([0, ...shape(r, 0, 3)]);
  const extents = [];
  for (let left = size; left > 1 && extents.length < 5; ) {
    const divisors = Array.from({ length: left }, (_, i) => i + 1).filter((one) => left % one === 0);
    const one = r.pick(divisors);
    extents.push(one);
    left /= one;
    if (extents.length === 5 || r.chance(0.3)) {
      extents.push(left);
      break;
    }
  }
  const rest = size / elements(extents);
  return rest === 1 ? extents : [...extents, rest];
}

define('reshape', (r) => {
  const x = tensor(r);
  const extents = reshaped(r, x.size);
  if (extents.length > 0 && x.size > 0 && r.chance(0.3)) extents[r.int(0, extents.length - 1)] = -1;
  return [x, extents];
});
define('expandDims', (r) => {
  const x = tensor(r, { rank: [0, 5] });
  return shortened(r, [x], [r.int(-x.rank - 1, x.rank)]);
});
define('squeeze', (r) => {
  const x = tensor(r, { shape: fitted(r.list(r.int(0, 6), () => (r.chance(0.5) ? 1 : extent(r)))) });
  const ones = x.shape.flatMap((one, i) => (one === 1 ? [i] : []));
  const some = r
    .shuffled(ones)
    .slice(0, r.int(0, ones.length))
    .map((i) => (r.chance(0.3) ? i - x.rank : i));
  return shortened(r, [x], [r.chance(0.1) ? axisList(r, x.rank) : some]);
});
define('transpose', (r) => {
  const x = tensor(r);
  const perm = r.shuffled(Array.from({ length: x.rank }, (_, i) => i)).map((i) => (r.chance(0.15) ? i - x.rank : i));
  return shortened(r, [x], [r.chance(0.05) ? [] : r.chance(0.05) ? null : perm]);
});
define('cast', (r) => [tensor(r), dtype(r)]);
define('clone', (r) => [tensor(r)]);
define('broadcastTo', (r) => {
  const x = tensor(r, { shape: fitted(shape(r, 0, 5).map((one) => (r.chance(0.4) ? 1 : one))) });
  const wide = x.shape.map((one) => (one === 1 && r.chance(0.6) ? r.int(1, 3) : one));
  return [x, [...r.list(r.int(0, 6 - x.rank) % 3, () => r.int(1, 3)), ...wide]];
});

const joined = (r, rank) => {
  const like = shape(r, rank ?? 1, rank ?? 6);
  const along = axis(r, like.length);
  const at = along < 0 ? along + like.length : along;
  const type = dtype(r);
  const parts = r.list(
    r.weighed([
      [1, 1],
      [4, 2],
      [3, 3],
      [1, 7],
    ]),
    () =>
      tensor(r, {
        shape: like.map((one, i) => (i === at ? extent(r) : one)),
        dtype: r.chance(0.97) ? type : dtype(r),
      }),
  );
  return [parts, along];
};
const others = ([[first, ...rest], ...more]) => [first, rest.length === 1 ? rest[0] : rest, ...more];
define('concat', (r) => joined(r), { method: others });
define('concat1d', (r) => joined(r, 1).slice(0, 1));
for (const rank of [2, 3, 4]) define(`concat${rank}d`, (r) => joined(r, rank));
define(
  'stack',
  (r) => {
    const like = shape(r, 0, 5);
    const type = r.pick(['float32', 'int32', 'bool']);
    const parts = r.list(r.int(1, 4), () => tensor(r, { shape: like, dtype: type }));
    return shortened(r, [parts], [r.int(-like.length - 1, like.length)]);
  },
  { method: others },
);
define('unstack', (r) => {
  const x = tensor(r, { shape: shape(r, 1, 6) });
  return shortened(r, [x], [axis(r, x.rank)]);
});
define('split', (r) => {
  const x = tensor(r, { shape: shape(r, 1, 6) });
  const along = axis(r, x.rank);
  const size = x.shape[along < 0 ? along + x.rank : along];
  if (r.chance(0.5)) return [x, r.int(1, Math.max(size, 1)), along];
  const sizes = [];
  for (let left = size; left > 0; left -= sizes.at(-1)) sizes.push(r.int(0, left));
  if (sizes.length > 0 && r.chance(0.3)) sizes[r.int(0, sizes.length - 1)] = -1;
  return [x, sizes, along];
});

const sliced = (r, rank) => {
  const x = tensor(r, { shape: shape(r, rank ?? 1, rank ?? 6) });
  const begin = x.shape.map((one) => r.int(0, one));
  const size = x.shape.map((one, i) => (r.chance(0.2) ? -1 : r.int(0, one - begin[i])));
  return [x, begin, size];
};
define('slice', (r) => {
  const [x, begin, size] = sliced(r);
  const form = r.int(0, 4);
  if (form === 0) return [x, begin[0], size[0]];
  if (form === 1) return [x, begin];
  if (form === 2) return [x, begin.slice(0, r.int(1, x.rank)), size];
  return [x, begin, size];
});
define('slice1d', (r) => sliced(r, 1).flat());
for (const rank of [2, 3, 4]) define(`slice${rank}d`, (r) => sliced(r, rank));
define('stridedSlice', (r) => {
  const x = tensor(r, { shape: shape(r, 1, 5) });
  const count = r.chance(0.7) ? x.rank : r.int(1, x.rank);
  const place = () => r.list(count, (i) => r.int(-x.shape[i] - 1, x.shape[i] + 1));
  const strides = r.list(count, () =>
    r.weighed([
      [5, 1],
      [2, 2],
      [2, -1],
      [1, -2],
      [1, 3],
    ]),
  );
  const mask = () => (r.chance(0.3) ? r.int(0, 2 ** count - 1) : 0);
  const single = () => (r.chance(0.25) ? 2 ** r.int(0, count - 1) : 0);
  return shortened(
    r,
    [x, place(), place()],
    [strides, mask(), mask(), r.chance(0.5) ? 0 : single(), single(), single()],
  );
});
define('gather', (r) => {
  const x = tensor(r, { shape: shape(r, 1, 5).map((one) => Math.max(one, 1)) });
  const batchDims = r.chance(0.75) ? 0 : r.int(0, Math.min(x.rank - 1, 2));
  const at = r.int(batchDims, x.rank - 1);
  const extents = fitted([...x.shape.slice(0, batchDims), ...shape(r, 0, 2)]);
  const count = elements(extents);
  const indices = r.list(count, () => r.int(0, x.shape[at] - 1));
  const wrong = r.chance(0.03) && count > 0;
  if (wrong) indices[0] = x.shape[at] + r.int(0, 3);
  const list = tensor(r, { shape: extents, dtype: 'int32', values: indices });
  return shortened(r, [x, list], [r.chance(0.3) ? at - x.rank : at, batchDims]);
});

define('tile', (r) => {
  const x = tensor(r, { shape: fitted(shape(r, 0, 5).map((one) => Math.min(one, 4))) });
  return [x, x.shape.map(() => (r.chance(0.05) ? 0 : r.int(1, 2)))];
});
const padded = (r, rank) => {
  const x = tensor(r, { shape: fitted(shape(r, rank ?? 1, rank ?? 5).map((one) => Math.min(one, 4))) });
  const sides = x.shape.map(() => [r.int(0, 2), r.chance(0.6) ? 0 : r.int(0, 2)]);
  return shortened(r, [x, rank === 1 ? sides[0] : sides], [r.chance(0.9) ? r.int(-3, 3) / 2 : number(r)]);
};
define('pad', (r) => padded(r));
for (const rank of [1, 2, 3, 4]) define(`pad${rank}d`, (r) => padded(r, rank));
define('mirrorPad', (r) => {
  const x = tensor(r, { shape: fitted(shape(r, 1, 5).map((one) => Math.min(one, 4))) });
  const mode = r.pick(['reflect', 'symmetric']);
  const most = (one) => Math.max(0, mode === 'reflect' ? one - 1 : one);
  return [x, x.shape.map((one) => [r.int(0, most(one)), r.int(0, most(one))]), mode];
});
define('reverse', (r) => {
  const x = tensor(r);
  return shortened(r, [x], [r.chance(0.3) && x.rank > 0 ? axis(r, x.rank) : axisList(r, x.rank)]);
});
define('reverse1d', (r) => [tensor(r, { shape: shape(r, 1, 1) })]);
for (const rank of [2, 3, 4]) {
  define(`reverse${rank}d`, (r) => shortened(r, [tensor(r, { shape: shape(r, rank, rank) })], [axisList(r, rank)]));
}

define('diag', (r) => [tensor(r, { shape: shape(r, 1, 3).map((one) => Math.min(one, 3)) })]);
define('ensureShape', (r) => {
  const x = tensor(r, { form: 'tensor' });
  return [x, x.shape.map((one) => (r.chance(0.2) ? null : one))];
});
define('meshgrid', (r) => {
  const of = () => tensor(r, { shape: [extent(r)] });
  return shortened(r, [], [of(), of(), { indexing: r.pick(['xy', 'ij']) }]);
});
define('broadcastArgs', (r) => {
  const of = () => tensor(r, { shape: [r.int(0, 4)], dtype: 'int32', kind: 'positive', form: 'tensor' });
  return [of(), of()];
});
define('whereAsync', (r) => [tensor(r, { dtype: 'bool' })]);
define('booleanMaskAsync', (r) => {
  const x = tensor(r, { shape: shape(r, 1, 4) });
  const at = r.int(0, x.rank - 1);
  const rank = r.int(1, x.rank - at);
  return shortened(r, [x, tensor(r, { shape: x.shape.slice(at, at + rank), dtype: 'bool' })], at === 0 ? [0] : [at]);
});
define('setdiff1dAsync', (r) => {
  const type = r.pick(['float32', 'int32']);
  const of = () => tensor(r, { shape: [extent(r)], dtype: type, kind: 'small' });
  return [of(), of()];
});
define('inTopKAsync', (r) => {
  const x = tensor(r, { shape: [r.int(1, 4), r.int(2, 5)], dtype: 'float32', kind: 'unit' });
  const targets = tensor(r, {
    shape: [x.shape[0]],
    dtype: 'int32',
    values: r.list(x.shape[0], () => r.int(0, x.shape[1] - 1)),
  });
  return [x, targets, r.int(1, x.shape[1])];
});

// Methods only.
const whole = (r) => [tensor(r, { form: 'tensor' })];
define('.toFloat', whole);
define('.toInt', whole);
define('.toBool', whole);
define('.flatten', whole);
define('.as1D', whole);
define('.asType', (r) => [...whole(r), dtype(r)]);
define('.asScalar', (r) => [
  tensor(r, { shape: r.list(r.int(0, 3), () => (r.chance(0.9) ? 1 : extent(r))), form: 'tensor' }),
]);
define('.reshapeAs', (r) => {
  const [x] = whole(r);
  return [x, tensor(r, { shape: r.chance(0.9) ? reshaped(r, x.size) : shape(r), form: 'tensor' })];
});
for (const rank of [2, 3, 4, 5]) {
  define(`.as${rank}D`, (r) => {
    const like = shape(r, rank, rank);
    return [tensor(r, { shape: reshaped(r, elements(like)), form: 'tensor' }), ...like];
  });
}
