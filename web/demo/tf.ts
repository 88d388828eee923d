import type * as tenure from 'tenure';

/** Tenure, or its debug build. */
export type Tenure = typeof tenure;

/** Functions that the programs of this page call: Tenure, its debug build and TensorFlow.js all have them. */
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
