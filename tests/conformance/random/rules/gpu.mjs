// Rules of the GPU.
import { hasSubnormals, isSubnormal, withoutSubnormals } from '../corrections.mjs';

const isGpu = (where) => where === 'webgl' || where === 'webgpu';

export const gpu = [
  {
    name: 'numbers below 1.2e-38 on a GPU',
    theirs: 'The cpu backend keeps numbers below 1.2e-38.',
    ours: '`webgl` and `webgpu` treat them as 0 if the GPU does.',
    why: 'GPUs may flush them to 0.',
    of: /./,
    when: ({ where, kind, call, y }) => isGpu(where) && kind === 'value' && (isSubnormal(y) || hasSubnormals(call)),
    instead: withoutSubnormals,
  },
  {
    name: 'floats on a GPU',
    theirs: 'The cpu backend computes in float64.',
    ours: 'On `webgl` and `webgpu`, results are within 1e-5 of the exact ones, relative to their size.',
    why: 'GPUs compute in float32.',
    of: /./,
    when: ({ where, kind, dtype }) => isGpu(where) && kind === 'value' && dtype === 'float32',
    instead: ({ tolerance }) => ({ tolerance: { ...tolerance, relative: Math.max(tolerance.relative ?? 0, 1e-5) } }),
  },
  {
    theirs:
      '`x.dataToGPU()` works on `webgl`, with a texture, and on `webgpu`. It throws if the values are on the CPU.',
    ours: 'Works on `webgpu` and uploads values of the CPU. Throws on `webgl`.',
    why: 'Textures have another layout.',
  },
  {
    theirs: '`tf.tensor({buffer})` takes a WebGL texture, too. With `zeroCopy`, a buffer of any size is accepted.',
    ours: 'Takes a buffer. With `zeroCopy` its size must be a multiple of 16 bytes.',
    why: 'Kernels read four elements at a time.',
  },
];
