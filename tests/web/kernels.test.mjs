import { test } from 'node:test';
import { assert, leavesNothing, tf } from './expect.mjs';

const double = {
  kernelName: 'Double',
  backendName: 'wasm',
  kernelFunc: ({ inputs: { x }, backend, attrs }) => {
    const values = backend.readSync(x.dataId).map((value) => value * (attrs.by ?? 2));
    const scrap = backend.makeTensorInfo([3], 'float32');
    backend.disposeIntermediateTensorInfo(scrap);
    return backend.makeTensorInfo(x.shape, x.dtype, values);
  },
};

function registered(config, body) {
  tf.registerKernel(config);
  try {
    body();
  } finally {
    tf.unregisterKernel(config.kernelName, config.backendName);
  }
}

test('a custom kernel runs by its name, and leaks nothing', () => {
  registered(double, () => {
    assert.equal(tf.getKernel('Double', 'wasm'), double);
    assert.ok(tf.getKernelsForBackend('wasm').includes(double));
    assert.ok(!tf.getKernelsForBackend('cpu').includes(double));
    leavesNothing(() => {
      const x = tf.tensor2d([
        [1, 2],
        [3, 4],
      ]);
      const y = tf.engine().runKernel('Double', { x }, { by: 3 });
      assert.ok(y instanceof tf.Tensor);
      assert.deepEqual(y.arraySync(), [
        [3, 6],
        [9, 12],
      ]);
      tf.dispose([x, y]);
    });
  });
  assert.equal(tf.getKernel('Double', 'wasm'), undefined);
  assert.throws(() => tf.unregisterKernel('Double', 'wasm'), /is not registered/);
});

test('a kernel may call ops, leave intermediates, and throw', () => {
  const config = { ...double, kernelFunc: ({ inputs: { x } }) => x.mul(2).add(1) };
  registered(config, () => {
    leavesNothing(() => {
      const x = tf.scalar(4);
      const y = tf.engine().runKernel('Double', { x });
      assert.equal(y.dataSync()[0], 9);
      tf.dispose([x, y]);
    });
  });
  registered({ ...double, kernelFunc: ({ inputs: { x } }) => x }, () => {
    leavesNothing(() => {
      const x = tf.scalar(4);
      const y = tf.engine().runKernel('Double', { x });
      x.dispose();
      assert.equal(y.dataSync()[0], 4);
      y.dispose();
    });
  });
  registered(
    { ...double, kernelFunc: ({ inputs: { x }, backend }) => (backend.makeTensorInfo([9], 'int32'), x.foo()) },
    () => {
      leavesNothing(() => {
        const x = tf.scalar(4);
        assert.throws(() => tf.engine().runKernel('Double', { x }), TypeError);
        x.dispose();
      });
    },
  );
});

test('a kernel has the gradient that is registered for it', () => {
  tf.registerGradient({
    kernelName: 'Double',
    inputsToSave: ['x'],
    gradFunc: (dy, [x], { by }) => ({ x: () => dy.mul(by).mul(x.sign()) }),
  });
  registered(double, () => {
    leavesNothing(() => {
      const x = tf.tensor1d([1, -2]);
      const g = tf.grad((a) => tf.engine().runKernel('Double', { x: a }, { by: 5 }))(x);
      assert.deepEqual(g.arraySync(), [5, -5]);
      tf.dispose([x, g]);
    });
  });
  tf.unregisterGradient('Double');
  assert.equal(tf.getGradient('Double'), undefined);
});

test('unsupported registrations throw', () => {
  leavesNothing(() => {
    assert.throws(
      () => tf.registerKernel({ ...double, kernelName: 'Relu' }),
      /'Relu' is built into Tenure and cannot be replaced/,
    );
    assert.throws(
      () => tf.registerGradient({ kernelName: 'Multiply', gradFunc: () => ({}) }),
      /'Multiply' is built in/,
    );
    assert.throws(() => tf.registerBackend('mine', () => ({})), /cannot be registered/);
    assert.throws(() => tf.removeBackend('wasm'), /cannot be removed/);
    assert.throws(() => tf.engine().runKernel('Nothing', {}), /Kernel 'Nothing' not registered for backend 'wasm'/);
    const x = tf.tensor1d([1, -2]);
    assert.throws(() => tf.engine().runKernel('Sum', { x }, { axis: 0 }), /call tf.sum\(\)/);
    const y = tf.engine().runKernel('Relu', { x });
    const z = tf.engine().runKernel('Multiply', { a: x, b: x });
    const sum = tf.engine().runKernel('AddN', { inputs: [x, y, z] });
    assert.deepEqual(
      [y.arraySync(), z.arraySync(), sum.arraySync()],
      [
        [1, 0],
        [1, 4],
        [3, 2],
      ],
    );
    tf.dispose([x, y, z, sum]);
    assert.equal(tf.findBackend('none'), null);
  });
});

test('the engine lists its backends and kernels', () => {
  assert.deepEqual(Object.keys(tf.engine().registryFactory).sort(), ['cpu', 'wasm']);
  assert.equal(tf.findBackendFactory('webgl'), null);
  const names = tf.getKernelsForBackend('wasm').map(({ kernelName }) => kernelName);
  assert.equal(new Set(names).size, names.length);
  for (const name of ['Add', 'AddN', 'Conv2D', 'FusedConv2D', 'IsNan', 'Mod', 'Multiply', 'RotateWithOffset', 'TopK']) {
    assert.ok(names.includes(name), name);
  }
  assert.deepEqual(tf.getKernelsForBackend('webgpu'), []);
  const [{ kernelFunc }] = tf.getKernelsForBackend('cpu').filter(({ kernelName }) => kernelName === 'Neg');
  leavesNothing(() => {
    const x = tf.scalar(2);
    const y = kernelFunc({ inputs: { x } });
    assert.equal(y.dataSync()[0], -2);
    tf.dispose([x, y]);
    const { numTensors, numBytes, numDataBuffers } = tf.engine().state;
    const { numTensors: tensors, numBytes: bytes, numDataBuffers: buffers } = tf.memory();
    assert.deepEqual([numTensors, numBytes, numDataBuffers], [tensors, bytes, buffers]);
  });
});

test('a kernel whose name differs in case from a built-in one is a custom kernel', () => {
  registered({ ...double, kernelName: 'reciprocal' }, () => {
    leavesNothing(() => {
      const x = tf.tensor1d([2]);
      const y = tf.engine().runKernel('reciprocal', { x });
      assert.equal(y.dataSync()[0], 4);
      tf.dispose([x, y]);
    });
  });
  assert.throws(
    () => tf.registerKernel({ ...double, kernelName: 'Reciprocal' }),
    /'Reciprocal' is built into Tenure and cannot be replaced/,
  );
});
