// Random nodes of layers: recurrent ones, attention, and Fourier transforms.
import { floats, int64s, node, range, tensor, withoutEnd } from './values.mjs';

/** Activations of recurrent layers, with the number of their parameters. Their defaults are not the same everywhere. */
const kActivations = {
  Affine: 2,
  Elu: 1,
  HardSigmoid: 2,
  LeakyRelu: 1,
  Relu: 0,
  ScaledTanh: 2,
  Sigmoid: 0,
  Softplus: 0,
  Softsign: 0,
  Tanh: 0,
  ThresholdedRelu: 1,
};

function someActivations(r, count) {
  const activations = range(count).map(() => r.pick(Object.keys(kActivations)));
  const parameters = (order) => {
    const takers = activations.filter((name) => kActivations[name] >= order);
    return takers.length > 0 ? { floats: takers.map(() => r.float(0.2, 1)) } : undefined;
  };
  return { activations, activation_alpha: parameters(1), activation_beta: parameters(2) };
}

/** Returns a function that makes layers of gates. Each direction has `functions` activations. */
const recurrent = (op, gates, functions) => (r) => {
  const version = r.version(7);
  const direction = r.pick(['forward', 'reverse', 'bidirectional']);
  const directions = direction === 'bidirectional' ? 2 : 1;
  const [steps, batch, size, hidden] = [r.int(1, 5), r.int(1, 3), r.int(1, 5), r.int(1, 4)];
  const isBatchFirst = version >= 14 && r.chance(0.15);
  const inBatch = (rows) => (isBatchFirst ? [batch, directions, rows] : [directions, batch, rows]);
  const tensorOf = (...shape) => r.tensor('float32', shape, { low: -1, high: 1 });
  const optional = (share, ...shape) => (r.chance(share) ? tensorOf(...shape) : null);
  const inputs = [
    isBatchFirst ? tensorOf(batch, steps, size) : tensorOf(steps, batch, size),
    r.mayFix(tensorOf(directions, gates * hidden, size), 0.7),
    r.mayFix(tensorOf(directions, gates * hidden, hidden), 0.7),
    r.mayFix(optional(0.6, directions, 2 * gates * hidden), 0.7),
    r.chance(0.4)
      ? r.mayFix(
          tensor(
            'int32',
            [batch],
            range(batch).map(() => r.int(1, steps)),
          ),
        )
      : null,
    optional(0.4, ...inBatch(hidden)),
  ];
  if (op === 'LSTM')
    inputs.push(optional(0.4, ...inBatch(hidden)), r.mayFix(optional(0.3, directions, 3 * hidden), 0.7));
  const attributes = {
    hidden_size: hidden,
    direction: direction === 'forward' ? r.maybe(direction) : direction,
    layout: isBatchFirst ? 1 : undefined,
    clip: r.maybe({ float: r.float(0.2, 2) }, 0.2),
    ...(r.chance(0.3) && someActivations(r, functions * directions)),
    linear_before_reset: op === 'GRU' ? r.maybe(r.int(0, 1)) : undefined,
    input_forget: op === 'LSTM' ? r.maybe(1, 0.2) : undefined,
  };
  const outputs = r.int(1, op === 'LSTM' ? 3 : 2);
  return node(op, version, withoutEnd(inputs), attributes, { outputs, types: ['float32', 'float32', 'float32'] });
};

function attention(r) {
  const version = r.int(23, 26);
  const [batch, shared, length, keys, size, valueSize] = [
    r.int(1, 2),
    r.int(1, 2),
    r.int(1, 4),
    r.int(1, 5),
    2 * r.int(1, 4),
    2 * r.int(1, 3),
  ];
  const heads = shared * r.int(1, 2);
  const isJoined = r.chance(0.4);
  const tensorOf = (...shape) => r.tensor('float32', shape);
  const split = (count, rows, extent) =>
    isJoined ? tensorOf(batch, rows, count * extent) : tensorOf(batch, count, rows, extent);
  const hasPast = r.chance(0.3);
  // With other lengths, onnxruntime lets a single query see keys that follow.
  const isCausal = r.maybe(r.int(0, hasPast && length !== keys ? 0 : 1), 0.5);
  const past = hasPast ? r.int(1, 3) : 0;
  const total = past + keys;
  const maskRank = r.int(2, 4);
  const maskShape = [...[r.pick([1, batch]), r.pick([1, heads])].slice(4 - maskRank), length, total];
  const mask = r.chance(0.5) ? r.pick([tensorOf(...maskShape), r.tensor('bool', maskShape)]) : null;
  const inputs = [split(heads, length, size), split(shared, keys, size), split(shared, keys, valueSize), mask];
  inputs.push(
    hasPast ? tensorOf(batch, shared, past, size) : null,
    hasPast ? tensorOf(batch, shared, past, valueSize) : null,
  );
  const hasLengths = version >= 24 && !hasPast && r.chance(0.2);
  if (hasLengths) inputs.push(int64s(range(batch).map(() => r.int(1, keys))));
  const outputs = hasPast ? r.int(3, 4) : r.pick([1, 1, 4]);
  const attributes = {
    is_causal: isCausal,
    scale: r.maybe({ float: 0.3 }, 0.3),
    softcap: r.maybe({ float: 2 }, 0.3),
    q_num_heads: isJoined ? heads : undefined,
    kv_num_heads: isJoined ? shared : undefined,
    // Keys that are not seen have the score -inf, in onnxruntime the lowest float.
    qk_matmul_output_mode:
      outputs > 3
        ? r.maybe(r.pick(isCausal || hasLengths || mask?.type === 'bool' ? [0, 1] : [0, 1, 2, 3]))
        : undefined,
  };
  return node('Attention', version, withoutEnd(inputs), attributes, { outputs, types: range(4).map(() => 'float32') });
}

