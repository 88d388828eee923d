// A small decoder as exporters optimize them for onnxruntime: com.microsoft's attention with a cache of keys and values, weights
// of 4 bits, and fused normalizations. Its weights are random.
import { onnxModel } from '../bench/onnx.mjs';
import { randomFloats, sizeOf } from '../bench/random.mjs';

const kLayers = 2;
const kHeads = 4;
const kSharedHeads = 2;
const kHeadSize = 16;
const kHidden = kHeads * kHeadSize;
const kInner = 96;
const kBlock = 32;
const kVocabulary = 50;
const kPositions = 32;

/** Returns the bytes of the model. */
export function makeDecoder() {
  const nodes = [];
  const constants = {};
  let seed = 100;
  let count = 0;
  const constant = (name, shape, low = -0.3, high = 0.3) => {
    constants[name] = { shape, values: randomFloats(sizeOf(shape), ++seed, low, high) };
    return name;
  };
  const integers = (name, values) => {
    constants[name] = { shape: [values.length], values };
    return name;
  };
  const node = (op, inputs, attributes = {}, outputs = [`v${++count}`], domain = '') => {
    nodes.push({ op, inputs, outputs, attributes, domain });
    return outputs[0];
  };
  const contrib = (op, inputs, attributes, outputs) => node(op, inputs, attributes, outputs, 'com.microsoft');
  const epsilon = { float: 1e-6 };
  const product = (name, x, k, n) => {
    const blocks = k / kBlock;
    const bytes = randomFloats((n * blocks * kBlock) / 2, ++seed, 0, 256);
    constants[`${name} weight`] = { type: 'uint8', shape: [n, blocks, kBlock / 2], values: Uint8Array.from(bytes) };
    const scales = constant(`${name} scales`, [n * blocks], 0.01, 0.04);
    return contrib('MatMulNBits', [x, `${name} weight`, scales], { K: k, N: n, bits: 4, block_size: kBlock });
  };

  // The length of each sequence less 1, and the length of all.
  const lengths = node('ReduceSum', ['attention_mask', integers('last axis', [1])], { keepdims: 1 });
  const last = node('Cast', [node('Sub', [lengths, integers('one', [1])])], { to: 6 });
  const extent = node('Gather', [node('Shape', ['attention_mask']), integers('index', [1])]);
  const total = node('Cast', [node('Squeeze', [extent])], { to: 6 });
  const cosines = constant('cosines', [kPositions, kHeadSize / 2], -1, 1);
  const sines = constant('sines', [kPositions, kHeadSize / 2], -1, 1);

  const inputs = [
    { name: 'input_ids', type: 'int64', shape: [1, 'length'] },
    { name: 'attention_mask', type: 'int64', shape: [1, 'total'] },
  ];
  const outputs = [{ name: 'logits' }];
  let residual = node('Gather', [constant('embedding', [kVocabulary, kHidden], -1, 1), 'input_ids']);
  let x = node('SimplifiedLayerNormalization', [residual, constant('first norm', [kHidden], 0.5, 1)], { epsilon });
  for (let i = 0; i < kLayers; ++i) {
    const shared = kSharedHeads * kHeadSize;
    const [query, key, value] = [
      ['query', kHidden],
      ['key', shared],
      ['value', shared],
    ].map(([name, size]) => product(`${name} ${i}`, x, kHidden, size));
    const past = [`past.${i}.key`, `past.${i}.value`];
    const present = [`present.${i}.key`, `present.${i}.value`];
    inputs.push(...past.map((name) => ({ name, shape: [1, kSharedHeads, 'past', kHeadSize] })));
    outputs.push(...present.map((name) => ({ name })));
    const attended = contrib(
      'GroupQueryAttention',
      [query, key, value, ...past, last, total, cosines, sines],
      { num_heads: kHeads, kv_num_heads: kSharedHeads, do_rotary: 1 },
      [`attended ${i}`, ...present],
    );
    const normalize = (name, added) => {
      const names = [`${name} ${i}`, '', '', `${name} sum ${i}`];
      const scale = constant(`${name} scale ${i}`, [kHidden], 0.5, 1);
      x = contrib('SkipSimplifiedLayerNormalization', [added, residual, scale], { epsilon }, names);
      residual = names[3];
    };
    normalize('middle norm', product(`output ${i}`, attended, kHidden, kHidden));
    const gate = product(`gate ${i}`, x, kHidden, kInner);
    const inner = node('Mul', [node('Mul', [gate, node('Sigmoid', [gate])]), product(`up ${i}`, x, kHidden, kInner)]);
    normalize('last norm', product(`down ${i}`, inner, kInner, kHidden));
  }
  node('MatMul', [x, constant('head', [kHidden, kVocabulary])], {}, ['logits']);
  return onnxModel({ nodes, constants, inputs, outputs, opsets: { '': 17, 'com.microsoft': 1 } });
}

const ids = (values) => ({ type: 'int64', shape: [1, values.length], values: BigInt64Array.from(values, BigInt) });

/**
 * Returns the inputs of a run for some tokens. `past` has the results of the run before, as { dims, data } by name; the first run
 * has none.
 */
export function decoderInputs(tokens, past) {
  const before = past ? past['present.0.key'].dims[2] : 0;
  const caches = Array.from({ length: kLayers }, (_, i) =>
    ['key', 'value'].map((name) => {
      const { dims, data } = past?.[`present.${i}.${name}`] ?? {
        dims: [1, kSharedHeads, 0, kHeadSize],
        data: new Float32Array(0),
      };
      return [`past.${i}.${name}`, { type: 'float32', shape: dims, values: data }];
    }),
  );
  return {
    input_ids: ids(tokens),
    attention_mask: ids(Array.from({ length: before + tokens.length }, () => 1)),
    ...Object.fromEntries(caches.flat()),
  };
}
