import { deserializeLayer } from './layers/engine_layer.js';
import type { ClassConfig } from './identifiers.js';
import type { Layer } from './layers/layer.js';
import { singletonOrArray } from '../util/array_utils.js';
import type { Kwargs } from './layers/symbolic_tensor.js';

/** Reference to a symbolic tensor in a configuration: output `tensor` of call `node` of `layer`. */
export type TensorRef = [layer: string, node: number, tensor: number, kwargs?: Kwargs];

export interface FunctionalConfig {
  name: string;
  layers: (ClassConfig & { name: string; inboundNodes: TensorRef[][] })[];
  inputLayers: TensorRef | TensorRef[];
  outputLayers: TensorRef | TensorRef[];
}

/** Returns one reference, or an array of references, as an array of references. */
export function toRefList(refs: TensorRef | TensorRef[]): TensorRef[] {
  return typeof refs[0] === 'string' ? [refs as TensorRef] : (refs as TensorRef[]);
}

/**
 * Creates the layers of a Functional model and makes their calls in topological order. Throws if a reference is unknown or
 * the calls form a cycle; the layers are then freed.
 */
export function buildGraph(rows: FunctionalConfig['layers'], customObjects?: object): Map<string, Layer> {
  const layers = new Map<string, Layer>();
  try {
    for (const row of rows) layers.set(row.name, deserializeLayer(row, customObjects));
    let waiting = rows
      .map(({ name, inboundNodes }) => ({ name, calls: [...inboundNodes] }))
      .filter(({ calls }) => calls.length > 0);
    while (waiting.length > 0) {
      const made = waiting.reduce((count, { name, calls }) => count + callReadyLayers(layers, name, calls), 0);
      if (made === 0) throw new Error(`Layer "${waiting[0]!.name}" has an unknown input or is part of a cycle.`);
      waiting = waiting.filter(({ calls }) => calls.length > 0);
    }
    return layers;
  } catch (error) {
    for (const layer of layers.values()) layer.freeUnretained();
    throw error;
  }
}

function callReadyLayers(layers: Map<string, Layer>, name: string, calls: TensorRef[][]): number {
  let count = 0;
  for (let call = calls[0]; call; call = calls[0]) {
    const inputs = call.map(([from, node, tensor]) => layers.get(from)?.inboundNodes[node]?.outputTensors[tensor]);
    const ready = inputs.filter((x) => x !== undefined);
    if (ready.length < inputs.length) break;
    layers.get(name)!.apply(singletonOrArray(ready), call[0]?.[3] ?? {});
    calls.shift();
    count++;
  }
  return count;
}
