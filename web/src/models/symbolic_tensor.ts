import type { DataType, Shape } from '../runtime/types.js';
import { nextTensorId, releaseName, scopedName, uniqueName } from './names.js';

/** A layer, as far as its calls know it. */
export interface CalledLayer {
  name: string;
  inboundNodes: Node[];
  outboundNodes: Node[];
}

/** Nobody disposes a symbolic tensor: its name is free when it is collected, which is as good, as it holds no memory of the engine. */
const bearers = new FinalizationRegistry(([name, unique]: [string, string]) => releaseName(name, unique));

/**
 * What will flow between layers: a shape and a type, and the call of the layer that it comes from.
 * @example
 * const x = tf.input({ shape: [8, 8, 1] });
 * const y = tf.layers.maxPooling2d({ poolSize: 2 }).apply(x);
 * y instanceof tf.SymbolicTensor; // true
 * y.shape; // [null, 4, 4, 1]
 */
export class SymbolicTensor {
  /** A number of its own. */
  readonly id = nextTensorId();
  /** The name that it was given, made unique. */
  readonly name!: string;
  /** The name that it was given. */
  readonly originalName!: string;
  /** Number of dimensions, the batch among them. */
  readonly rank: number;
  /** The number of the layer's call, and of the output. */
  nodeIndex!: number;
  /** Which output of that call it is. */
  tensorIndex!: number;

  constructor(
    readonly dtype: DataType,
    readonly shape: Shape,
    public sourceLayer: CalledLayer,
    readonly inputs: SymbolicTensor[],
    readonly callArgs: Kwargs,
    name?: string,
    readonly outputTensorIndex?: number,
  ) {
    if (name !== undefined) {
      this.originalName = scopedName(name);
      this.name = uniqueName(this.originalName);
      bearers.register(this, [this.originalName, this.name]);
    }
    this.rank = shape.length;
  }
}

/** Named arguments of a layer's call. */
export type Kwargs = Record<string, unknown>;

let nextNodeId = 0;

export interface NodeArgs {
  outboundLayer: CalledLayer;
  inputTensors: SymbolicTensor[];
  outputTensors: SymbolicTensor[];
}

/** A call of a layer: which tensors it takes, and which it gives. */
export class Node {
  readonly id = nextNodeId++;
  readonly outboundLayer: CalledLayer;
  readonly inboundLayers: CalledLayer[];
  readonly nodeIndices: number[];
  readonly tensorIndices: number[];
  readonly inputTensors: SymbolicTensor[];
  outputTensors: SymbolicTensor[];

  constructor(
    { outboundLayer, inputTensors, outputTensors }: NodeArgs,
    readonly callArgs: Kwargs = {},
    isInput = false,
  ) {
    this.outboundLayer = outboundLayer;
    this.inputTensors = inputTensors;
    this.outputTensors = outputTensors;
    this.inboundLayers = isInput ? [] : inputTensors.map(({ sourceLayer }) => sourceLayer);
    this.nodeIndices = isInput ? [] : inputTensors.map(({ nodeIndex }) => nodeIndex);
    this.tensorIndices = isInput ? [] : inputTensors.map(({ tensorIndex }) => tensorIndex);
    // A program may make a symbolic tensor that no layer gives.
    for (const layer of this.inboundLayers) layer?.outboundNodes.push(this);
    outboundLayer.inboundNodes.push(this);
  }

  get inputShapes(): Shape[] {
    return this.inputTensors.map(({ shape }) => shape);
  }
  get outputShapes(): Shape[] {
    return this.outputTensors.map(({ shape }) => shape);
  }
}
