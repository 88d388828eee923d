import type * as tenure from 'tenure';

/** Tenure, or its debug build. */
export type Tenure = typeof tenure;

/** What the programs of this page call: Tenure, its debug build and TensorFlow.js all have it. */
export type Tf = Pick<
  Tenure,
  | 'add'
  | 'browser'
  | 'conv2d'
  | 'dispose'
  | 'engine'
  | 'keep'
  | 'matMul'
  | 'memory'
  | 'randomUniform'
  | 'softmax'
  | 'tidy'
  | 'version_core'
  | 'zeros'
>;
