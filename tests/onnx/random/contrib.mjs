// Random nodes of com.microsoft's layers.
import { floats, node, range, tensor, withoutEnd } from './values.mjs';

const contrib = (op, inputs, attributes = {}, more = {}) =>
  node(op, 17, inputs, attributes, { domain: 'com.microsoft', ...more });
const epsilon = (r) => r.maybe({ float: r.pick([1e-5, 0.1]) }, 0.6);
const weights = (r, ...shape) => r.mayFix(r.tensor('float32', shape, { low: -1, high: 1 }), 0.6);
const anyFloats = (count) => range(count).map(() => 'float32');

const biased =
  (op, isRequired, attributes = () => ({})) =>
  (r) => {
    const shape = r.dims(1, 3, 5, 0);
    const bias = isRequired || r.chance(0.5) ? [weights(r, shape.at(-1))] : [];
    return contrib(op, [r.tensor('float32', shape), ...bias], attributes(r));
  };

const unary =
  (op, attributes = () => ({})) =>
  (r) =>
    contrib(op, [r.tensor('float32', r.dims(1, 3))], attributes(r));

function fusedMatMul(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 5));
  const batch = r.dims(0, 2, 3, 0);
  const attributes = { transA: r.maybe(r.int(0, 1)), transB: r.maybe(r.int(0, 1)), alpha: r.maybe({ float: 0.5 }) };
  const a = r.tensor('float32', [...batch, ...(attributes.transA ? [k, m] : [m, k])]);
  const b = weights(r, ...(r.chance(0.5) ? batch : []), ...(attributes.transB ? [n, k] : [k, n]));
  return contrib('FusedMatMul', [a, b], attributes);
}

const skipNorm = (op, hasBeta) => (r) => {
  const shape = [r.int(1, 2), r.int(1, 3), r.int(2, 6)];
  const optional = () => (r.chance(0.5) ? weights(r, shape[2]) : null);
  const inputs = [
    r.tensor('float32', shape),
    r.tensor('float32', shape),
    weights(r, shape[2]),
    ...(hasBeta ? [optional()] : []),
    optional(),
  ];
  return contrib(op, withoutEnd(inputs), { epsilon: epsilon(r) });
};

function simplifiedNorm(r) {
  const shape = r.dims(2, 3, 5, 0);
  const inputs = [r.tensor('float32', shape), weights(r, shape.at(-1))];
  return node('SimplifiedLayerNormalization', 17, inputs, { epsilon: epsilon(r), axis: r.maybe(-1) });
}

function multiHead(r) {
  const [batch, heads, length, keys, size, valueSize] = [
    r.int(1, 2),
    r.int(1, 3),
    r.int(1, 4),
    r.int(1, 5),
    r.int(1, 4),
    r.int(1, 4),
  ];
  const tensorOf = (...shape) => r.tensor('float32', shape);
  const hasPast = size === valueSize;
  const past = hasPast ? r.int(1, 3) : 0;
  const total = keys + past;
  const mask = r.chance(0.3)
    ? tensor(
        'int32',
        [batch, total],
        range(batch * total).map((i) => (i % total === 0 ? 1 : r.int(0, 1))),
      )
    : null;
  const inputs = [
    tensorOf(batch, length, heads * size),
    tensorOf(batch, keys, heads * size),
    tensorOf(batch, keys, heads * valueSize),
    r.chance(0.4) ? weights(r, heads * (2 * size + valueSize)) : null,
    mask,
    r.chance(0.3) ? tensorOf(r.pick([1, batch]), r.pick([1, heads]), length, total) : null,
    hasPast ? tensorOf(batch, heads, past, size) : null,
    hasPast ? tensorOf(batch, heads, past, valueSize) : null,
  ];
  const outputs = hasPast ? 3 : 1;
  const attributes = {
    num_heads: heads,
    scale: r.maybe({ float: 0.4 }, 0.3),
    unidirectional: length === keys ? r.maybe(1, 0.3) : undefined,
  };
  return contrib('MultiHeadAttention', withoutEnd(inputs), attributes, { outputs, types: anyFloats(3) });
}

