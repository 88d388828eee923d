// What a GPU computes otherwise.
import { hasSubnormals, isSubnormal, withoutSubnormals } from '../corrections.mjs';

export const webgl = [
  {
    name: 'numbers below 1.2e-38 on WebGL',
    theirs: 'keeps numbers below 1.2e-38 on its cpu backend',
    ours: 'takes them for 0 on `webgl` where the GPU does',
    of: /./,
    when: ({ where, kind, call, y }) => where === 'webgl' && kind === 'value' && (isSubnormal(y) || hasSubnormals(call)),
    instead: withoutSubnormals,
  },
  {
    name: 'floats on WebGL',
    theirs: 'computes in float64 on its cpu backend',
    ours: 'is within 1e-5 of the result on `webgl`',
    of: /./,
    when: ({ where, kind, dtype }) => where === 'webgl' && kind === 'value' && dtype === 'float32',
    instead: ({ tolerance }) => ({ tolerance: { ...tolerance, relative: Math.max(tolerance.relative ?? 0, 1e-5) } }),
  },
];
