// When the pipelines of models are compiled on the backend 'webgpu', in Node on the npm package 'webgpu'.
import { before, test } from 'node:test';
import { assert } from '../expect.mjs';
import { runProgram, skip } from './webgpu_process.mjs';

let found;

before(() => {
  if (!skip) found = runProgram('webgpu_models_program.mjs');
});

for (const kind of ['layers', 'graph', 'onnx', 'tflite']) {
  test(`the pipelines of a model are compiled asynchronously while it loads: ${kind}`, { skip }, () => {
    const { atLoad, atFirst, difference } = found[kind];
    assert.equal(atLoad.sync, 0);
    assert.ok(atLoad.async > 0);
    assert.deepEqual(atFirst, { sync: 0, async: 0 });
    assert.ok(difference < 1e-5, `${difference}`);
  });
}

test('the event loop sleeps while pipelines are compiled', { skip }, () => {
  const { immediates, ms } = found.layers.loop;
  assert.ok(immediates < 4 * ms + 20, `${immediates} in ${ms} ms`);
});

test('a batch of another size uses most of them', { skip }, () => {
  const { atLoad, atFirst, difference } = found.batch;
  assert.ok(atFirst.async < atLoad.async, `${atFirst.async} of ${atLoad.async} were compiled again`);
  assert.ok(difference < 1e-5, `${difference}`);
});

test('nothing is compiled ahead if shapes are unknown', { skip }, () => {
  const { atLoad, atFirst, difference } = found.unknown;
  assert.deepEqual(atLoad, { sync: 0, async: 0 });
  assert.ok(atFirst.async > 0);
  assert.ok(difference < 1e-5, `${difference}`);
});

test('compiling ahead leaves no tensors and buffers', { skip }, () => {
  for (const kind of ['layers', 'batch', 'graph', 'unknown', 'onnx', 'tflite'])
    assert.deepEqual(found[kind].after, found[kind].before, kind);
  assert.deepEqual(found.end, found.start);
});

test('a model runs if compiling ahead fails, or the device is lost meanwhile', { skip }, () => {
  const { undisturbed, failing, lost } = found;
  assert.ok(Math.abs(undisturbed.value) > 0.1);
  assert.ok(Math.abs(failing.value - undisturbed.value) < 1e-6);
  assert.ok(Math.abs(lost.value - undisturbed.value) < 1e-6);
});

test('tf.ready() waits for them, and so do the results of a run that begins before', { skip }, () => {
  const { sync, async, value, again, wasReady } = found.pending;
  assert.equal(wasReady, false);
  assert.deepEqual({ sync, async }, { sync: 0, async: 0 });
  assert.equal(value, again);
});

for (const kind of ['predict', 'fit', 'async', 'ops']) {
  test(`what was not compiled ahead is compiled asynchronously: ${kind}`, { skip }, () => {
    const { sync, async, difference, before, after } = found[kind];
    assert.equal(sync, 0);
    assert.ok(async > 0);
    assert.ok(difference < 1e-4, `${difference}`);
    assert.deepEqual(after, before);
  });
}

test('of the commands that wait for a pipeline there is a maximum', { skip }, () => {
  const { sync, difference, before, after } = found.loop;
  assert.ok(sync > 0);
  assert.ok(difference < 1e-3, `${difference}`);
  assert.deepEqual(after, before);
});

test('commands for a buffer that the program knows do not wait', { skip }, () =>
  assert.deepEqual(found.shared.got, found.shared.expected),
);

test('a model loads in a page that emulates Node', { skip }, () =>
  assert.deepEqual(runProgram('webgpu_event_loop_program.mjs', { args: ['page'] }), [0, 0, 0, 0]),
);

test('a pipeline that is never compiled does not keep the process alive', { skip }, () =>
  assert.equal(runProgram('webgpu_event_loop_program.mjs', { args: ['endless'], timeout: 60_000 }), 'ended'),
);