function selfAttention(r) {
  const [batch, heads, length, size, hidden] = [r.int(1, 2), r.int(1, 3), r.int(1, 4), r.int(1, 4), r.int(1, 6)];
  const hasPast = r.chance(0.2);
  const past = hasPast ? r.int(1, 3) : 0;
  const total = length + past;
  const mask = r.pick([
    null,
    null,
    tensor(
      'int32',
      [batch],
      range(batch).map(() => r.int(1, total)),
    ),
    tensor(
      'int32',
      [batch, total],
      range(batch * total).map((i) => (i % total === 0 ? 1 : r.int(0, 1))),
    ),
  ]);
  const inputs = [
    r.tensor('float32', [batch, length, hidden]),
    weights(r, hidden, 3 * heads * size),
    weights(r, 3 * heads * size),
    mask,
    hasPast ? r.tensor('float32', [2, batch, heads, past, size]) : null,
  ];
  return contrib(
    'Attention',
    withoutEnd(inputs),
    { num_heads: heads, unidirectional: r.maybe(1, 0.3) },
    { outputs: hasPast ? 2 : 1, types: anyFloats(2) },
  );
}

function groupQuery(r) {
  const [shared, length, size] = [r.int(1, 2), r.int(1, 4), 16];
  const heads = shared * r.int(1, 2);
  const past = r.pick([0, 0, r.int(1, 3)]);
  const isPrompt = past === 0;
  const batch = isPrompt ? r.int(1, 2) : 1;
  const total = past + length;
  const hasRotary = r.chance(0.4);
  const inputs = [
    r.tensor('float32', [batch, length, heads * size]),
    r.tensor('float32', [batch, length, shared * size]),
    r.tensor('float32', [batch, length, shared * size]),
    r.tensor('float32', [batch, shared, past, size]),
    r.tensor('float32', [batch, shared, past, size]),
    tensor(
      'int32',
      [batch, 1],
      range(batch).map(() => total - 1),
    ),
    r.mayFix(tensor('int32', [], [total])),
    ...(hasRotary ? [weights(r, 16, size / 2), weights(r, 16, size / 2)] : []),
  ];
  const attributes = {
    num_heads: heads,
    kv_num_heads: shared,
    do_rotary: hasRotary ? 1 : undefined,
    rotary_interleaved: hasRotary ? r.maybe(r.int(0, 1)) : undefined,
    scale: r.maybe({ float: 0.4 }, 0.3),
    softcap: r.maybe({ float: 2 }, 0.3),
    local_window_size: r.maybe(r.int(1, 4), 0.3),
  };
  return contrib('GroupQueryAttention', inputs, attributes, { outputs: 3, types: anyFloats(3) });
}

function rotary(r) {
  const [batch, heads, length, half] = [r.int(1, 2), r.int(1, 3), r.int(1, 4), r.int(1, 4)];
  const isJoined = r.chance(0.5);
  const x = r.tensor('float32', isJoined ? [batch, length, heads * 2 * half] : [batch, heads, length, 2 * half]);
  const positions = r.chance(0.5)
    ? tensor('int64', [1], [r.int(0, 3)])
    : tensor(
        'int64',
        [batch, length],
        range(batch * length).map(() => r.int(0, 7)),
      );
  return contrib('RotaryEmbedding', [x, positions, weights(r, 8, half), weights(r, 8, half)], {
    interleaved: r.maybe(r.int(0, 1)),
  });
}

const kFused = ['Relu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Clip', 'HardSigmoid'];
const kParameters = { LeakyRelu: [0.2], Clip: [-0.5, 0.7], HardSigmoid: [0.3, 0.4] };

function fusedConv(r) {
  const [channels, filters, kernel] = [r.int(1, 3), r.int(1, 3), r.int(1, 3)];
  const extents = [r.int(kernel, 6), r.int(kernel, 6)];
  const activation = r.pick(kFused);
  const out = extents.map((extent) => extent - kernel + 1);
  const batch = r.int(1, 2);
  const inputs = [r.tensor('float32', [batch, channels, ...extents]), weights(r, filters, channels, kernel, kernel)];
  if (r.chance(0.7)) inputs.push(weights(r, filters));
  if (inputs.length === 3 && r.chance(0.3)) inputs.push(r.tensor('float32', [batch, filters, ...out]));
  return contrib('FusedConv', inputs, {
    activation,
    activation_params: kParameters[activation] && { floats: kParameters[activation] },
  });
}

