// Prediction workloads: from a typed array to a typed array; each call makes and frees the tensors between them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { mobileNet } from './mobilenet.mjs';

const shared = path.resolve(root, process.env.TENURE_SHARED ?? '../shared');
const kShared = ['mobilenet025', 'lstm'];

/** Returns a model's files as an IOHandler's load() does. */
export function readModel(file) {
  const { weightsManifest, ...json } = JSON.parse(readFileSync(file, 'utf8'));
  const shards = weightsManifest
    .flatMap(({ paths }) => paths)
    .map((name) => readFileSync(path.join(path.dirname(file), name)));
  return {
    ...json,
    weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
    weightData: Uint8Array.from(Buffer.concat(shards)).buffer,
  };
}

export const sharedFile = (name) => path.join(shared, 'models', name, 'model.json');
const fromFile = (name, file, rest) => ({ name: `predict ${name}`, model: () => readModel(file), ...rest });

const isMissing = (name) => !existsSync(sharedFile(name));

export const missingModels = kShared.filter(isMissing);

export const modelWorkloads = [
  fromFile('iris 4-10-3', path.join(root, 'examples/iris/model.json'), { tiny: true }),
  ...kShared
    .filter((name) => !isMissing(name))
    // ONNX Runtime's LSTM on WebGPU has no HardSigmoid.
    .map((name) => fromFile(name, sharedFile(name), name === 'lstm' ? { tiny: true, without: ['ort webgpu'] } : {})),
  { name: 'predict MobileNetV1 1.0 224', model: () => mobileNet() },
];
