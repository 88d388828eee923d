// Gives an int8 model inputs and outputs of float32, as LiteRT.js has no int8 tensors.
import { readGraph } from './reader.mjs';
import { float32, int32, int8, tfliteFile } from './writer.mjs';

const kQuantize = 114;
const kDequantize = 6;
const kTypes = { 0: 'float32', 2: 'int32', 3: 'uint8', 9: 'int8' };
const bytesAndInts = (kinds) => (table) =>
  [...kinds].map((kind, i) => (kind === 'b' ? int8(table.number(i, 'Int8')) : int32(table.number(i))));

/** Types of the options of builtin ops by code, and functions that copy them. */
const kOptions = {
  0: [11, bytesAndInts('b')],
  1: [5, bytesAndInts('biiiib')],
  3: [1, (table) => [...bytesAndInts('biib')(table), ...[4, 5].map((field) => int32(table.number(field, 'Int32', 1)))]],
  4: [
    2,
    (table) => [...bytesAndInts('biiib')(table), ...[5, 6].map((field) => int32(table.number(field, 'Int32', 1)))],
  ],
  9: [8, bytesAndInts('bb')],
  25: [9, (table) => [float32(table.number(0, 'Float32'))]],
};

/** Returns the bytes of a model with a QUANTIZE node before, and a DEQUANTIZE node behind an int8 model of one input and output. */
export function withFloatEnds(file) {
  const graph = readGraph(file);
  const tensors = graph.tensors.map(({ shape, type, values, scales, zeros, dimension }) => ({
    shape,
    type: kTypes[type],
    values,
    ...(scales.length > 0 && { quantization: { scale: scales, zeroPoint: zeros, dimension } }),
  }));
  const operators = graph.operators.map(({ code, inputs, outputs, options }) => {
    const [type, copy] = (options && kOptions[code]) ?? [];
    return {
      code,
      inputs,
      outputs,
      version: code === 3 || code === 4 ? 3 : 1,
      ...(copy && { type, options: copy(options) }),
    };
  });
  const end = (tensor) => tensors.push({ shape: tensors[tensor].shape }) - 1;
  const [input] = graph.inputs;
  const [output] = graph.outputs;
  const first = end(input);
  const last = end(output);
  return tfliteFile({
    graphs: [
      {
        tensors,
        inputs: [first],
        outputs: [last],
        operators: [
          { code: kQuantize, inputs: [first], outputs: [input] },
          ...operators,
          { code: kDequantize, inputs: [output], outputs: [last] },
        ],
      },
    ],
  });
}
