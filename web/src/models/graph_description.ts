// The description of a graph that the engine has loaded, as calls of the engine pass it to JavaScript.
import type { Shape } from '../runtime/types.js';
import type { RawAttributes } from './graph_model/registered_ops.js';

/** Node of a GraphDef, as model.json stores it. */
export type RawNode = {
  /** Name of the node. */
  name: string;
  /** Name of the op. */
  op: string;
  /** Attributes of the op by name. */
  attr?: RawAttributes;
};
/** Function of a GraphDef's library, with the keys of TensorFlow's JSON (nodeDef) or of its text format (node_def). */
interface RawFunction {
  signature: { name: string };
  nodeDef?: RawNode[];
  node_def?: RawNode[];
}
export interface Topology {
  versions?: { producer?: number | string; minConsumer?: number | string };
  node: RawNode[];
  library?: { function?: RawFunction[] };
}

/** Input or output of a graph. */
export interface GraphPort {
  name: string;
  shape: Shape | null;
  dtype: number | null;
  /** Element type in the file's own words, such as 'int64'; empty if it has none. */
  type: string;
  /** Names of the extents, '' for those without; empty if none has one. */
  symbols: string[];
  /** Kind of the value, or '' for a tensor. `shape`, `dtype` and `type` are then those of its tensors. */
  container: '' | PortContainer;
}

/** Kind of a value that is not a tensor: a list of tensors, a tensor or nothing, or a list or nothing. */
export type PortContainer = 'sequence' | 'optional' | 'optional sequence';

/** Meaning of stored integers: real = scale * (stored - zeroPoint). */
export interface TFLiteQuantization {
  /** Distance of two neighboring values. */
  scale: number;
  /** Integer that stands for 0. */
  zeroPoint: number;
}

/** A signature of a TensorFlow Lite model: the names of its inputs and outputs. */
export interface TFLiteSignature {
  /** Key of the signature, such as 'serving_default'. */
  key: string;
  /** Names of the inputs. */
  inputs: string[];
  /** Names of the outputs. */
  outputs: string[];
}

/** Facts of a model's file, which its importer passes to JavaScript. */
export interface GraphFile {
  /** Quantization of each input that a program gives; null if it is not quantized. */
  inputs: (TFLiteQuantization | null)[];
  /** Quantization of each output that a program gets; null if it is not quantized. */
  outputs: (TFLiteQuantization | null)[];
  /** Inputs and outputs by their names in the signature of this graph, with the names of their tensors. */
  signature: Record<'inputs' | 'outputs', Record<string, { name: string }>>;
  /** Names of the inputs in a call by name. */
  inputNodes: string[];
  /** Names of the outputs in a call by name. */
  outputNodes: string[];
  /** All signatures of the file. */
  signatures: TFLiteSignature[];
  /** Variables: inputs that have their values, outputs with the next ones, weights with the first ones ('' for zeros). */
  states: { name: string; next: string; initial: string; dtype: number; shape: number[] }[];
  /** Nodes that run outside the engine, as a GraphDef has them. */
  topology: Topology;
}

/** Description of a loaded graph, as the engine returns it. */
export interface GraphDescription {
  inputs: GraphPort[];
  /** Outputs that the file declares; empty if its format declares none. */
  outputs: GraphPort[];
  /** Names of the nodes that no other node reads; none for a file with `file`. */
  leaves: string[];
  weights: { id: number; name: string; shape: number[]; dtype: number }[];
  /** Null if the format has no more to say. */
  file: GraphFile | null;
}
