// The backend 'webgpu' in Node, on the npm package 'webgpu'.
import { before, test } from 'node:test';
import { assert } from '../expect.mjs';
import { checkSharedBuffers } from './shared_buffers_checks.mjs';
import { runProgram, skip } from './webgpu_process.mjs';

let found;

before(() => {
  if (!skip) found = runProgram('webgpu_program.mjs');
});

test('setBackend() is false, with a warning, before init() got a GPU', { skip }, () => {
  assert.deepEqual([found.without, found.chosen, found.backend], [false, true, 'webgpu']);
  const warnings = found.warnings.filter((text) => text.includes('WebGPU'));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /there is no WebGPU here.*`gpu` of tf\.init\(\)/);
});

test('every op, with small work on the CPU', { skip }, () => {
  assert.deepEqual(found.small, { wrong: [], waiting: [] });
});

test('every op on the device that has a kernel there', { skip }, () => {
  assert.deepEqual(found.all.wrong, []);
  // Transform and FFT have no kernel, and non-maximum suppression has a result of unknown size.
  assert.deepEqual(found.all.waiting, ['image.rotateWithOffset', 'image.nonMaxSuppression', 'spectral.irfft']);
});

test('every op with deferred elementwise ops', { skip }, () => assert.deepEqual(found.deferred.cases.wrong, []));

test('a chain of deferred ops takes one buffer once it is read, or once its input is disposed', { skip }, () => {
  const { before, pending, computed, freed, disposed, values } = found.deferred;
  const size = 4 * 256 * 256;
  assert.deepEqual(pending, [before[0] + 1, before[1]]);
  assert.equal(computed, before[1] + size);
  assert.equal(freed, before[1]);
  assert.match(disposed, /is disposed/);
  assert.deepEqual(values, [1, 2]);
});

test('what needs values at once names data(), after which it has them', { skip }, () => {
  assert.equal(found.onGpu, 2 * 4 * 256 * 256);
  assert.match(found.blocking, /only on the GPU.*`await tensor\.data\(\)` first/);
  assert.match(found.fallback, /^\[unique\] .*`await tensor\.data\(\)` first/);
  assert.deepEqual([found.value, found.top], [9, 9]);
});

test('profile() counts an op that ran on the CPU for want of a kernel', { skip }, () =>
  assert.deepEqual(found.profiled, [['Transform', 'uploads: 0, downloads: 0, bytes: 0, fallbacks: 1']]),
);

test('models train and are evaluated as on the CPU, and leave nothing', { skip }, () => {
  const { webgpu, wasm } = found.training;
  assert.equal(webgpu.values.length, wasm.values.length);
  webgpu.values.forEach((value, i) =>
    assert.ok(Math.abs(value - wasm.values[i]) < 1e-4, `${i}: ${value}, ${wasm.values[i]}`),
  );
  assert.ok(wasm.values.every((value) => value > 0 && value < 2));
  assert.deepEqual(webgpu.after, webgpu.before);
});

test(
  'a device without memory is lost, lost values are an OutOfMemoryError, and another device starts',
  { skip },
  () => {
    const { name, message, isOurs, again, value, before, after } = found.memory;
    assert.deepEqual([name, isOurs, again, value], ['OutOfMemoryError', true, true, 2]);
    assert.match(message, /out of GPU memory.*largest/s);
    assert.deepEqual(after, before);
  },
);

test('buffers are shared with the program', { skip }, () => checkSharedBuffers(found.shared));

test('buffers are not shared before the backend has started', { skip }, () =>
  assert.match(found.notStarted, /^\[dataToGPU\] .*`?await tf\.setBackend\('webgpu'\)/),
);

test('leaks nothing', { skip }, () => assert.deepEqual(found.after, found.before));

test('small models run where their weights and inputs are, if these cannot be read at once', { skip }, () => {
  const { errors, before, after } = runProgram('webgpu_placement_program.mjs');
  assert.deepEqual(errors, {});
  assert.deepEqual(after, before);
});

test('what a device computed that reports an error is lost, and setBackend() starts another', { skip }, () => {
  const { found, before, after } = runProgram('webgpu_errors_program.mjs', { timeout: 120_000 });
  const expected = { errors: ['ContextLostError', 'ContextLostError'], value: 3 };
  assert.deepEqual(found, { destroyed: expected, foreign: expected });
  assert.deepEqual(after, before);
});

test('integers of an ONNX model beyond int32 are errors of the next read, and nothing is left of it', { skip }, () => {
  const { found, before, after } = runProgram('webgpu_integers_program.mjs', { timeout: 120_000 });
  const { first, next, later, onCpu } = found;
  const error = 'integers are computed as int32, which cannot hold a product that the GPU computed before this read';
  for (const message of first) assert.ok(String(message).includes(`${error} (in the node "y")`), `${message}`);
  assert.deepEqual(next, [9, 16]);
  assert.deepEqual(later, [25, 36]);
  assert.match(onCpu, /cannot hold 65536 \* 65536 \(.*"y"/);
  assert.deepEqual(after, before);
});
