// The backend 'webgpu' in Node, on the npm package 'webgpu'.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assert } from '../expect.mjs';
import { checkSharedBuffers } from './shared_buffers_checks.mjs';

const { TENURE_WEBGPU: library, TENURE_VULKAN: vulkan } = process.env;
const skip = !library && 'TENURE_WEBGPU names no library: run `bash cpp/toolchain/setup.sh --webgpu`';
let found;

before(() => {
  if (skip) return;
  const program = fileURLToPath(new URL('webgpu_program.mjs', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, program, library], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, LD_LIBRARY_PATH: path.dirname(vulkan ?? '') },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  found = JSON.parse(stdout);
});

test('setBackend() is false, with a warning, before init() got a GPU', { skip }, () => {
  assert.deepEqual([found.without, found.chosen, found.backend], [false, true, 'webgpu']);
  assert.equal(found.warnings.length, 1);
  assert.match(found.warnings[0], /there is no WebGPU here.*`gpu` of tf\.init\(\)/);
});

test('every op, with small work on the CPU', { skip }, () => {
  assert.deepEqual(found.small, { wrong: [], waiting: [] });
});

test('every op on the device that has a kernel there', { skip }, () => {
  assert.deepEqual(found.all.wrong, []);
  assert.ok(found.all.waiting.length < found.cases / 2, `${found.all.waiting.length} wait: ${found.all.waiting}`);
});

test('what needs values at once names data(), after which it has them', { skip }, () => {
  assert.equal(found.onGpu, 2 * 4 * 256 * 256);
  assert.match(found.blocking, /only on the GPU.*`await tensor\.data\(\)` first/);
  assert.match(found.fallback, /^\[unique\] .*`await tensor\.data\(\)` first/);
  assert.deepEqual([found.value, found.top], [9, 9]);
});

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
