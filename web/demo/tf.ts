import type * as tenure from 'tenure';

/** The loops' API: Tenure, its debug build, or TensorFlow.js, which share these functions. */
export type Tf = typeof tenure;
