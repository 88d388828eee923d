// Random nodes of quantized ops, of ai.onnx and com.microsoft.
import { floats, node, range, sizeOf, tensor, withoutEnd } from './values.mjs';

const kBytes = ['uint8', 'int8'];
const kMicrosoft = 'com.microsoft';

const contrib = (op, inputs, attributes, more) => node(op, 17, inputs, attributes, { domain: kMicrosoft, ...more });
const bytes = (r, type, shape) => r.tensor(type, shape, { isWide: true });
const scale = (r, shape = []) => r.mayFix(r.tensor('float32', shape, { low: 0.005, high: 0.05 }), 0.7);
const zero = (r, type, shape = []) =>
  r.mayFix(
    tensor(
      type,
      shape,
      range(sizeOf(shape)).map(() => (type === 'int8' ? r.int(-9, 9) : r.int(110, 140))),
    ),
    0.7,
  );
/** Returns the shapes of scales: of a tensor, of each index of an axis, or of blocks along it. */
function granularity(r, shape, version) {
  const kind = r.pick([
    'tensor',
    ...(version >= 13 && shape.length > 0 ? ['axis'] : []),
    ...(version >= 21 && shape.length > 0 ? ['blocks'] : []),
  ]);
  if (kind === 'tensor') return { shape: r.pick([[], [], [1]].slice(0, version >= 13 ? 3 : 2)), attributes: {} };
  const axis = r.int(0, shape.length - 1);
  const attributes = { axis: axis === 1 ? r.maybe(1) : r.chance(0.3) ? axis - shape.length : axis };
  if (kind === 'axis') return { shape: [shape[axis]], attributes };
  const block = r.int(1, shape[axis]);
  return { shape: shape.with(axis, Math.ceil(shape[axis] / block)), attributes: { ...attributes, block_size: block } };
}

function quantize(r) {
  const version = r.version(10);
  const shape = r.dims(0, 4, 5, 0.02);
  const { shape: parameters, attributes } = granularity(r, shape, version);
  const type = r.pick(version >= 21 ? [...kBytes, 'uint16', 'int16'] : kBytes);
  const hasZero = r.chance(0.7);
  const inputs = [
    r.mayFix(r.tensor('float32', shape, { low: -4, high: 4 })),
    scale(r, parameters),
    hasZero ? zero(r, type, parameters) : null,
  ];
  return node('QuantizeLinear', version, withoutEnd(inputs), attributes, { types: [hasZero ? type : 'uint8'] });
}

function dequantize(r) {
  const version = r.version(10);
  const shape = r.dims(0, 4, 5, 0.02);
  const { shape: parameters, attributes } = granularity(r, shape, version);
  const type = r.pick([...kBytes, 'int32', ...(version >= 21 ? ['uint16', 'int16'] : [])]);
  const x = type === 'int32' ? r.tensor(type, shape) : bytes(r, type, shape);
  const inputs = [
    r.mayFix(x),
    scale(r, parameters),
    type !== 'int32' && r.chance(0.7) ? zero(r, type, parameters) : null,
  ];
  return node('DequantizeLinear', version, withoutEnd(inputs), attributes, { types: ['float32'] });
}

/** Returns a constant of 4-bit integers, two of them in a byte. */
const nibbles = (r, type, shape) => ({
  type,
  shape,
  values: Uint8Array.from(range(Math.ceil(sizeOf(shape) / 2)), () => r.int(0, 255)),
  isConstant: true,
});

function dequantize4(r) {
  const version = r.int(21, 26);
  const shape = r.dims(1, 3, 5, 0);
  const { shape: parameters, attributes } = granularity(r, shape, version);
  const type = r.pick(['int4', 'uint4']);
  const inputs = [nibbles(r, type, shape), scale(r, parameters), r.chance(0.7) ? nibbles(r, type, parameters) : null];
  return node('DequantizeLinear', version, withoutEnd(inputs), attributes, { types: ['float32'] });
}

