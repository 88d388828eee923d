import type * as tenure from 'tenure';

/** What the loops are written for: Tenure, its debug build, or TensorFlow.js, which have the same functions. */
export type Tf = typeof tenure;
