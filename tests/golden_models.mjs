import path from 'node:path';
import { root } from '../cpp/toolchain/use.mjs';

export const modelsFolder = path.resolve(root, process.env.TENURE_SHARED ?? '../shared', 'models');

/** Real and synthetic models with recorded TensorFlow.js outputs. */
export const kGoldenModels = [
  'iris',
  'abalone',
  'embedding-gru',
  'dense-legacy',
  'mobilenet025',
  'mobilenet025-uint8',
  'mnist-cnn-float16-sharded',
  'lstm',
  'functional-two-heads',
];

/** TensorFlow graphs with recorded TensorFlow.js outputs. */
export const kGoldenGraphs = [
  'age',
  'antispoof',
  'blazeface',
  'emotion',
  'eye-iris',
  'faceboxes',
  'facemesh',
  'facemesh-detection-short',
  'gear-e1',
  'handtrack',
  'liveness',
  'prefetch-int',
  'selfie',
];