/** Quantizes to 4 bits, and back, as sessions do not return integers of 4 bits. */
function quantize4(r) {
  const version = r.int(21, 26);
  const shape = r.dims(0, 3, 5, 0);
  const { shape: parameters, attributes } = granularity(r, shape, version);
  const inputs = [r.tensor('float32', shape), scale(r, parameters), nibbles(r, r.pick(['int4', 'uint4']), parameters)];
  const used = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const nodes = [
    { op: 'QuantizeLinear', inputs: ['x0', 'x1', 'x2'], outputs: ['q'], attributes: used },
    { op: 'DequantizeLinear', inputs: ['q', 'x1', 'x2'], outputs: ['y0'], attributes: used },
  ];
  return { nodes, version, inputs, outputs: 1, types: ['float32'] };
}

const dynamicQuantize = (r) =>
  node(
    'DynamicQuantizeLinear',
    r.version(11),
    [r.tensor('float32', r.dims(0, 3, 5, 0), { low: r.pick([-4, 0, 1]), high: r.pick([4, 2]) })],
    {},
    { outputs: 3, types: ['uint8', 'float32', 'uint8'] },
  );

function matMulInteger(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 6));
  const batch = r.dims(0, 2, 3, 0);
  const [a, b] = [r.pick(kBytes), r.pick(kBytes)];
  const inputs = [
    bytes(r, a, [...batch, m, k]),
    r.mayFix(bytes(r, b, [...(r.chance(0.5) ? batch : []), k, n]), 0.6),
    r.chance(0.6) ? zero(r, a) : null,
    r.chance(0.6) ? zero(r, b, r.pick([[], [1], ...(batch.length === 0 ? [[n]] : [])])) : null,
  ];
  return node('MatMulInteger', r.version(10), withoutEnd(inputs), {}, { types: ['int32'] });
}

/** A result may differ by the unit that a sum is rounded to. */
function qLinearMatMul(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 6));
  const batch = r.dims(0, 1, 3, 0);
  const [a, b] = [r.pick(kBytes), r.pick(kBytes)];
  const out = a;
  const columns = r.chance(0.3) && batch.length === 0 ? [n] : [];
  const inputs = [
    bytes(r, a, [...batch, m, k]),
    scale(r),
    zero(r, a),
    r.mayFix(bytes(r, b, [k, n]), 0.6),
    scale(r, columns),
    zero(r, b, columns),
    r.mayFix(floats([0.3], [])),
    zero(r, out),
  ];
  return node('QLinearMatMul', r.version(10), inputs, {}, { types: [out], units: 1 });
}

function convArguments(r) {
  const rank = r.pick([1, 2, 2, 3]);
  const each = (make) => range(rank).map(make);
  const kernel = each(() => r.int(1, 3));
  const dilations = r.chance(0.3) ? each(() => r.int(1, 2)) : undefined;
  const extents = kernel.map((extent, i) => (extent - 1) * (dilations?.[i] ?? 1) + 1 + r.int(0, 4));
  const group = r.pick([1, 1, 2]);
  const [depth, filters] = [r.int(1, 4), group * r.int(1, 3)];
  const pads = r.maybe([...each((i) => r.int(0, kernel[i] - 1)), ...each((i) => r.int(0, kernel[i] - 1))]);
  return {
    image: [r.int(1, 2), group * depth, ...extents],
    weights: [filters, depth, ...kernel],
    filters,
    attributes: { group: group === 1 ? r.maybe(1) : group, dilations, strides: r.maybe(each(() => r.int(1, 2))), pads },
  };
}

function convInteger(r) {
  const { image, weights, attributes } = convArguments(r);
  const w = r.pick(kBytes);
  const inputs = [
    bytes(r, 'uint8', image),
    r.mayFix(bytes(r, w, weights), 0.7),
    r.chance(0.6) ? zero(r, 'uint8') : null,
    r.chance(0.5) ? zero(r, w) : null,
  ];
  return node('ConvInteger', r.version(10), withoutEnd(inputs), attributes, { types: ['int32'] });
}

function qLinearConv(r) {
  const { image, weights, filters, attributes } = convArguments(r);
  const [x, w] = [r.pick(kBytes), r.pick(kBytes)];
  const perFilter = r.chance(0.4) ? [filters] : [];
  const inputs = [
    bytes(r, x, image),
    scale(r),
    zero(r, x),
    r.mayFix(bytes(r, w, weights), 0.7),
    scale(r, perFilter),
    perFilter.length > 0
      ? r.mayFix(
          tensor(
            w,
            perFilter,
            range(filters).map(() => (w === 'int8' ? 0 : 128)),
          ),
          0.7,
        )
      : zero(r, w),
    r.mayFix(floats([0.3], [])),
    zero(r, x),
  ];
  if (r.chance(0.5)) inputs.push(r.mayFix(r.tensor('int32', [filters], { low: -300, high: 300 }), 0.7));
  return node('QLinearConv', r.version(10), inputs, attributes, { types: [x], units: 1 });
}

