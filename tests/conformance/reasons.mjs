// Why a spec of TensorFlow.js fails, or a name of it is missing: the one list that docs/compatibility.md is written from.
// The first reason that fits holds; what none fits is not done yet.

/** `specs` match `FILE: NAME`. */
export const reasons = [];

/** `names` match what `import * as tf` has, as `io.http`. */
export const absent = [
  {
    reason: 'What TensorFlow.js is made of inside, for packages of its own kernels and backends.',
    names: [/^(kernel_impls|KernelBackend|DataStorage|_FusedMatMul|FusedConv2D|FusedDepthwiseConv2D|FromPixels)$/],
  },
];
