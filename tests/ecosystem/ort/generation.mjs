// Generates tokens with @huggingface/transformers: `node generation.mjs FOLDER`, where folders "decoder" and "whisper" will be
// written. The second time, tenure/ort continues the texts on the device 'webgpu', where transformers leaves the caches of keys and
// values in the engine.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AutoModelForCausalLM, Tensor, WhisperForConditionalGeneration, env } from '@huggingface/transformers';
import { makePlainDecoder } from '../../onnx/plain_decoder.mjs';
import { kBands, writeTinyWhisper } from './tiny_whisper.mjs';

/** No token comes twice, so that the order of many logits counts. */
const kTokens = { max_new_tokens: 30, do_sample: false, no_repeat_ngram_size: 1 };
const kShape = { layers: 2, heads: 4, size: 16 };
const kVocabulary = 50;
const isTenure = process.execArgv.some((option) => option.includes('register'));
const [, , folder] = process.argv;

writeDecoder(path.join(folder, 'decoder'));
writeTinyWhisper(path.join(folder, 'whisper'));
Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: `${folder}/` });
const found = [];
for (const device of ['cpu', isTenure ? 'webgpu' : 'cpu']) found.push(...(await continueTexts(device)));
found.push(...(await transcribe()));
if (isTenure) {
  const { memory } = await import('../../../dist/node.js');
  const { numTensors } = memory();
  if (numTensors !== 0) throw new Error(`${numTensors} tensors are left in the engine`);
}
console.log(JSON.stringify(found));

/** Returns the tokens that follow three prompts. */
async function continueTexts(device) {
  const model = await AutoModelForCausalLM.from_pretrained('decoder', { dtype: 'fp32', device });
  const tokens = [];
  for (const prompt of [[1, 2, 3], [7], [40, 30, 20, 10]]) {
    const ids = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const inputs = { input_ids: ids(prompt), attention_mask: ids(prompt.map(() => 1)) };
    tokens.push(...(await generate(model, inputs)));
  }
  await model.dispose();
  return tokens;
}

/** Returns the tokens of two sounds. */
async function transcribe() {
  const model = await WhisperForConditionalGeneration.from_pretrained('whisper', { dtype: 'fp32' });
  const tokens = [];
  for (const [frames, pitch] of [
    [100, 0.3],
    [40, 0.7],
  ]) {
    const values = Float32Array.from({ length: kBands * frames }, (_, i) => Math.sin(pitch * i) + Math.cos(i * i));
    tokens.push(...(await generate(model, { inputs: new Tensor('float32', values, [1, kBands, frames]) })));
  }
  await model.dispose();
  return tokens;
}

async function generate(model, inputs) {
  const { data } = await model.generate({ ...inputs, ...kTokens });
  return Array.from(data, Number);
}

/** Writes a decoder with random weights in the files that transformers loads. */
function writeDecoder(target) {
  mkdirSync(path.join(target, 'onnx'), { recursive: true });
  const { layers, heads, size } = kShape;
  const config = {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    n_layer: layers,
    n_head: heads,
    n_embd: heads * size,
    vocab_size: kVocabulary,
    eos_token_id: kVocabulary,
  };
  writeFileSync(path.join(target, 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(target, 'onnx/model.onnx'), makePlainDecoder({ ...kShape, past: 'past_key_values' }));
}
