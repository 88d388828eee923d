// Rules of the GPU.
import { hasSubnormals, isSubnormal, withoutSubnormals } from '../corrections.mjs';

export const webgl = [
  {
    name: 'numbers below 1.2e-38 on WebGL',
    theirs: 'The cpu backend keeps numbers below 1.2e-38.',
    ours: '`webgl` treats them as 0 if the GPU does.',
    why: 'GPUs may flush them to 0.',
    of: /./,
    when: ({ where, kind, call, y }) =>
      where === 'webgl' && kind === 'value' && (isSubnormal(y) || hasSubnormals(call)),
    instead: withoutSubnormals,
  },
  {
    name: 'floats on WebGL',
    theirs: 'The cpu backend computes in float64.',
    ours: 'On `webgl`, results are within 1e-5 of the exact ones, relative to their size.',
    why: 'GPUs compute in float32.',
    of: /./,
    when: ({ where, kind, dtype }) => where === 'webgl' && kind === 'value' && dtype === 'float32',
    instead: ({ tolerance }) => ({ tolerance: { ...tolerance, relative: Math.max(tolerance.relative ?? 0, 1e-5) } }),
  },
];
