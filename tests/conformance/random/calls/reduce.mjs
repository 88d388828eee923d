import { axes, axis, shape, shortened, tensor } from '../values.mjs';

export const calls = {};

function reduction(r, options) {
  const x = tensor(r, options);
  return shortened(r, [x], [axes(r, x.rank), r.chance(0.5)]);
}

for (const name of ['sum', 'mean']) calls[name] = { args: (r) => reduction(r), tolerance: { sums: true } };
calls.prod = { args: (r) => reduction(r), tolerance: { ulps: 64 } };
for (const name of ['max', 'min']) calls[name] = { args: (r) => reduction(r), tolerance: { ulps: 0 } };
for (const name of ['any', 'all']) {
  calls[name] = { args: (r) => reduction(r, r.chance(0.95) ? { dtype: 'bool' } : {}), tolerance: { ulps: 0 } };
}
for (const name of ['argMax', 'argMin']) {
  calls[name] = {
    args(r) {
      const x = tensor(r, { shape: shape(r, r.chance(0.95) ? 1 : 0), ...(r.chance(0.5) ? { kind: 'small' } : {}) });
      return shortened(r, [x], [axis(r, x.rank)]);
    },
    tolerance: { ulps: 0 },
  };
}
calls.logSumExp = { args: (r) => reduction(r), tolerance: { relative: 1e-5, absolute: 2e-6 } };
calls.moments = { args: (r) => reduction(r), tolerance: { squares: true, relative: 1e-6 }, method: false };
calls.norm = {
  args(r) {
    const x = tensor(r);
    const order = r.pick([1, 2, 'euclidean', 'fro', Infinity, -Infinity, 3]);
    return shortened(r, [x], [order, axes(r, x.rank), r.chance(0.5)]);
  },
  tolerance: { relative: 2e-5, squares: true },
};
calls.euclideanNorm = { args: (r) => reduction(r), tolerance: { relative: 2e-5, squares: true } };
