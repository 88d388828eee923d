import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tfjs from '../../../dist/tfjs/index.js';
import * as tf from '../../../dist/index.js';

test('the alias shares the engine', () => {
  assert.equal(tfjs.Tensor, tf.Tensor);
  assert.equal(tfjs.memory, tf.memory);
  const x = tfjs.tensor1d([1, 2]);
  const y = tf.add(x, 1);
  assert.deepEqual([...y.dataSync()], [2, 3]);
  tf.dispose([x, y]);
});

test('kernel names, and lookup of kernels by name', () => {
  assert.equal(tfjs.Add, 'Add');
  assert.equal(tfjs._FusedMatMul, '_FusedMatMul');
  const [a, b] = [tf.scalar(1), tf.scalar(2)];
  const sum = tfjs.engine().runKernel(tfjs.Add, { a, b });
  assert.equal(sum.dataSync()[0], 3);
  tf.dispose([a, b, sum]);
  assert.equal(tfjs.getKernel('Add', 'wasm').kernelName, 'Add');
  assert.equal(tfjs.getKernel('Nothing', 'wasm'), undefined);
});

test("a kernel that Tenure has stays Tenure's, and others are registered", () => {
  const run = () => assert.fail('it is not called');
  tfjs.registerKernel({ kernelName: 'Relu', backendName: 'wasm', kernelFunc: run });
  tfjs.registerGradient({ kernelName: 'Relu', gradFunc: run });
  const x = tf.tensor1d([-1, 1]);
  const y = tfjs.engine().runKernel('Relu', { x });
  assert.deepEqual([...y.dataSync()], [0, 1]);
  const kernelName = 'Twice of a test';
  tfjs.registerKernel({ kernelName, backendName: tf.getBackend(), kernelFunc: ({ inputs }) => tf.mul(inputs.x, 2) });
  const z = tfjs.engine().runKernel(kernelName, { x });
  assert.deepEqual([...z.dataSync()], [-2, 2]);
  assert.ok(tfjs.getKernel(kernelName, tf.getBackend()));
  tf.unregisterKernel(kernelName, tf.getBackend());
  tf.dispose([x, y, z]);
});

test('backends under other names', async () => {
  assert.equal(
    tfjs.registerBackend('mine', () => new tfjs.BackendWasm(), 2),
    true,
  );
  assert.equal(
    tfjs.registerBackend('mine', () => new tfjs.BackendWasm()),
    false,
  );
  assert.equal(await tfjs.setBackend('mine'), true);
  assert.deepEqual([tfjs.getBackend(), tfjs.engine().backendName, tf.getBackend()], ['mine', 'mine', 'wasm']);
  class Own extends tfjs.KernelBackend {}
  assert.equal(
    tfjs.registerBackend('own', () => new Own()),
    true,
  );
  const { warn } = console;
  console.warn = () => {};
  try {
    assert.equal(await tfjs.setBackend('own'), false);
  } finally {
    console.warn = warn;
  }
  assert.equal(tfjs.getBackend(), 'mine');
  assert.equal(await tfjs.setBackend('wasm'), true);
  assert.equal(tfjs.getBackend(), 'wasm');
  assert.equal(await tfjs.setBackend('webgpu'), await tf.setBackend('webgl'));
  tfjs.removeBackend('mine');
  tfjs.removeBackend('own');
  await assert.rejects(tfjs.setBackend('mine'), /'mine' not found in registry/);
  await tf.setBackend('wasm');
});

test('settings of the backend wasm', () => {
  tfjs.setWasmPaths('https://example.com/tfjs/');
  tfjs.setWasmPaths({ 'tfjs-backend-wasm.wasm': '/a.wasm' });
  tfjs.setWasmPath('/a.wasm');
  const threads = tf.getThreadsCount();
  tfjs.setThreadsCount(1);
  assert.equal(tfjs.getThreadsCount(), 1);
  assert.equal(tf.getThreadsCount(), 1);
  tfjs.setThreadsCount(threads);
});

test('unsupported functions throw when they are called', () => {
  const backend = new tfjs.MathBackendWebGL();
  assert.throws(
    () => backend.compileAndRun({}, []),
    /\[MathBackendWebGL\.compileAndRun\] is part of the backends of TensorFlow\.js/,
  );
  assert.throws(() => new tfjs.MathBackendCPU().readSync({}), /\[KernelBackend\.readSync\]/);
  assert.throws(() => tfjs.shared.addImpl(), /\[shared\.addImpl\]/);
  assert.throws(() => tfjs.kernel_impls.whereImpl([], []), /\[kernel_impls\.whereImpl\]/);
  assert.throws(() => tfjs.gpgpu_util.createVertexShader(), /\[gpgpu_util\.createVertexShader\]/);
  assert.throws(() => tfjs.engine().makeTensorFromDataId({}, [], 'float32'), /\[engine\(\)\.makeTensorFromDataId\]/);
});

