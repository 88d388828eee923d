import type { Layer } from './layers/layer.js';
import { InputLayer } from './layers/input_layer.js';
import type { Node, SymbolicTensor } from './layers/symbolic_tensor.js';

/** Graph of a model: the calls between its inputs and outputs, and the layers that are called. */
export interface ModelGraph {
  /** Calls in topological order. */
  nodes: Node[];
  /** Layers by decreasing depth, the distance from the outputs; those of equal depth in the order of discovery. */
  layers: Layer[];
  nodesByDepth: Map<number, Node[]>;
}

/** Returns the layer that a node calls. */
export const getCalledLayer = (node: Node): Layer => node.outboundLayer as Layer;
/** Returns the layer whose call produces a symbolic tensor. */
export const getSourceLayer = (x: SymbolicTensor): Layer => x.sourceLayer as Layer;

/** Returns the graph between inputs and outputs. Throws if it has a cycle, or a tensor that the inputs do not determine. */
export function findGraph(inputs: SymbolicTensor[], outputs: SymbolicTensor[]): ModelGraph {
  const { nodes, found } = sortTopologically(outputs);
  const nodeDepths = new Map<Node, number>();
  const layerDepths = new Map<Layer, number>();
  for (const node of [...nodes].reverse()) {
    const layer = getCalledLayer(node);
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

/** Returns all calls that the outputs depend on, in topological order, and their layers in the order of discovery. */
function sortTopologically(outputs: SymbolicTensor[]): { nodes: Node[]; found: Layer[] } {
  const done = new Set<Node>();
  const open = new Set<Node>();
  const found = new Set<Layer>();
  // An explicit stack instead of recursion: a model may be deeper than the call stack.
  const stack: { node: Node; next: number; tensor: SymbolicTensor }[] = [];
  const enter = (tensor: SymbolicTensor) => {
    const node = tensor.sourceLayer.inboundNodes[tensor.nodeIndex]!;
    if (open.has(node))
      throw new Error(`The tensor ${tensor.name} at layer "${tensor.sourceLayer.name}" is part of a cycle.`);
    if (done.has(node)) return;
    open.add(node);
    found.add(getCalledLayer(node));
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

/** Returns the inputs that a tensor depends on. */
export function getSourceInputs(tensor: SymbolicTensor): SymbolicTensor[] {
  return sortTopologically([tensor])
    .nodes.filter(({ outboundLayer }) => outboundLayer instanceof InputLayer)
    .map((node) => node.outputTensors[0]!);
}
