import * as tf from '@tensorflow/tfjs';
import { create } from '@tensorflow-models/knn-classifier';
import { relu } from '@tensorflow/tfjs-core/dist/ops/ops_for_converter';
import { version } from 'tenure';

/** Returns "10 0": a sum, and the number of tensors that a package for TensorFlow.js left. */
export async function found() {
  if (tf.version.tenure !== version.tenure) throw new Error('this is TensorFlow.js');
  await tf.ready();
  const before = tf.memory().numTensors;
  const classifier = create();
  const [x, y] = [tf.tensor1d([10, 0]), tf.tensor1d([0, 10])];
  classifier.addExample(x, 'ten');
  classifier.addExample(y, 'none');
  const { label } = await classifier.predictClass(x, 1);
  const value = tf.tidy(() => relu(x).sum().dataSync()[0]);
  classifier.dispose();
  tf.dispose([x, y]);
  return label === 'ten' ? `${value} ${tf.memory().numTensors - before}` : `it is ${label}`;
}
