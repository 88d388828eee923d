// A decoder with a cache of keys and values that a program keeps.
import { TransformerLayers } from './transformer_layers.mjs';

const kVocabulary = 50;

/**
 * Returns the bytes of a model of `layers` layers with `heads` heads of `size` values. The names of the caches that it takes begin
 * with `past`. There are at most `positions` tokens. With `hasEncoder` it attends to encoder_hidden_states, too, and its names are
 * those of encoder-decoders. `convert` is that of TransformerLayers.
 */
export function makePlainDecoder({
  layers = 2,
  heads = 4,
  size = 16,
  positions: maxPositions = 1024,
  past: prefix = 'past',
  hasEncoder = false,
  convert,
} = {}) {
  const model = new TransformerLayers({ heads, size, convert });
  const { hidden } = model;
  const cache = (i, name) => `${i}.${hasEncoder ? 'decoder.' : ''}${name}`;
  const inputs = [{ name: 'input_ids', type: 'int64', shape: [1, 'length'] }];
  const outputs = [{ name: 'logits' }];
  const length = model.extent('input_ids', 1);
  let past;
  let total;
  if (hasEncoder) {
    inputs.push({ name: 'encoder_hidden_states', shape: [1, 'frames', hidden] });
    past = model.extent(`${prefix}.${cache(0, 'key')}`, 2);
    total = model.node('Add', [past, length]);
  } else {
    inputs.push({ name: 'attention_mask', type: 'int64', shape: [1, 'total'] });
    total = model.extent('attention_mask', 1);
    past = model.node('Sub', [total, length]);
  }
  const positions = model.range(past, total);
  const tokens = model.node('Gather', [model.weights('tokens', [kVocabulary, hidden], 1), 'input_ids']);
  const places = model.node('Gather', [model.weights('positions', [maxPositions, hidden], 0.5), positions]);
  let x = model.node('Add', [tokens, places]);
  // Position i of the tokens sees all positions up to its own.
  const hides = model.node('Greater', [
    model.node('Unsqueeze', [model.range(model.integers(0), total), model.integers(0)]),
    model.node('Unsqueeze', [positions, model.integers(1)]),
  ]);
  const mask = model.node('Mul', [model.node('Cast', [hides], { to: 1 }), model.number(-1e9)]);
  for (let i = 0; i < layers; ++i) {
    const normal = model.normalize(`attention ${i}`, x);
    const query = model.heads(`query ${i}`, normal);
    const [key, value] = ['key', 'value'].map((name) => {
      const [input, output] = [`${prefix}.${cache(i, name)}`, `present.${cache(i, name)}`];
      inputs.push({ name: input, shape: [1, heads, 'past', size] });
      outputs.push({ name: output });
      return model.node('Concat', [input, model.heads(`${name} ${i}`, normal)], { axis: 2 }, output);
    });
    x = model.node('Add', [x, model.attend(`output ${i}`, [query, key, value], mask)]);
    if (hasEncoder) {
      const crossQuery = model.heads(`cross query ${i}`, model.normalize(`cross ${i}`, x));
      const [crossKey, crossValue] = ['key', 'value'].map((name) => {
        const output = `present.${i}.encoder.${name}`;
        outputs.push({ name: output });
        return model.heads(`cross ${name} ${i}`, 'encoder_hidden_states', output);
      });
      x = model.node('Add', [x, model.attend(`cross output ${i}`, [crossQuery, crossKey, crossValue])]);
    }
    x = model.feedForward(i, x);
  }
  const head = model.weights('head', [hidden, kVocabulary]);
  model.node('MatMul', [model.normalize('last', x), head], {}, 'logits');
  return model.write(inputs, outputs);
}

/** Returns the inputs of a run for some tokens, after `before` tokens whose caches are `caches`, by name. */
export function plainDecoderInputs(tokens, before, caches) {
  const ids = (values) => ({ type: 'int64', shape: [1, values.length], values: BigInt64Array.from(values, BigInt) });
  const all = Array.from({ length: before + tokens.length }, () => 1);
  return { input_ids: ids(tokens), attention_mask: ids(all), ...caches };
}

/** Returns the caches for a run: those in the results of the run before, by name, or empty ones. */
export function plainDecoderCaches({ layers = 2, heads = 4, size = 16 } = {}, results = undefined) {
  const names = Array.from({ length: layers }, (_, i) => [`${i}.key`, `${i}.value`]).flat();
  return Object.fromEntries(
    names.map((name) => {
      const { dims, data } = results?.[`present.${name}`] ?? { dims: [1, heads, 0, size], data: new Float32Array(0) };
      return [`past.${name}`, { type: 'float32', shape: dims, values: data }];
    }),
  );
}
