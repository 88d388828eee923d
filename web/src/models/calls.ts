import { deserializeLayer } from './engine_layer.js';
import type { ClassConfig } from './identifiers.js';
import type { Layer } from './layer.js';
import { singletonOrArray } from './lists.js';
import type { Kwargs } from './symbolic_tensor.js';

/** Output `tensor` of call `node` of a layer, as configurations name it. */
export type Ref = [layer: string, node: number, tensor: number, kwargs?: Kwargs];

export interface FunctionalConfig {
  name: string;
  layers: (ClassConfig & { name: string; inboundNodes: Ref[][] })[];
  inputLayers: Ref | Ref[];
  outputLayers: Ref | Ref[];
}

/** One connection or a list of them, as a list. */
export function refsIn(refs: Ref | Ref[]): Ref[] {
  return typeof refs[0] === 'string' ? [refs as Ref] : (refs as Ref[]);
}

/** Makes the layers of a Functional model, and calls each once all that a call reads is there. Throws where that never comes. */
export function callLayers(rows: FunctionalConfig['layers'], customObjects?: object): Map<string, Layer> {
  const layers = new Map<string, Layer>();
  try {
    for (const row of rows) layers.set(row.name, deserializeLayer(row, customObjects));
    let waiting = rows.map(({ name, inboundNodes }) => ({ name, calls: [...inboundNodes] })).filter(({ calls }) => calls.length > 0);
    while (waiting.length > 0) {
      const made = waiting.reduce((count, { name, calls }) => count + callWhatIsReady(layers, name, calls), 0);
      if (made === 0) throw new Error(`The connections of layer "${waiting[0]!.name}" lead nowhere, or form a cycle.`);
      waiting = waiting.filter(({ calls }) => calls.length > 0);
    }
    return layers;
  } catch (error) {
    for (const layer of layers.values()) layer.abandon();
    throw error;
  }
}

function callWhatIsReady(layers: Map<string, Layer>, name: string, calls: Ref[][]): number {
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