const quantized = (r, type, shape) => [bytes(r, type, shape), scale(r), zero(r, type)];

const qBinary = (op) => (r) => {
  const type = r.pick(kBytes);
  const [a, b] = r.pair(3);
  return contrib(
    op,
    [...quantized(r, type, a), ...quantized(r, type, b), scale(r), zero(r, type)],
    {},
    { types: [type], units: 1 },
  );
};

const qUnary =
  (op, attributes = () => ({})) =>
  (r) => {
    const type = r.pick(kBytes);
    return contrib(op, [...quantized(r, type, r.dims(1, 3, 5, 0)), scale(r), zero(r, type)], attributes(r), {
      types: [type],
      units: 1,
    });
  };

function qConcat(r) {
  const type = r.pick(kBytes);
  const shape = r.dims(1, 3, 4, 0);
  const axis = r.int(0, shape.length - 1);
  const inputs = range(r.int(1, 3)).flatMap(() => quantized(r, type, shape.with(axis, r.int(1, 3))));
  return contrib('QLinearConcat', [scale(r), zero(r, type), ...inputs], { axis }, { types: [type], units: 1 });
}

function qGlobalPool(r) {
  const type = r.pick(kBytes);
  return contrib(
    'QLinearGlobalAveragePool',
    [...quantized(r, type, [r.int(1, 2), r.int(1, 5), r.int(1, 5), r.int(1, 5)]), scale(r), zero(r, type)],
    { channels_last: r.maybe(r.int(0, 1)) },
    { types: [type], units: 1 },
  );
}

function qSoftmax(r) {
  const type = r.pick(kBytes);
  const shape = r.dims(1, 3, 5, 0);
  return contrib(
    'QLinearSoftmax',
    [...quantized(r, type, shape), floats([1 / 256], []), tensor(type, [], [type === 'int8' ? -128 : 0])].map(
      (one, i) => (i === 0 ? one : { ...one, isConstant: true }),
    ),
    { axis: r.axis(shape.length), opset: 13 },
    { types: [type], units: 1 },
  );
}

function matMulNBits(r) {
  const bits = r.pick([4, 8]);
  const block = r.pick([16, 32]);
  const [k, n, rows] = [r.int(1, 70), r.int(1, 9), r.int(1, 4)];
  const blocks = Math.ceil(k / block);
  const fixed = (one) => ({ ...one, isConstant: true });
  const inputs = [
    r.tensor(
      'float32',
      r.pick([
        [rows, k],
        [2, rows, k],
      ]),
    ),
    fixed(bytes(r, 'uint8', [n, blocks, (block * bits) / 8])),
    fixed(r.tensor('float32', [n * blocks], { low: 0.01, high: 0.1 })),
  ];
  if (r.chance(0.5)) inputs.push(fixed(bytes(r, 'uint8', [n * Math.ceil((blocks * bits) / 8)])));
  return contrib('MatMulNBits', inputs, { K: k, N: n, bits, block_size: block });
}

export const quantizedOps = {
  ConvInteger: convInteger,
  'DequantizeLinear of 4 bits': dequantize4,
  'QuantizeLinear to 4 bits': quantize4,
  DequantizeLinear: dequantize,
  DynamicQuantizeLinear: dynamicQuantize,
  MatMulInteger: matMulInteger,
  MatMulNBits: matMulNBits,
  QLinearAdd: qBinary('QLinearAdd'),
  QLinearConcat: qConcat,
  QLinearConv: qLinearConv,
  QLinearGlobalAveragePool: qGlobalPool,
  QLinearLeakyRelu: qUnary('QLinearLeakyRelu', (r) => ({ alpha: r.maybe({ float: r.float(-0.5, 1) }) })),
  QLinearMatMul: qLinearMatMul,
  QLinearMul: qBinary('QLinearMul'),
  QLinearSigmoid: qUnary('QLinearSigmoid'),
  QLinearSoftmax: qSoftmax,
  QuantizeLinear: quantize,
};
