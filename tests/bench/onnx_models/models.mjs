// The models of run.mjs: like those that programs run with onnxruntime-web. For Node and pages.
import { kPackageModels, floats } from '../../onnx/package_models.mjs';
import { makePlainDecoder, plainDecoderCaches, plainDecoderInputs } from '../../onnx/plain_decoder.mjs';
import { layersToOnnx } from '../layers_to_onnx.mjs';
import { mobileNet } from '../mobilenet.mjs';
import { makeDecoderStep, makeEncoder } from '../quantized_models.mjs';
import { makeMobileNetV2, makeResNet18 } from './residual_nets.mjs';

const kDecoder = { layers: 6, heads: 12, size: 32 };

/** Returns a model with values of its input. */
const addFeeds = ({ bytes, shape }) => ({ bytes, feeds: { x: floats(shape) } });

function makeMobileNet() {
  const { bytes, input } = layersToOnnx(mobileNet());
  return { bytes, feeds: { [input.name]: floats(input.shape, 0, 1) } };
}

/** Returns a decoder, and the inputs of a step behind 64 tokens. */
function makeCachedStep() {
  const caches = plainDecoderCaches(kDecoder);
  for (const name of Object.keys(caches)) caches[name] = floats([1, kDecoder.heads, 64, kDecoder.size]);
  return { bytes: makePlainDecoder(kDecoder), feeds: plainDecoderInputs([3], 64, caches) };
}

const kMade = {
  'MobileNetV1 224': makeMobileNet,
  'MobileNetV2 224': makeMobileNetV2,
  'ResNet-18 224': makeResNet18,
  'encoder 128x384, 6 layers': () => addFeeds(makeEncoder({ bits: 32 })),
  'encoder 128x384, 6 layers, 8 bits': () => addFeeds(makeEncoder({ bits: 8 })),
  'decoder 384 with a cache, 6 layers': makeCachedStep,
  ...Object.fromEntries(
    [32, 16, 8, 4].map((bits) => [
      `decoder step 768, 6 layers, ${bits} bits`,
      () => addFeeds(makeDecoderStep({ bits })),
    ]),
  ),
};

/** The names of the models. */
export const kModelNames = [...Object.keys(kMade), ...kPackageModels.map(({ file }) => getName(file))];

function getName(file) {
  return file.replace(/^.*\/|(_infer)?\.onnx$/g, '');
}

/** Returns the bytes of a model, and its inputs by name. `read` returns the bytes of a file of tests/onnx/node_modules. */
export async function makeModel(name, read) {
  if (name in kMade) return kMade[name]();
  const { file, runs } = kPackageModels.find((one) => getName(one.file) === name);
  return { bytes: await read(file), feeds: runs[0] };
}
