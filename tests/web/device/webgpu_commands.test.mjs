// The queue of commands that wait for pipelines, and the handles of objects, apart from the engine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { transform } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';

/** Imports a module of web/src/device that imports only types. */
async function load(name) {
  const source = readFileSync(path.join(root, 'web/src/device', name), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

const { CommandQueue } = await load('webgpu_commands.ts');
const { Handles } = await load('webgpu_handles.ts');

/** More than half of the bytes that may wait. */
const kManyBytes = 40 << 20;

/** Returns a queue, the names of the commands that ran, and functions. */
function makeQueue() {
  const ready = new Set();
  const pipelines = { isReady: (handle) => ready.has(handle), onCompiled: () => {} };
  const queue = new CommandQueue(pipelines, () => true);
  const ran = [];
  return {
    ran,
    dispatch: (name, pipeline) => queue.add(() => ran.push(name), pipeline),
    upload: (name, bytes) => {
      queue.keep(bytes);
      queue.add(() => ran.push(name));
    },
    compile: (pipeline) => {
      ready.add(pipeline);
      pipelines.onCompiled();
    },
  };
}

test('commands run at once with more bytes than may wait', () => {
  const { ran, dispatch, upload } = makeQueue();
  dispatch('first', 1);
  upload('half', kManyBytes);
  assert.deepEqual(ran, []);
  upload('whole', kManyBytes);
  assert.deepEqual(ran, ['first', 'half', 'whole']);
});

test('the bytes of commands that ran let others wait', () => {
  const { ran, dispatch, upload, compile } = makeQueue();
  dispatch('first', 1);
  upload('its upload', kManyBytes);
  dispatch('second', 2);
  compile(1);
  assert.deepEqual(ran, ['first', 'its upload']);
  upload('another upload', kManyBytes);
  assert.deepEqual(ran, ['first', 'its upload']);
  upload('too much', kManyBytes);
  assert.deepEqual(ran, ['first', 'its upload', 'second', 'another upload', 'too much']);
  // Nothing waits, and nothing is kept.
  dispatch('third', 3);
  upload('a third upload', kManyBytes);
  assert.equal(ran.length, 5);
});

test('objects have handles beyond 2 ** 31, which come back as signed integers', () => {
  const handles = new Handles(2 ** 31 - 2);
  const names = ['a', 'b', 'c'];
  const numbers = names.map((name) => handles.add(name));
  assert.deepEqual(numbers, [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1]);
  assert.deepEqual(
    numbers.map((number) => handles.get(number | 0)),
    names,
  );
  assert.equal(handles.take(numbers[1] | 0), 'b');
  assert.throws(() => handles.get(numbers[1] | 0), /unknown object/);
});

test('handles start again after 2 ** 32, without 0', () => {
  const handles = new Handles(2 ** 32 - 2);
  assert.deepEqual([handles.add('last'), handles.add('first')], [2 ** 32 - 1, 1]);
  assert.deepEqual([handles.get(-1), handles.get(1)], ['last', 'first']);
});
