import type { Container } from './container.js';
import type { Layer } from './layers/layer.js';
import { countParamsIn } from './layers/layer_weights.js';
import type { Node } from './layers/symbolic_tensor.js';

type PrintFn = (message?: unknown, ...others: unknown[]) => void;

/** Prints the summary of a model as TensorFlow.js does, line by line. */
export function printSummary(
  model: Container,
  lineLength: number | undefined,
  positions: number[] | undefined,
  printFn: PrintFn,
): void {
  const isChain = isSequentialLike(model);
  const length = lineLength || (isChain ? 90 : 115);
  const ends = positions ?? (isChain ? [0.32, 0.61, 0.89, 1] : [0.24, 0.48, 0.7, 0.8, 1]);
  const columns = ends.at(-1)! <= 1 ? ends.map((end) => Math.floor(length * end)) : ends;
  const print = (fields: string[]) => printFn(formatRow(fields, columns));
  const rule = (mark: string) => printFn(mark.repeat(length));

  rule('_');
  print(['Layer (type)', 'Input Shape', 'Output shape', 'Param #', ...(isChain ? [] : ['Receives inputs'])]);
  rule('=');
  for (const [i, layer] of model.layers.entries()) {
    const fields = formatLayer(layer);
    if (isChain) {
      print(fields);
    } else {
      const [first = '', ...others] = formatConnections(layer, [...model.nodesByDepth.values()].flat());
      print([...fields, first]);
      for (const other of others) print(['', '', '', '', other]);
    }
    rule(i === model.layers.length - 1 ? '=' : '_');
  }
  const trainable = countParamsIn(model.trainableWeights);
  const others = countParamsIn(model.nonTrainableWeights);
  printFn(`Total params: ${trainable + others}`);
  printFn(`Trainable params: ${trainable}`);
  printFn(`Non-trainable params: ${others}`);
  rule('_');
}

/** True if the calls form a chain: one at each depth, and no layer called twice. */
function isSequentialLike(model: Container): boolean {
  const nodes = new Set<Node>();
  for (const atDepth of model.nodesByDepth.values()) {
    if (atDepth.length > 1 || atDepth[0]!.inboundLayers.length > 1) return false;
    nodes.add(atDepth[0]!);
  }
  return model.layers.every((layer) => layer.inboundNodes.filter((node) => nodes.has(node)).length <= 1);
}

function formatRow(fields: string[], columns: number[]): string {
  let line = '';
  for (const [i, field] of fields.entries()) {
    if (i > 0) line = `${line.slice(0, -1)} `;
    line = (line + field).slice(0, columns[i]).padEnd(columns[i]!);
  }
  return line;
}

function formatLayer(layer: Layer): string[] {
  const inputs = layer.inboundNodes.map(({ inputShapes }) => JSON.stringify(inputShapes)).join(',');
  let outputs: string;
  try {
    outputs = JSON.stringify(layer.outputShape);
  } catch {
    outputs = 'multiple';
  }
  return [`${layer.name} (${layer.getClassName()})`, inputs, outputs, String(layer.countParams())];
}

function formatConnections(layer: Layer, relevant: Node[]): string[] {
  return layer.inboundNodes
    .filter((node) => relevant.includes(node))
    .flatMap((node) =>
      node.inboundLayers.map(({ name }, i) => `${name}[${node.nodeIndices[i]}][${node.tensorIndices[i]}]`),
    );
}
