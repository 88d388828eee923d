// A Whisper of two layers with random weights, in the files that @huggingface/transformers loads.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePlainDecoder } from '../../onnx/plain_decoder.mjs';
import { TransformerLayers } from '../../onnx/transformer_layers.mjs';

export const kBands = 8;
const kShape = { layers: 2, heads: 4, size: 16 };
const kFrames = 64;
const kVocabulary = 50;

/** Writes the encoder and the decoder into a folder. */
export function writeTinyWhisper(folder) {
  mkdirSync(path.join(folder, 'onnx'), { recursive: true });
  const json = (name, value) => writeFileSync(path.join(folder, name), JSON.stringify(value));
  const { layers, heads, size } = kShape;
  json('config.json', {
    model_type: 'whisper',
    architectures: ['WhisperForConditionalGeneration'],
    is_encoder_decoder: true,
    d_model: heads * size,
    encoder_layers: layers,
    encoder_attention_heads: heads,
    decoder_layers: layers,
    decoder_attention_heads: heads,
    num_mel_bins: kBands,
    vocab_size: kVocabulary,
    decoder_start_token_id: 1,
    eos_token_id: kVocabulary,
  });
  json('generation_config.json', { decoder_start_token_id: 1, eos_token_id: kVocabulary, is_multilingual: false });
  writeFileSync(path.join(folder, 'onnx/encoder_model.onnx'), encoder());
  const decoder = makePlainDecoder({ ...kShape, past: 'past_key_values', hasEncoder: true });
  writeFileSync(path.join(folder, 'onnx/decoder_model_merged.onnx'), decoder);
}

/** Two convolutions, the second of which halves the frames, and layers of attention. */
function encoder() {
  const model = new TransformerLayers(kShape);
  const { hidden } = model;
  const convolve = (name, x, channels, stride) =>
    model.gelu(
      model.node('Conv', [x, model.weights(name, [hidden, channels, 3]), model.weights(`${name} bias`, [hidden])], {
        kernel_shape: [3],
        pads: [1, 1],
        strides: [stride],
      }),
    );
  const sound = convolve('second', convolve('first', 'input_features', kBands, 1), hidden, 2);
  const frames = model.node('Transpose', [sound], { perm: [0, 2, 1] });
  const places = model.node('Gather', [
    model.weights('positions', [kFrames, hidden], 0.5),
    model.range(model.integers(0), model.extent(frames, 1)),
  ]);
  let x = model.node('Add', [frames, places]);
  for (let i = 0; i < kShape.layers; ++i) {
    const normal = model.normalize(`attention ${i}`, x);
    const parts = ['query', 'key', 'value'].map((name) => model.heads(`${name} ${i}`, normal));
    x = model.feedForward(i, model.node('Add', [x, model.attend(`output ${i}`, parts)]));
  }
  model.node('Identity', [model.normalize('last', x)], {}, 'last_hidden_state');
  return model.write(
    [{ name: 'input_features', shape: ['batch_size', kBands, 'frames'] }],
    [{ name: 'last_hidden_state', shape: ['batch_size', 'half', hidden] }],
  );
}
