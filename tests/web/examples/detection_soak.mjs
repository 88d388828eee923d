// Many detections with one setting of the detector's options, some of them told to fail; says what was left.
// `node [--conditions=development] tests/web/examples/detection_soak.mjs '{"config": {}, "detections": 100, "faults": true}'`
import assert from 'node:assert/strict';
import * as tf from 'tenure';
import { Detector } from '../../../examples/detection/detector.mjs';

const kAtOnce = 5;
const { config, detections, faults, ignores } = JSON.parse(process.argv[2]);
assert.equal(tf.debug.enabled, Boolean(faults), 'faults want the debug build, and speed the other one');

const image = tf.randomUniform([32, 32, 3], 0, 255, 'float32', 3);
const detector = new Detector(config);
// What is ignored stays until the next call.
const handedOut = ignores ? 2 * kAtOnce : 0;
const counts = () => {
  const { numTensors, detail } = tf.memory();
  return { numTensors, scopes: detail.scopes };
};

const before = counts();
let found = 0;
let failed = 0;
for (let i = 0, after = 0; i < detections; i += kAtOnce, after++) {
  // Calls at the same time share the count of ops, so that each of them meets each fault in time.
  if (faults) tf.debug.fail({ afterOps: after });
  const results = await Promise.allSettled(Array.from({ length: kAtOnce }, () => detector.detect(image)));
  tf.debug.fail();
  const rejected = results.filter(({ status }) => status === 'rejected');
  for (const { reason } of rejected) assert.match(reason.message, /told to fail/);
  // When none has failed, there are no more ops than that.
  if (faults && rejected.length === 0) after = -1;
  for (const { value } of results) {
    if (!value) continue;
    found += value.face.length;
    for (const { tensor, embedding } of value.face) {
      assert.equal(embedding.length, 16);
      if (tensor) assert.equal(tensor.dataSync().length, 8 * 8 * 3);
    }
    if (!ignores) value.dispose();
  }
  failed += rejected.length;
  const { numTensors, scopes } = counts();
  assert.equal(scopes, before.scopes);
  const more = numTensors - before.numTensors;
  assert.ok(more >= 0 && more <= handedOut, `${more} tensors more after ${i + kAtOnce} detections`);
}
detector.dispose();
image.dispose();
assert.deepEqual(counts(), { numTensors: 0, scopes: 0 });
console.log(JSON.stringify({ found, failed }));