function fusedGemm(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 5));
  const inputs = [r.tensor('float32', [m, k]), weights(r, k, n)];
  if (r.chance(0.7)) inputs.push(weights(r, n));
  return contrib('FusedGemm', inputs, {
    activation: r.pick(['Relu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Elu']),
    activation_alpha: { float: 0.3 },
    alpha: r.maybe({ float: 0.5 }),
  });
}

const bytes = (r, type, shape) => r.mayFix(r.tensor(type, shape, { isWide: true }), 0.6);

function dynamicMatMul(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 6));
  const type = r.pick(['int8', 'uint8']);
  const columns = r.chance(0.3) ? [n] : [];
  const inputs = [
    r.tensor('float32', r.chance(0.3) ? [2, m, k] : [m, k]),
    bytes(r, type, [k, n]),
    r.mayFix(r.tensor('float32', columns, { low: 0.01, high: 0.05 }), 0.6),
    r.chance(0.6) ? r.mayFix(r.tensor(type, columns, { low: 0, high: 9 }), 0.6) : null,
    r.chance(0.4) ? weights(r, n) : null,
  ];
  return contrib('DynamicQuantizeMatMul', withoutEnd(inputs));
}

function integerToFloat(r) {
  const [m, k, n] = range(3).map(() => r.int(1, 6));
  const [a, b] = [r.pick(['uint8', 'int8']), r.pick(['uint8', 'int8'])];
  const inputs = [
    r.tensor(a, [m, k], { isWide: true }),
    bytes(r, b, [k, n]),
    floats([r.float(0.01, 0.1)], []),
    r.mayFix(r.tensor('float32', r.chance(0.3) ? [n] : [], { low: 0.01, high: 0.05 }), 0.6),
    r.chance(0.6) ? tensor(a, [], [r.int(0, 9)]) : null,
    r.chance(0.6) ? tensor(b, [], [r.int(0, 9)]) : null,
    r.chance(0.4) ? weights(r, n) : null,
  ];
  return contrib('MatMulIntegerToFloat', withoutEnd(inputs), {}, { types: ['float32'] });
}

function unfold(r) {
  const shape = r.dims(1, 3, 6, 0);
  const dim = r.int(0, shape.length - 1);
  return contrib('UnfoldTensor', [r.tensor('float32', shape)], {
    dim: r.chance(0.3) ? dim - shape.length : dim,
    size: r.int(1, shape[dim]),
    step: r.maybe(r.int(1, 3)),
  });
}

function distances(r) {
  const k = r.int(1, 5);
  return contrib('CDist', [r.tensor('float32', [r.int(1, 5), k]), r.tensor('float32', [r.int(1, 5), k])], {
    metric: r.pick(['euclidean', 'sqeuclidean']),
  });
}

export const contribOps = {
  'com.microsoft.Attention': selfAttention,
  'com.microsoft.RotaryEmbedding': rotary,
  BiasGelu: biased('BiasGelu', true),
  CDist: distances,
  DynamicQuantizeMatMul: dynamicMatMul,
  FastGelu: biased('FastGelu', false),
  FusedConv: fusedConv,
  FusedGemm: fusedGemm,
  FusedMatMul: fusedMatMul,
  GroupQueryAttention: groupQuery,
  MatMulIntegerToFloat: integerToFloat,
  MultiHeadAttention: multiHead,
  QuickGelu: unary('QuickGelu', (r) => ({ alpha: r.maybe({ float: r.float(0.5, 2) }) })),
  SimplifiedLayerNormalization: simplifiedNorm,
  SkipLayerNormalization: skipNorm('SkipLayerNormalization', true),
  SkipSimplifiedLayerNormalization: skipNorm('SkipSimplifiedLayerNormalization', false),
  UnfoldTensor: unfold,
};
