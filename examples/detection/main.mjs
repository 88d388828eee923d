// A detector whose results own their tensors, with the options of the Human library; prints the tensors that each leaves.
// `npm run build && node examples/detection/main.mjs`
import * as tf from 'tenure';
import { Detector } from './detector.mjs';

const kDetections = Number(process.argv[2] ?? 1000);
const settings = {
  defaults: {},
  'async: false': { async: false },
  'return: true, disposed': { face: { detector: { return: true } } },
  'return: true, deallocate: true, ignored': { deallocate: true, face: { detector: { return: true } } },
};

const image = tf.randomUniform([48, 48, 3], 0, 255, 'float32', 3);
for (const [name, config] of Object.entries(settings)) {
  const detector = new Detector(config);
  const before = tf.memory().numTensors;
  let most = 0;
  for (let i = 0; i < kDetections; i++) {
    const result = await detector.detect(image);
    most = Math.max(most, tf.memory().numTensors - before);
    if (!name.endsWith('ignored')) result.dispose();
  }
  const left = tf.memory().numTensors - before;
  console.log(`${name.padEnd(40)} ${kDetections} detections, at most ${most} tensors handed out, ${left} at the end`);
  detector.dispose();
}

const detector = new Detector({ face: { detector: { return: true } } });
const inputs = [image, tf.zeros([32, 32]), image, 'no tensor', image];
const results = await Promise.allSettled(inputs.map((input) => detector.detect(input)));
for (const { status, value, reason } of results) {
  console.log(
    status === 'fulfilled'
      ? `found ${value.face.length} faces, the first ${value.face[0].tensor.shape}`
      : `rejected: ${reason.message}`,
  );
}
for (const { value } of results) value?.dispose();
detector.dispose();
tf.dispose(inputs.filter((input) => input instanceof tf.Tensor));
console.log(`${tf.memory().numTensors} tensors at the end`);
