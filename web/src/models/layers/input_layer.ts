import type { DataType, Shape } from '../../runtime/types.js';
import { registerClass, type ConfigDict } from '../../util/serialization.js';
import { InputSpec } from './input_spec.js';
import { Layer, type DisposeResult } from './layer.js';
import { getUid } from '../names.js';
import { Node, SymbolicTensor } from './symbolic_tensor.js';

/** Arguments of tf.layers.inputLayer(). */
export interface InputLayerArgs {
  /** Shape of the input without the batch dimension. */
  inputShape?: Shape;
  /** Extent of the batch dimension, for use with `inputShape`: any by default. */
  batchSize?: number;
  /** Shape of the input with the batch dimension; used instead of `inputShape`. */
  batchInputShape?: Shape;
  /** Type of the input: float32 by default. */
  dtype?: DataType;
  /** Kept for configurations only. */
  sparse?: boolean;
  /** Name of the layer. */
  name?: string;
}

/** Layer that stands for an input of a model. */
export class InputLayer extends Layer {
  /** Name of the class in saved configurations. */
  static readonly className = 'InputLayer';
  /** Kept for configurations only. */
  readonly sparse: boolean;

  constructor({ inputShape, batchSize, batchInputShape, dtype, sparse, name }: InputLayerArgs) {
    super({ name: name ?? getUid('input') });
    this.trainable = false;
    this.built = true;
    this.sparse = sparse ?? false;
    if (inputShape && batchInputShape) {
      throw new Error(
        'Only provide the inputShape OR batchInputShape argument to inputLayer, not both at the same time.',
      );
    }
    if (!inputShape && !batchInputShape) {
      throw new Error('An InputLayer should be passed either a `batchInputShape` or an `inputShape`.');
    }
    if (batchInputShape && (batchSize ?? null) !== null) {
      throw new Error('Cannot specify batchSize if batchInputShape is specified when creating an InputLayer.');
    }
    this.batchInputShape = batchInputShape ?? [batchSize ?? null, ...inputShape!];
    this.dtype = dtype ?? 'float32';
    this.inputSpec = [new InputSpec({ shape: this.batchInputShape })];
    const tensor = new SymbolicTensor(this.dtype, this.batchInputShape, this, [], {}, this.name);
    tensor.nodeIndex = 0;
    tensor.tensorIndex = 0;
    new Node({ outboundLayer: this, inputTensors: [tensor], outputTensors: [tensor] }, {}, true);
  }

  override apply(): never {
    throw new Error(`Cannot pass any input to an InputLayer's apply() method. InputLayer name: ${this.name}`);
  }
  /** @internal */
  protected override free(): number {
    return 0;
  }
  override dispose(): DisposeResult {
    return { refCountAfterDispose: this._refCount, numDisposedVariables: 0 };
  }
  override getConfig(): ConfigDict {
    return { batchInputShape: this.batchInputShape as never, dtype: this.dtype!, sparse: this.sparse, name: this.name };
  }
}

registerClass(InputLayer);

/** Arguments of tf.input(). */
export interface InputConfig {
  /** Shape of the input without the batch dimension. */
  shape?: Shape;
  /** Shape of the input with the batch dimension; used instead of `shape`. */
  batchShape?: Shape;
  /** Name of the input. */
  name?: string;
  /** Type of the input: float32 by default. */
  dtype?: DataType;
  /** Kept for configurations only. */
  sparse?: boolean;
}

/**
 * Returns a symbolic tensor that is an input of a model. Throws unless exactly one of `shape`, without the batch dimension, and
 * `batchShape` is given.
 * @example
 * const x = tf.input({ shape: [3] });
 * x.shape; // [null, 3]
 * const model = tf.model({ inputs: x, outputs: tf.layers.dense({ units: 2 }).apply(x) });
 * model.outputs[0].shape; // [null, 2]
 * model.dispose();
 */
export function input({ shape, batchShape, name, dtype, sparse }: InputConfig): SymbolicTensor {
  if (!batchShape && !shape) {
    throw new Error(
      'Please provide to Input either a `shape` or a `batchShape` argument. Note that `shape` does not include the batch dimension.',
    );
  }
  if (batchShape && shape)
    throw new Error('Please provide either a `shape` or `batchShape` argument to Input, but not both.');
  const layer = new InputLayer({ batchInputShape: batchShape ?? [null, ...shape!], name, dtype, sparse });
  return layer.inboundNodes[0]!.outputTensors[0]!;
}

/**
 * Returns a layer that stands for an input of a model, to be the first one of a sequential model.
 * @example
 * const model = tf.sequential();
 * model.add(tf.layers.inputLayer({ inputShape: [4] }));
 * model.add(tf.layers.dense({ units: 2 }));
 * model.countParams(); // 10: 4 x 2 weights and 2 biases
 * model.dispose();
 */
export const inputLayer = (args: InputLayerArgs): InputLayer => new InputLayer(args);
