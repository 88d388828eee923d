// Products between QuantizeLinear and DequantizeLinear, as static quantizers write them. The weights are random.
import { GraphWriter } from '../bench/quantized_models.mjs';

/** Writes values of 8 bits and their DequantizeLinear. Returns the name of the result. */
function dequantizedWeights(graph, name, shape, axis) {
  const count = axis === undefined ? [] : [shape[axis]];
  graph.constants[`${name} zero`] = { type: 'int8', shape: count, values: new Int8Array(count[0] ?? 1) };
  const inputs = [graph.bytes(name, shape, 'int8'), graph.floats(`${name} scale`, count, 0.002, 0.01), `${name} zero`];
  return graph.node('DequantizeLinear', inputs, axis === undefined ? {} : { axis });
}

function quantized(graph, x, scale, zero) {
  const name = `of ${x}`;
  graph.constants[`scale ${name}`] = { shape: [], values: Float32Array.of(scale) };
  graph.constants[`zero ${name}`] = { type: 'uint8', shape: [], values: Uint8Array.of(zero) };
  const inputs = [`scale ${name}`, `zero ${name}`];
  return graph.node('DequantizeLinear', [graph.node('QuantizeLinear', [x, ...inputs]), ...inputs]);
}

/** Returns the models: their bytes by name, and the shape of the input "x". */
export function qdqModels() {
  const models = [];
  for (const axis of [undefined, 1]) {
    const graph = new GraphWriter();
    const product = graph.node('MatMul', [
      quantized(graph, 'x', 0.02, 120),
      dequantizedWeights(graph, 'w', [40, 32], axis),
    ]);
    const y = quantized(graph, graph.node('Add', [product, graph.floats('bias', [32])]), 0.05, 100);
    models.push({
      name: `product, axis ${axis}`,
      bytes: graph.model([{ name: 'x', shape: [2, 3, 40] }], [{ name: y }]),
      shape: [2, 3, 40],
    });
  }
  for (const transB of [0, 1]) {
    const graph = new GraphWriter();
    const weights = dequantizedWeights(graph, 'w', transB ? [32, 40] : [40, 32], transB ? 0 : 1);
    const inputs = [quantized(graph, 'x', 0.02, 120), weights, graph.floats('bias', [32])];
    const y = quantized(graph, graph.node('Gemm', inputs, { transB }), 0.05, 100);
    models.push({
      name: `Gemm, transB ${transB}`,
      bytes: graph.model([{ name: 'x', shape: [3, 40] }], [{ name: y }]),
      shape: [3, 40],
    });
  }
  for (const group of [1, 2, 8]) {
    const graph = new GraphWriter();
    const weights = dequantizedWeights(graph, 'w', [16, 8 / group, 3, 3], 0);
    const inputs = [quantized(graph, 'x', 0.02, 120), weights, graph.floats('bias', [16])];
    const sums = graph.node('Conv', inputs, { group, pads: [1, 1, 1, 1], strides: [2, 1] });
    const y = quantized(graph, graph.node('Relu', [sums]), 0.05, 0);
    models.push({
      name: `convolution of ${group} groups`,
      bytes: graph.model([{ name: 'x', shape: [1, 8, 9, 7] }], [{ name: y }]),
      shape: [1, 8, 9, 7],
    });
  }
  return models;
}