function rotary(r) {
  const [batch, heads, length, half] = [r.int(1, 2), r.int(1, 3), r.int(1, 4), r.int(1, 4)];
  const isPartial = half > 1 && r.chance(0.3);
  const angles = isPartial ? half - 1 : half;
  const isJoined = r.chance(0.5);
  const x = r.tensor('float32', isJoined ? [batch, length, heads * 2 * half] : [batch, heads, length, 2 * half]);
  const hasPositions = r.chance(0.5);
  const cacheShape = hasPositions ? [8, angles] : [batch, length, angles];
  const inputs = [x, r.mayFix(r.tensor('float32', cacheShape)), r.mayFix(r.tensor('float32', cacheShape))];
  if (hasPositions)
    inputs.push(
      int64s(
        range(batch * length).map(() => r.int(0, 7)),
        [batch, length],
      ),
    );
  const attributes = {
    interleaved: r.maybe(r.int(0, 1)),
    num_heads: isJoined || r.chance(0.2) ? heads : undefined,
    rotary_embedding_dim: isPartial ? 2 * angles : undefined,
  };
  return node('RotaryEmbedding', r.version(23), inputs, attributes);
}

const kAbout1e4 = 2e-3;

function fourier(r) {
  const version = r.version(17);
  const isOnesided = r.chance(0.4);
  const isInverse = !isOnesided && r.chance(0.3);
  const shape = [r.int(1, 3), ...range(r.int(1, 2)).map(() => r.int(2, 7)), isOnesided ? 1 : r.int(1, 2)];
  const rank = shape.length;
  const axis = r.int(1, rank - 2);
  const length = r.chance(0.3) ? r.int(2, 9) : undefined;
  const lengthInput = length === undefined ? null : r.mayFix(int64s([length], []), 0.7);
  const x = r.tensor(r.pick(['float32', 'float32', 'float64']), shape);
  const flags = { inverse: isInverse ? 1 : r.maybe(0), onesided: isOnesided ? 1 : r.maybe(0) };
  const more = { tolerance: kAbout1e4 };
  if (version < 20)
    return node('DFT', version, withoutEnd([x, lengthInput]), { ...flags, axis: axis === 1 ? r.maybe(1) : axis }, more);
  const axisInput =
    axis === rank - 2 && r.chance(0.4) ? null : r.mayFix(int64s([r.chance(0.3) ? axis - rank : axis], []), 0.7);
  return node('DFT', version, withoutEnd([x, lengthInput, axisInput]), flags, more);
}

function shortTimeFourier(r) {
  const length = r.int(8, 20);
  const frame = r.int(2, 8);
  const isComplex = r.chance(0.3);
  const x = r.tensor('float32', [r.int(1, 2), length, isComplex ? 2 : 1]);
  // onnxruntime reads windows of complex signals as complex ones.
  const hasWindow = !isComplex && r.chance(0.6);
  const inputs = [
    x,
    r.mayFix(int64s([r.int(1, 5)], []), 0.7),
    hasWindow ? r.mayFix(r.tensor('float32', [frame])) : null,
    !hasWindow || r.chance(0.6) ? r.mayFix(int64s([frame], []), 0.7) : null,
  ];
  return node(
    'STFT',
    r.version(17),
    withoutEnd(inputs),
    { onesided: isComplex ? 0 : r.maybe(r.int(0, 1)) },
    { tolerance: kAbout1e4 },
  );
}

const kWindowTypes = { float32: 1, float64: 11, int32: 6, float16: 10 };

const windowOf = (op) => (r) => {
  const type = r.maybe(r.pick(['float32', 'float64']), 0.5);
  return node(
    op,
    r.version(17),
    [r.mayFix(tensor(r.pick(['int32', 'int64']), [], [r.int(2, 12)]))],
    { periodic: r.maybe(r.int(0, 1)), output_datatype: type && kWindowTypes[type] },
    { types: [type ?? 'float32'] },
  );
};

function mel(r) {
  const inputs = [
    int64s([r.int(1, 8)], []),
    int64s([r.int(8, 64)], []),
    int64s([r.pick([8000, 16000])], []),
    floats([r.float(0, 300)], []),
    floats([r.float(2000, 4000)], []),
  ];
  return node(
    'MelWeightMatrix',
    r.version(17),
    inputs.map((one) => r.mayFix(one, 0.7)),
    {},
    { types: ['float32'] },
  );
}

export const layerOps = {
  Attention: attention,
  BlackmanWindow: windowOf('BlackmanWindow'),
  DFT: fourier,
  GRU: recurrent('GRU', 3, 2),
  HammingWindow: windowOf('HammingWindow'),
  HannWindow: windowOf('HannWindow'),
  LSTM: recurrent('LSTM', 4, 3),
  MelWeightMatrix: mel,
  RNN: recurrent('RNN', 1, 1),
  RotaryEmbedding: rotary,
  STFT: shortTimeFourier,
};
