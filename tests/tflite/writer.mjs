// Writes .tflite files: the tables of TensorFlow Lite's schema.
import { bytes, flatbuffer, int8, int32, ints, nodes, table, text } from '../bench/flatbuffer.mjs';

export { float32, int8, int32, ints, text } from '../bench/flatbuffer.mjs';

const kVersion = 3;
const kCustom = 32;
const kNoOptions = [undefined, undefined];
/** TensorType, and the array that holds the elements. */
const kTypes = {
  float32: [0, Float32Array],
  float16: [1, Uint16Array],
  int32: [2, Int32Array],
  uint8: [3, Uint8Array],
  int64: [4, { from: (values) => BigInt64Array.from(values, BigInt) }],
  string: [5, { from: stringBytes }],
  bool: [6, Uint8Array],
  int16: [7, Int16Array],
  complex64: [8, Float32Array],
  int8: [9, Int8Array],
  uint64: [12, { from: (values) => BigUint64Array.from(values, BigInt) }],
  resource: [13],
  uint32: [15, Uint32Array],
  int4: [17, Uint8Array],
};

/** Returns a field of 8 bytes. */
export const int64 = (value) => ({ size: 8, put: (view, at) => view.setBigInt64(at, BigInt(value), true) });

const encoder = new TextEncoder();
/** Returns the bytes of strings: their number, the position of each and of the end, and the text. */
function stringBytes(strings) {
  const texts = strings.map((one) => encoder.encode(one));
  const start = 4 * (strings.length + 2);
  const positions = texts.reduce((list, { length }) => [...list, list.at(-1) + length], [start]);
  const header = new Uint8Array(Int32Array.of(strings.length, ...positions).buffer);
  return Uint8Array.from([...header, ...texts.flatMap((text) => [...text])]);
}

const toArray = (values, Elements) =>
  typeof Elements === 'function' && values instanceof Elements ? values : Elements.from(values);
export const longs = (values) => vectorOf(BigInt64Array.from(values, BigInt));
const floats = (values) => vectorOf(Float32Array.from(values));
/** Returns a vector of numbers: that of its bytes, with the count of the numbers. */
const vectorOf = (array) => (writer) => {
  const start = bytes(array)(writer);
  writer.view.setUint32(start, array.length, true);
  return start;
};

/** Number in the union of quantization details. */
const kBlockwise = 2;

/**
 * `blocks` are { scales, size }: the number of the tensor with a scale for each block, and the elements of a block. Without
 * `scales`, the file names blockwise quantization and has no details of it.
 */
function quantizationTable({ scale, zeroPoint = 0, dimension = 0, blocks }) {
  if (blocks) {
    const details =
      blocks.scales === undefined ? undefined : table(int32(blocks.scales), undefined, int32(blocks.size));
    return table(undefined, undefined, undefined, undefined, int8(kBlockwise), details);
  }
  const list = (value) => (Array.isArray(value) ? value : [value]);
  return table(
    undefined,
    undefined,
    floats(list(scale)),
    longs(list(zeroPoint)),
    undefined,
    undefined,
    int32(dimension),
  );
}

/**
 * Returns the bytes of a model. A graph has `tensors`, each { name, shape, type, values, quantization, signature, isVariable,
 * sparsity }, `operators`, each { code, options, type, inputs, outputs, version, custom, customOptions }, with numbers of
 * tensors, and the `inputs` and `outputs`. `options` are the slots of the options' table, and `type` is the number of its type,
 * in the union for the ops that were added last if `isInSecondUnion`. Values of the type string are texts.
 */
export function tfliteFile({ graphs, signatures = [], description = 'test' }) {
  const buffers = [table()];
  const codes = [];
  const keys = [];
  const codeOf = ({ code = kCustom, custom, version = 1 }) => {
    const key = `${code} ${custom} ${version}`;
    if (!keys.includes(key)) {
      keys.push(key);
      codes.push(
        table(int8(Math.min(code, 127)), custom === undefined ? undefined : text(custom), int32(version), int32(code)),
      );
    }
    return keys.indexOf(key);
  };
  const tensorTable = ({ name, shape, type = 'float32', values, quantization, signature, isVariable, sparsity }, i) => {
    const [number, Elements] = kTypes[type];
    if (values) buffers.push(table(bytes(toArray(values, Elements))));
    return table(
      ints(shape),
      int8(number),
      int32(values ? buffers.length - 1 : 0),
      text(name ?? `t${i}`),
      quantization && quantizationTable(quantization),
      isVariable && int8(1),
      sparsity,
      signature && ints(signature),
    );
  };
  const operatorTable = (operator) => {
    const options = operator.options ? [int8(operator.type), table(...operator.options)] : kNoOptions;
    return table(
      int32(codeOf(operator)),
      ints(operator.inputs),
      ints(operator.outputs),
      ...(operator.isInSecondUnion ? kNoOptions : options),
      operator.customOptions && bytes(operator.customOptions),
      // Fields between the two unions of options.
      ...(operator.isInSecondUnion ? [...new Array(5).fill(undefined), ...options] : []),
    );
  };
  const graphTable = ({ tensors, inputs, outputs, operators, name = 'main' }) =>
    table(
      nodes(tensors.map(tensorTable)),
      ints(inputs),
      ints(outputs),
      nodes(operators.map(operatorTable)),
      text(name),
    );
  const ports = (list) => nodes(Object.entries(list).map(([name, tensor]) => table(text(name), int32(tensor))));
  const signatureTable = ({ key, inputs, outputs, graph = 0 }) =>
    table(ports(inputs), ports(outputs), text(key), undefined, int32(graph));
  const tables = graphs.map(graphTable);
  return flatbuffer(
    'TFL3',
    table(
      int32(kVersion),
      nodes(codes),
      nodes(tables),
      text(description),
      nodes(buffers),
      undefined,
      undefined,
      signatures.length > 0 ? nodes(signatures.map(signatureTable)) : undefined,
    ),
  );
}

/**
 * Returns the bytes of a model of one node. `inputs` are its inputs, each { shape, type, values, isConstant, quantization } or
 * null for one that is left out; those that are not constant are the model's. `outputs` are { shape, type, quantization }.
 */
export function oneNode({ inputs, outputs, ...operator }) {
  const tensors = [];
  const add = (tensor) => tensors.push(tensor) - 1;
  const numbers = inputs.map((input, i) => {
    if (input === null) return -1;
    const { values, isConstant, ...rest } = input;
    return add({ name: `x${i}`, ...rest, ...(isConstant && { values }) });
  });
  const results = outputs.map((output, i) => add({ name: `y${i}`, ...output }));
  const graph = {
    tensors,
    inputs: numbers.filter((number, i) => number >= 0 && !inputs[i].isConstant && !inputs[i].isVariable),
    outputs: results,
    operators: [{ ...operator, inputs: numbers, outputs: results }],
  };
  return tfliteFile({ graphs: [graph] });
}
