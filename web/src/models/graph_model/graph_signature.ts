// The signature of a graph: names, shapes and dtypes of its inputs and outputs.
import type { ModelTensorInfo } from '../../io/types.js';
import { kDataTypes, type DataType, type Shape } from '../../runtime/types.js';
import type { GraphDescription } from '../graph_description.js';

/** Input or output of a graph. */
interface SignatureEntry {
  /** Name of the node, and the index of its output: "x:0". */
  name?: string;
  /** Number of a resource, such as a table, that the graph gets instead of a tensor. */
  resourceId?: number;
}
/** Inputs and outputs of a graph, by the names chosen when it was exported. */
export interface ModelSignature {
  /** Inputs by name. */
  inputs?: Record<string, SignatureEntry>;
  /** Outputs by name. */
  outputs?: Record<string, SignatureEntry>;
}

export interface GraphInterface {
  signature: ModelSignature | undefined;
  inputs: ModelTensorInfo[];
  outputs: ModelTensorInfo[];
  inputNodes: string[];
  outputNodes: string[];
}

/** Returns the inputs and outputs that the signature names, or else the graph's placeholders and leaves. */
export function getInterface(
  { inputs, leaves }: GraphDescription,
  signature: ModelSignature | undefined,
): GraphInterface {
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const named = (entries: Record<string, SignatureEntry> | undefined, otherwise: string[]) => {
    const signed = Object.entries(entries ?? {}).flatMap(([key, { name, resourceId }]) =>
      name && typeof resourceId !== 'number' ? [{ key, node: name.split(':')[0]! }] : [],
    );
    return signed.length > 0 ? signed : otherwise.map((node) => ({ key: node, node }));
  };
  const info = ({ node }: { node: string }): ModelTensorInfo => {
    const found = byName.get(node);
    const shape = found?.shape?.map((extent) => extent ?? -1) as Shape | undefined;
    const dtype = typeof found?.dtype === 'number' ? kDataTypes[found.dtype] : undefined;
    return { name: node, shape: shape!, dtype: dtype as DataType };
  };
  const given = named(
    signature?.inputs,
    inputs.map(({ name }) => name),
  );
  const wanted = named(signature?.outputs, leaves);
  return {
    signature,
    inputs: given.map(info),
    outputs: wanted.map(info),
    inputNodes: given.map(({ key }) => key),
    outputNodes: wanted.map(({ key }) => key),
  };
}

/** Returns the names of placeholders for resources, each with the name of the initializer's output of the same resourceId. */
export function getCaptures(
  signature: ModelSignature | undefined,
  initializer: ModelSignature | undefined,
): (string | undefined)[][] {
  const made = Object.values(initializer?.outputs ?? {});
  return Object.values(signature?.inputs ?? {}).flatMap(({ name, resourceId }) => {
    const output = typeof resourceId === 'number' && made.find((entry) => entry.resourceId === resourceId);
    return output ? [[name, output.name]] : [];
  });
}
