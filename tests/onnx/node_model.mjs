// Models of one node, or of a few, as cases describe them.
import { onnxModel } from '../bench/onnx.mjs';

/**
 * Returns the model of a case, its names of outputs, and its inputs by name. `inputs` are tensors, or null for those that are left
 * out; those with `isConstant` are initializers. A case has one node, or `nodes` that name the inputs "x0", "x1", ... and the outputs
 * "y0", "y1", ...
 */
export function makeModel({
  op,
  domain = '',
  version,
  domainVersion = 1,
  nodes,
  inputs,
  attributes,
  outputs,
  types = [],
}) {
  const named = inputs.map((tensor, i) => ({ name: tensor ? `x${i}` : '', tensor }));
  const given = named.filter(({ tensor }) => tensor);
  const constants = given.filter(({ tensor }) => tensor.isConstant);
  const feeds = given.filter(({ tensor }) => !tensor.isConstant);
  const names = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const used = Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined);
  const single = {
    op,
    domain,
    inputs: named.map(({ name }) => name),
    outputs: names,
    attributes: Object.fromEntries(used),
  };
  const bytes = onnxModel({
    nodes: nodes ?? [single],
    constants: Object.fromEntries(constants.map(({ name, tensor }) => [name, tensor])),
    inputs: feeds.map(({ name, tensor }) => ({ name, shape: tensor.shape, type: tensor.type })),
    outputs: names.map((name, i) => ({ name, type: types[i] ?? outputType(op, inputs) })),
    opsets: { '': version ?? 17, ...(domain && { [domain]: domainVersion }) },
  });
  return { bytes, names, feeds: Object.fromEntries(feeds.map(({ name, tensor }) => [name, tensor])) };
}

function outputType(op, inputs) {
  if (op === 'MatMulInteger' || op === 'ConvInteger' || op.startsWith('Bitwise')) return 'int32';
  if (op === 'QLinearConv' || op === 'QLinearMatMul') return inputs[7].type;
  if (op === 'QGemm') return inputs[8]?.type ?? 'float32';
  if (op.startsWith('QLinear')) return inputs[1].type === 'float32' ? inputs[0].type : inputs[1].type;
  if (op.startsWith('String')) return 'string';
  return op === 'QuantizeLinear' ? inputs[2].type : 'float32';
}
