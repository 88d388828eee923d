import type { Layer } from './layer.js';
import { InputLayer } from './input_layer.js';
import type { Node, SymbolicTensor } from './symbolic_tensor.js';

/** The calls between a model's inputs and its outputs, and the layers that are called. */
export interface ModelGraph {
  /** Each after those whose outputs it takes. */
  nodes: Node[];
  /** From the inputs on; those as far from the outputs as each other in the order in which they were found. */
  layers: Layer[];
  nodesByDepth: Map<number, Node[]>;
}

/** The layer that is called. */
export const layerOf = (node: Node): Layer => node.outboundLayer as Layer;

/** Walks from the outputs to the inputs. Throws for a cycle, and where a tensor leads to none of the inputs. */
export function findGraph(inputs: SymbolicTensor[], outputs: SymbolicTensor[]): ModelGraph {
  const { nodes, found } = walk(outputs);
  const nodeDepths = new Map<Node, number>();
  const layerDepths = new Map<Layer, number>();
  for (const node of [...nodes].reverse()) {
    const layer = layerOf(node);
    const depth = Math.max(nodeDepths.get(node) ?? 0, layerDepths.get(layer) ?? 0);
    nodeDepths.set(node, depth);
    layerDepths.set(layer, depth);
    for (const [i, inbound] of node.inboundLayers.entries()) {
      const before = inbound.inboundNodes[node.nodeIndices[i]!]!;
      nodeDepths.set(before, Math.max(depth + 1, nodeDepths.get(before) ?? 0));
    }
  }
  checkConnected(nodes, inputs);
  const layers = [...found].sort((a, b) => layerDepths.get(b)! - layerDepths.get(a)!);
  const nodesByDepth = new Map<number, Node[]>();
  for (const [node, depth] of [...nodeDepths].sort(([a], [b]) => a.id - b.id)) {
    nodesByDepth.set(depth, [...(nodesByDepth.get(depth) ?? []), node]);
  }
  return { nodes, layers, nodesByDepth };
}

/** All calls that the outputs rest on, in an order in which they can run, and the layers as they were met. */
function walk(outputs: SymbolicTensor[]): { nodes: Node[]; found: Layer[] } {
  const done = new Set<Node>();
  const open = new Set<Node>();
  const found = new Set<Layer>();
  // By hand, as a model may be deeper than the stack.
  const stack: { node: Node; next: number; tensor: SymbolicTensor }[] = [];
  const enter = (tensor: SymbolicTensor) => {
    const node = tensor.sourceLayer.inboundNodes[tensor.nodeIndex]!;
    if (open.has(node)) throw new Error(`The tensor ${tensor.name} at layer "${tensor.sourceLayer.name}" is part of a cycle.`);
    if (done.has(node)) return;
    open.add(node);
    found.add(layerOf(node));
    stack.push({ node, next: 0, tensor });
  };
  for (const output of outputs) {
    enter(output);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      if (top.next < top.node.inboundLayers.length) {
        enter(top.node.inputTensors[top.next++]!);
      } else {
        stack.pop();
        open.delete(top.node);
        done.add(top.node);
      }
    }
  }
  return { nodes: [...done], found: [...found] };
}

function checkConnected(nodes: Node[], inputs: SymbolicTensor[]): void {
  const computable = new Set(inputs);
  const passed: string[] = [];
  for (const { inputTensors, outputTensors, outboundLayer } of nodes) {
    const missing = inputTensors.find((x) => !computable.has(x));
    if (missing) {
      throw new Error(
        `Graph disconnected: cannot obtain value for tensor ${missing.name} at layer "${outboundLayer.name}". The following previous layers were accessed without issue: ${passed}`,
      );
    }
    for (const x of outputTensors) computable.add(x);
    passed.push(outboundLayer.name);
  }
}

/** The inputs that a tensor rests on. */
export function sourceInputs(tensor: SymbolicTensor): SymbolicTensor[] {
  return walk([tensor]).nodes.filter(({ outboundLayer }) => outboundLayer instanceof InputLayer).map((node) => node.outputTensors[0]!);
}
