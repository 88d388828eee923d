// Runs many detections with one set of detector options, some with injected faults; prints what is left.
// `node [--conditions=development] tests/web/examples/detection_soak.mjs '{"config": {}, "detections": 100, "faults": true}'`
import assert from 'node:assert/strict';
import * as tf from 'tenure';
import { Detector } from '../../../examples/detection/detector.mjs';
import { counts, held, inUse } from '../common.mjs';

const kAtOnce = 5;
const { config, detections, faults, ignores } = JSON.parse(process.argv[2]);
assert.equal(tf.debug.enabled, Boolean(faults), 'faults want the debug build, and speed the other one');

const image = tf.randomUniform([32, 32, 3], 0, 255, 'float32', 3);
const detector = new Detector(config);
// Ignored results stay until the next call.
const handedOut = ignores ? 2 * kAtOnce : 0;
const look = () => ({ ...counts(tf), inUse: inUse(tf) });

const kFace = [1, 8, 8, 3];
const faceBytes = 4 * kFace.reduce((a, b) => a * b);
const beforeFace = inUse(tf);
const oneFace = tf.zeros(kFace);
const faceInUse = inUse(tf) - beforeFace;
oneFace.dispose();

const before = look();
let found = 0;
let failed = 0;
for (let i = 0, after = 0; i < detections; i += kAtOnce, after++) {
  // Concurrent calls share the count of ops, so that each of them meets each fault eventually.
  if (faults) tf.debug.fail({ afterOps: after });
  const results = await Promise.allSettled(Array.from({ length: kAtOnce }, () => detector.detect(image)));
  tf.debug.fail();
  const rejected = results.filter(({ status }) => status === 'rejected');
  for (const { reason } of rejected) assert.match(reason.message, /injected failure/);
  // If none has failed, there are no more ops than that.
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
  const now = look();
  const more = now.numTensors - before.numTensors;
  assert.ok(more >= 0 && more <= handedOut, `${more} tensors more after ${i + kAtOnce} detections`);
  const faces = {
    numTensors: more,
    numDataBuffers: more,
    numBytes: more * faceBytes,
    scopes: 0,
    inUse: more * faceInUse,
  };
  const expected = Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + faces[name]]));
  assert.deepEqual(now, expected, `after ${i + kAtOnce} detections`);
}
detector.dispose();
image.dispose();
assert.ok(
  Object.values(held(tf)).every((count) => count === 0),
  JSON.stringify(held(tf)),
);
console.log(JSON.stringify({ found, failed }));
