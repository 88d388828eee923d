// tf.time() and tf.profile() on the backend 'webgpu', in Node on the npm package 'webgpu'.
import { before, test } from 'node:test';
import { assert } from '../expect.mjs';
import { runProgram, skip } from './webgpu_process.mjs';

let found;

before(() => {
  if (!skip) found = runProgram('webgpu_timing_program.mjs');
});

test("'timestamp-query' is requested only if the adapter offers it", { skip }, () => {
  assert.equal(found.requested[0], true);
  assert.equal(found.requested.at(-1), false);
});

test('time() has the time on the GPU', { skip }, () => {
  const [small, large] = found.offered.times;
  assert.ok(small.kernelMs > 0);
  // 512 times as many products; other work of the machine may slow down either.
  assert.ok(large.kernelMs > small.kernelMs, `${large.kernelMs} against ${small.kernelMs}`);
  assert.ok(large.kernelMs <= large.wallMs, `${large.kernelMs} of ${large.wallMs}`);
  // The CPU only records the dispatches.
  assert.ok(large.kernelMs > 0.2 * large.wallMs, `${large.kernelMs} of ${large.wallMs}`);
});

test('profile() has that of each kernel, of several submissions', { skip }, () => {
  const { many, inner, outer } = found.offered;
  assert.equal(many.length, 400);
  // Timestamps are rounded, to 65 microseconds by Dawn, so that some kernels take none.
  const sumOf = (kernels) => kernels.reduce((sum, { ms }) => sum + ms, 0);
  assert.ok(sumOf(many.slice(0, 200)) > 0 && sumOf(many.slice(300)) > 0, JSON.stringify(many));
  assert.deepEqual(outer.slice(2, 4), inner);
  assert.equal(outer.length, 6);
  assert.ok(inner[0].ms > outer[0].ms && inner[0].ms > outer[4].ms, JSON.stringify(outer));
});

test('nothing is timed afterwards, and nothing is left', { skip }, () => {
  const { counts, before, after, error, idle, sum } = found.offered;
  assert.deepEqual(counts, { live: 0, made: 7 });
  assert.deepEqual(after, before);
  assert.match(error, /matMul/);
  assert.equal(idle.kernelMs, 0);
  assert.ok(sum > 0);
});

test('without the feature, and on the CPU, times are those of the CPU', { skip }, () => {
  const { times, counts, many, sum } = found.hidden;
  assert.deepEqual(counts, { live: 0, made: 0 });
  assert.ok(times.every(({ kernelMs, wallMs }) => kernelMs >= 0 && kernelMs <= wallMs));
  assert.equal(many.length, 400);
  assert.equal(sum, found.offered.sum);
  assert.ok(found.offered.cpu.kernelMs <= found.offered.cpu.wallMs);
});

test('a device that is lost meanwhile ends no profile', { skip }, () => {
  assert.ok(found.lost.length >= 2);
  assert.ok(found.lost.every((ms) => ms >= 0));
});

test('setBackend() while another device is opened after a loss uses that, and destroys its own', { skip }, () =>
  assert.deepEqual(found.twice, { isStarted: true, opened: 2, running: 0, lost: [1] }),
);
