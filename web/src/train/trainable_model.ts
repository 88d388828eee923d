import type { LayersModel as Session } from '../generated/tenure.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Shape } from '../runtime/types.js';
import type { Variable } from './variable.js';

/** Weight that training updates. LayerVariable is one. */
export interface TrainableWeight {
  /** True if training updates the weight. */
  readonly trainable: boolean;
  /** Term of the loss, or null. */
  readonly regularizer: { getClassName(): string } | null;
  /** Projection of the weight after each training step, or null. */
  readonly constraint: { getClassName(): string; apply(weight: Tensor): Tensor } | null;
  /** Returns the variable, which the weight owns. */
  read(): Variable;
  /** Assigns a value after applying the constraint. */
  write(value: Tensor): void;
}

/** Symbolic input or output of a model. */
export interface TrainableModelEnd {
  /** Shape; null is an unknown extent. */
  readonly shape: Shape;
}

/** Model that can be trained. LayersModel is one. */
export interface TrainableModel {
  /** Symbolic inputs. */
  readonly inputs: readonly TrainableModelEnd[];
  /** Symbolic outputs. */
  readonly outputs: readonly TrainableModelEnd[];
  /** Names of the inputs. */
  readonly inputNames: string[];
  /** Names of the outputs. */
  readonly outputNames: string[];
  /** All weights. */
  readonly weights: readonly TrainableWeight[];
  /** Weights that training updates. */
  readonly trainableWeights: readonly TrainableWeight[];
  /** True if a layer keeps states between batches. */
  readonly stateful: boolean;
  /** @internal True if a layer has added a loss, which is a function in JavaScript. */
  readonly hasAddedLosses: boolean;
  /** @internal Returns the engine's model; undefined if a layer is written in JavaScript. */
  session(): Session | undefined;
  /** @internal Returns tensors cast to the dtypes of the inputs. */
  castInputs(tensors: Tensor[]): Tensor[];
  /** Runs the layers one by one. */
  apply(inputs: Tensor | Tensor[], kwargs?: Record<string, unknown>): Tensor | Tensor[];
  /** Returns the terms that layers and regularizers add to the loss. */
  calculateLosses(): Tensor[];
}
