// Computes the probabilities of speech in a sound that resembles a voice, by all models of @ricky0123/vad-web.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const kRate = 16000;
const kTone = 120;
const require = createRequire(import.meta.url);
const ort = require('onnxruntime-web/wasm');
const folder = path.dirname(require.resolve('@ricky0123/vad-web'));
const { Silero, SileroLegacy } = require(path.join(folder, 'models'));
console.debug = () => {};

const sound = Float32Array.from({ length: kRate }, (_, i) => {
  const time = i / kRate;
  const tone = (k) => Math.sin(2 * Math.PI * kTone * k * time) * Math.exp(-(((k * kTone - 600) / 400) ** 2));
  const voice = Array.from({ length: 20 }, (_, k) => tone(k + 1) / (k + 1)).reduce((sum, part) => sum + part);
  return 0.3 * voice * (0.6 + 0.4 * Math.sin(8 * Math.PI * time));
});

const found = [];
for (const [Model, file, length] of [
  [SileroLegacy, 'silero_vad_legacy.onnx', 1536],
  [Silero, 'silero_vad_v5.onnx', 512],
  [Silero, 'silero_vad_v6.onnx', 512],
]) {
  const model = await Model.new(ort, async () => Uint8Array.from(readFileSync(path.join(folder, file))).buffer);
  for (let start = 0; start + length <= kRate; start += length)
    found.push((await model.process(sound.subarray(start, start + length))).isSpeech);
  await model.release();
}
console.log(JSON.stringify(found));
