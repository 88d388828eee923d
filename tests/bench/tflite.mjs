// Writes .tflite files: the few tables of schema.fbs that a feed-forward graph of floats needs.
import { bytes, flatbuffer, float32, int8, int32, ints, nodes, table, text } from './flatbuffer.mjs';

const kVersion = 3;
const kSame = 0;
export const kActivations = { linear: 0, relu: 1, relu6: 3 };

/** BuiltinOperator, and the type and table of its BuiltinOptions. */
const kOps = {
  Conv: [
    3,
    1,
    ({ stride, activation = 'linear' }) =>
      table(int8(kSame), int32(stride), int32(stride), int8(kActivations[activation]), int32(1), int32(1)),
  ],
  Depthwise: [
    4,
    2,
    ({ stride, activation = 'linear' }) =>
      table(int8(kSame), int32(stride), int32(stride), int32(1), int8(kActivations[activation]), int32(1), int32(1)),
  ],
  MatMul: [9, 8, ({ activation = 'linear' }) => table(int8(kActivations[activation]))],
  Sigmoid: [14],
  MaxPool: [
    17,
    5,
    ({ stride, window }) => table(int8(kSame), int32(stride), int32(stride), int32(window), int32(window), int8(0)),
  ],
  Softmax: [25, 9, () => table(float32(1))],
  Mean: [40, 27, () => table(int8(0))],
};

/**
 * Returns the bytes of a model: a chain of `steps`, each { op, options, constants: [{ values, shape }], shape } with the shape
 * of its output. The first takes an input of `shape`.
 */
export function tfliteModel(shape, steps) {
  const tensors = [];
  const buffers = [table()];
  const tensor = (extents, values) => {
    if (values) buffers.push(table(bytes(values)));
    const type = values instanceof Int32Array ? 2 : 0;
    tensors.push(table(ints(extents), int8(type), int32(values ? buffers.length - 1 : 0), text(`t${tensors.length}`)));
    return tensors.length - 1;
  };
  const names = [...new Set(steps.map(({ op }) => op))];
  const codes = names.map((name) => table(int8(kOps[name][0]), undefined, int32(1), int32(kOps[name][0])));
  const first = tensor(shape);
  let last = first;
  const operators = steps.map(({ op, options = {}, constants = [], shape: extents }) => {
    const inputs = [last, ...constants.map((constant) => tensor(constant.shape, constant.values))];
    last = tensor(extents);
    const [, tag, make] = kOps[op];
    return table(int32(names.indexOf(op)), ints(inputs), ints([last]), tag && int8(tag), make?.(options));
  });
  const graph = table(nodes(tensors), ints([first]), ints([last]), nodes(operators), text('main'));
  return flatbuffer('TFL3', table(int32(kVersion), nodes(codes), nodes([graph]), text('bench'), nodes(buffers)));
}
