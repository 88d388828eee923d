import { test } from 'node:test';
import { createFakeGpu } from '../device/fake_gpu.mjs';
import { assert, tf, warningsOf } from './expect.mjs';

test('the first synchronous read of a GPU in a page is noted, with what it costs', async (context) => {
  const gpu = createFakeGpu((device) => {
    device.createComputePipelineAsync = async () => ({});
  });
  await tf.init({ gpu });
  assert.equal(await tf.setBackend('webgpu'), true);
  tf.env().set('WEBGL_CPU_FORWARD', false);
  const [x, onCpu] = [tf.tidy(() => tf.ones([8]).square()), tf.tensor([1])];
  // There is no canvas here to read with.
  const read = () => assert.throws(() => x.dataSync(), /`await tensor\.data\(\)` first/);
  assert.deepEqual(warningsOf(context, read), []);
  context.after(() => delete globalThis.document);
  globalThis.document = {};
  const notes = warningsOf(context, () => {
    onCpu.dataSync();
    read();
    read();
  });
  assert.equal(notes.length, 1);
  assert.match(notes[0], /dataSync\(\) blocks the page until the GPU has finished: await data\(\) instead/);
  tf.dispose([x, onCpu]);
  tf.env().reset();
  await tf.setBackend('wasm');
});
