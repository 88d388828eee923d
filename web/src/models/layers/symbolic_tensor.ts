import type { DataType, Shape } from '../../runtime/types.js';
import { nextTensorId, releaseName, scopedName, uniqueName } from '../names.js';

/** The part of a layer that nodes and symbolic tensors use. */
export interface CalledLayer {
  /** Name of the layer. */
  name: string;
  /** Calls of the layer. */
  inboundNodes: Node[];
  /** Calls, of any layers, that take an output of the layer. */
  outboundNodes: Node[];
}

/**
 * Releases the name of a symbolic tensor when it is garbage-collected. Symbolic tensors are never disposed; they hold no memory
 * of the engine, so that collection is soon enough.
 */
const bearers = new FinalizationRegistry(([name, unique]: [string, string]) => releaseName(name, unique));

/**
 * Symbolic input or output of a layer's call: a shape and a dtype without values, and the call that produces it.
 * @example
 * const x = tf.input({ shape: [8, 8, 1] });
 * const y = tf.layers.maxPooling2d({ poolSize: 2 }).apply(x);
 * y instanceof tf.SymbolicTensor; // true
 * y.shape; // [null, 4, 4, 1]
 */
export class SymbolicTensor {
  /** Unique number of the tensor. */
  readonly id = nextTensorId();
  /** Original name, with a suffix if another tensor has it. */
  readonly name!: string;
  /** Name as given, prefixed with the open name scopes. */
  readonly originalName!: string;
  /** Number of dimensions, including the batch dimension. */
  readonly rank: number;
  /** Index, in `sourceLayer.inboundNodes`, of the call that produces the tensor. */
  nodeIndex!: number;
  /** Index of the tensor among the outputs of the call that produces it. */
  tensorIndex!: number;

  /**
   * Creates a symbolic tensor.
   * @param dtype Type of the elements.
   * @param shape Shape including the batch dimension; null is an unknown extent.
   * @param sourceLayer Layer whose call produces the tensor.
   * @param inputs Inputs of that call.
   * @param callArgs Keyword arguments of that call.
   * @param name Name, which is made unique.
   * @param outputTensorIndex Index of the tensor among the outputs of that call.
   */
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

/** Keyword arguments of a layer's call. */
export type Kwargs = Record<string, unknown>;

let nextNodeId = 0;

/** Arguments of the constructor of Node. */
export interface NodeArgs {
  /** Layer that is called. */
  outboundLayer: CalledLayer;
  /** Inputs of the call. */
  inputTensors: SymbolicTensor[];
  /** Outputs of the call. */
  outputTensors: SymbolicTensor[];
}

/** One call of a layer: its input and output tensors, and the calls that produce the inputs. */
export class Node {
  /** Unique number of the call. */
  readonly id = nextNodeId++;
  /** Layer that is called. */
  readonly outboundLayer: CalledLayer;
  /** Layer that produces each input; empty for an input of a model. */
  readonly inboundLayers: CalledLayer[];
  /** Index, in `inboundNodes` of its layer, of the call that produces each input. */
  readonly nodeIndices: number[];
  /** Index of each input among the outputs of the call that produces it. */
  readonly tensorIndices: number[];
  /** Inputs of the call. */
  readonly inputTensors: SymbolicTensor[];
  /** Outputs of the call. */
  outputTensors: SymbolicTensor[];

  /**
   * Records a call in its layer, and in the layers that produce its inputs.
   * @param args Layer, inputs and outputs.
   * @param callArgs Keyword arguments of the call.
   * @param isInput True if the layer is an input of a model: its tensors have no call that produces them.
   */
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
    // A program may construct a symbolic tensor without a source layer.
    for (const layer of this.inboundLayers) layer?.outboundNodes.push(this);
    outboundLayer.inboundNodes.push(this);
  }

  /** Shape of each input. */
  get inputShapes(): Shape[] {
    return this.inputTensors.map(({ shape }) => shape);
  }
  /** Shape of each output. */
  get outputShapes(): Shape[] {
    return this.outputTensors.map(({ shape }) => shape);
  }
}
