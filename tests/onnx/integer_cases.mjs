// Nodes of integers whose results are compared with onnxruntime's: the ends of their types, and what wraps around there.

const kMax = 2 ** 31 - 1;
const kMin = -(2 ** 31);
const kArrays = { int8: Int8Array, int16: Int16Array, uint8: Uint8Array, int32: Int32Array, uint32: Uint32Array };

const integers = (type, values, shape = [values.length]) => ({
  type,
  shape,
  values: type === 'int64' ? BigInt64Array.from(values, BigInt) : kArrays[type].from(values),
});
const exponents = (values) => ({ type: 'float32', shape: [values.length], values: Float32Array.from(values) });
const node = (op, inputs, attributes = {}, type = inputs[0].type) => ({
  op,
  version: 18,
  inputs,
  attributes,
  outputs: 1,
  types: [type],
});
const reduction = (op, type, values) => node(op, [integers(type, values)], { keepdims: 0 });
const scatter = (op, type, values, updates, combine) =>
  node(
    op,
    [integers(type, values), integers('int64', [0, 1, 0], op === 'ScatterND' ? [3, 1] : [3]), integers(type, updates)],
    { reduction: combine },
  );

export const integerCases = [
  ...['int32', 'int64'].flatMap((type) => [
    reduction('ReduceMean', type, [16777217]),
    reduction('ReduceMean', type, [kMax, 3]),
    reduction('ReduceMean', type, [kMin, kMin, kMin]),
    reduction('ReduceMean', type, [-4, -3]),
    node('ReduceMean', [integers(type, [1, -5, 2, -6, kMax, 1], [3, 2]), integers('int64', [0])]),
    reduction('ReduceL2', type, [3, -4]),
    reduction('ReduceL2', type, [50000, 16777217]),
    reduction('ReduceLogSum', type, [20, 1]),
    reduction('ReduceLogSumExp', type, [20, 20]),
    node('Mod', [integers(type, [kMin, kMin, 5, -5, 7, -7]), integers(type, [3, kMin, kMin, kMin, -3, -3])], {
      fmod: 1,
    }),
    node('Pow', [integers(type, [3, 2, -2]), exponents([19])]),
    node('Pow', [integers(type, [3, 10]), exponents([0.5, 1.5])]),
    node('Pad', [
      integers(type, [kMax, kMin]),
      { ...integers('int64', [1, 2]), isConstant: true },
      integers(type, [16777217], []),
    ]),
    ...['ScatterElements', 'ScatterND'].flatMap((op) => [
      scatter(op, type, [kMax, 5], [1, 2, -1], 'add'),
      scatter(op, type, [-32768, 5], [65536, 2, 1], 'mul'),
    ]),
  ]),
  ...['ScatterElements', 'ScatterND'].flatMap((op) => [
    scatter(op, 'int32', [kMax, 5], [1, 2, 7], 'add'),
    scatter(op, 'int32', [65536, 5], [65536, 2, 7], 'mul'),
  ]),
  scatter('ScatterElements', 'uint8', [250, 5], [10, 2, 7], 'add'),
  scatter('ScatterElements', 'int8', [100, 5], [2, 2, 1], 'mul'),
  node('Shrink', [integers('int32', [-3, 0, 4])]),
  node('Resize', [integers('int32', [0, 10], [1, 1, 1, 2]), exponents([]), exponents([1, 1, 1, 2])], {
    mode: 'linear',
  }),
  ...['Neg', 'Abs'].flatMap((op) => [
    node(op, [integers('int8', [-128, -5])]),
    node(op, [integers('int16', [-32768, -5])]),
    node(op, [integers('int32', [kMin, -5])]),
  ]),
];