test('kept tensors report it', () => {
  const x = tfjs.tidy(() => {
    const made = tf.scalar(1);
    tfjs.keep(made);
    tfjs.engine().keep({ more: [made] });
    return made;
  });
  assert.equal(x.kept, true);
  x.dispose();
  assert.equal(tf.memory().numTensors, 0);
});

test('internals of the engine that packages access', () => {
  const { engine, ENGINE } = tfjs;
  assert.equal(engine(), ENGINE);
  ENGINE.startScope();
  const variable = ENGINE.makeVariable(tf.scalar(1), true, 'of the engine');
  assert.equal(ENGINE.registeredVariables['of the engine'], variable);
  assert.equal(ENGINE.state.numTensors, tf.memory().numTensors);
  ENGINE.disposeVariables();
  ENGINE.endScope();
  let order = '';
  assert.equal(
    ENGINE.scopedRun(
      () => (order += 'a'),
      () => (order += 'c'),
      () => (order += 'b'),
    ),
    'ab',
  );
  assert.equal(order, 'abc');
  assert.equal(tf.memory().numTensors, 0);
});

test('values by data ids', () => {
  const moved = [];
  const storage = new tfjs.DataStorage('backend', {
    moveData: (backend, id) => {
      moved.push(backend);
      storage.set(id, 2);
    },
  });
  const [a, b] = [{}, {}];
  storage.set(a, 1);
  assert.deepEqual([storage.get(a), storage.get(b), storage.numDataIds(), moved], [1, 2, 2, ['backend']]);
  assert.equal(storage.delete(a), true);
  assert.deepEqual([storage.has(a), storage.numDataIds()], [false, 1]);
});

test('callbacks, one after the other', async () => {
  const told = [];
  const callback = (name) => ({
    setParams() {},
    setModel() {},
    onEpochEnd: async (epoch, logs) => void told.push([name, epoch, logs]),
  });
  const list = new tfjs.CallbackList([callback('a')]);
  list.append(callback('b'));
  await list.onEpochEnd(3);
  assert.deepEqual(told, [
    ['a', 3, {}],
    ['b', 3, {}],
  ]);
});

test('specs of packages are declared where there is a backend', () => {
  const declared = [];
  const runner = {
    describe: (name, declare) => {
      declared.push(name);
      declare();
    },
    beforeAll() {},
    beforeEach() {},
    afterEach() {},
  };
  Object.assign(globalThis, runner);
  try {
    tfjs.registerTestEnv({ name: 'cpu', backendName: 'cpu' });
    tfjs.registerTestEnv({ name: 'none', backendName: 'nowhere' });
    tfjs.describeWithFlags('suite', tfjs.ALL_ENVS, () => {});
    tfjs.describeWithFlags('elsewhere', { predicate: ({ flags }) => flags.MISSING === 1 }, () => {});
  } finally {
    for (const name of Object.keys(runner)) delete globalThis[name];
    tfjs.setTestEnvs([]);
  }
  assert.deepEqual(declared, ['suite cpu {}']);
});

test('the exports of the alias have no cycles', () => {
  const walk = (value, depth) => {
    assert.ok(depth < 20, 'it goes on and on');
    for (const inner of Object.values(value))
      if (inner && typeof inner === 'object' && !Array.isArray(inner)) walk(inner, depth + 1);
  };
  walk(tfjs, 0);
});

test('specs may install spies in namespaces', () => {
  for (const space of ['browser', 'image', 'io', 'linalg', 'losses', 'signal', 'string', 'util']) {
    const [name, value] = Object.entries(tfjs[space])[0];
    tfjs[space][name] = null;
    assert.equal(tfjs[space][name], null, space);
    tfjs[space][name] = value;
  }
});

test("paths inside TensorFlow.js's packages lead to the alias", () => {
  const alias = import.meta.resolve('tenure/tfjs');
  for (const path of ['dist/public/chained_ops/register_all_chained_ops', 'dist/tfjs.min.js', 'tfjs/dist/ops/ops'])
    assert.equal(import.meta.resolve(`tenure/${path}`), alias, path);
});
