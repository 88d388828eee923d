import type { DataType, Shape } from '../runtime/types.js';
import { registerClass, type ConfigDict } from '../train/serialization.js';
import { InputSpec } from './input_spec.js';
import { Layer, type DisposeResult } from './layer.js';
import { getUid } from './names.js';
import { Node, SymbolicTensor } from './symbolic_tensor.js';

export interface InputLayerArgs {
  inputShape?: Shape;
  batchSize?: number;
  batchInputShape?: Shape;
  dtype?: DataType;
  sparse?: boolean;
  name?: string;
}

/** Where a model's input comes in. */
export class InputLayer extends Layer {
  static readonly className = 'InputLayer';
  readonly sparse: boolean;

  constructor({ inputShape, batchSize, batchInputShape, dtype, sparse, name }: InputLayerArgs) {
    super({ name: name ?? getUid('input') });
    this.trainable = false;
    this.built = true;
    this.sparse = sparse ?? false;
    if (inputShape && batchInputShape) {
      throw new Error('Only provide the inputShape OR batchInputShape argument to inputLayer, not both at the same time.');
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

registerClass(InputLayer as never);

export interface InputConfig {
  shape?: Shape;
  batchShape?: Shape;
  name?: string;
  dtype?: DataType;
  sparse?: boolean;
}

/**
 * A symbolic tensor that a model begins with; `shape` is without the batch.
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
  if (batchShape && shape) throw new Error('Please provide either a `shape` or `batchShape` argument to Input, but not both.');
  const layer = new InputLayer({ batchInputShape: batchShape ?? [null, ...shape!], name, dtype, sparse });
  return layer.inboundNodes[0]!.outputTensors[0]!;
}

/**
 * A layer that is an input of a model, for the first place of a sequential one.
 * @example
 * const model = tf.sequential();
 * model.add(tf.layers.inputLayer({ inputShape: [4] }));
 * model.add(tf.layers.dense({ units: 2 }));
 * model.countParams(); // 10: 4 x 2 weights and 2 biases
 * model.dispose();
 */
export const inputLayer = (args: InputLayerArgs): InputLayer => new InputLayer(args);
