import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from './expect.mjs';

test('a profile has the fields of TensorFlow.js', async () => {
  await leavesNothingAsync(async () => {
    const before = tf.memory();
    const { kernels, ...info } = await tf.profile(() => {
      const x = tf.tensor1d([1, 2, 3]);
      x.square().dispose();
      x.square().dispose();
      return x;
    });
    assert.deepEqual(info.result.arraySync(), [1, 2, 3]);
    assert.deepEqual([info.newBytes, info.newTensors], [12, 1]);
    assert.deepEqual([info.peakBytes, info.kernelNames], [before.numBytes + 24, ['Square']]);
    assert.equal(kernels.length, 2);
    for (const { kernelTimeMs, ...kernel } of kernels) {
      assert.ok(kernelTimeMs >= 0);
      assert.deepEqual(kernel, {
        name: 'Square',
        bytesAdded: 12,
        totalBytesSnapshot: before.numBytes + 24,
        tensorsAdded: 1,
        totalTensorsSnapshot: before.numTensors + 2,
        inputShapes: [[3]],
        outputShapes: [[3]],
        extraInfo: '',
      });
    }
    info.result.dispose();
  });
});

test('kernels have TensorFlow.js’s names, and shapes of all their inputs', async () => {
  await leavesNothingAsync(async () => {
    const { kernels, kernelNames } = await tf.profile(() =>
      tf.tidy(() => {
        const x = tf.ones([1, 4, 4, 2]);
        x.mul(2)
          .div(x)
          .pad([
            [0, 0],
            [1, 1],
            [1, 1],
            [0, 0],
          ]);
        tf.conv2d(x, tf.ones([3, 3, 2, 5]), 1, 'same')
          .reshape([16, 5])
          .matMul(tf.ones([5, 2]));
        tf.fused.conv2d({
          x,
          filter: tf.ones([1, 1, 2, 3]),
          strides: 1,
          pad: 'valid',
          bias: tf.ones([3]),
          activation: 'relu',
        });
      }),
    );
    assert.deepEqual(kernelNames, ['Fill', 'Multiply', 'RealDiv', 'PadV2', 'Conv2D', 'Reshape', 'BatchMatMul']);
    const others = await tf.profile(() =>
      tf.tidy(() => void tf.gatherND(tf.real(tf.fft(tf.complex([1, 2], [3, 4]))), [[0]])),
    );
    assert.deepEqual(others.kernelNames, ['Complex', 'FFT', 'Real', 'GatherNd']);
    assert.deepEqual(kernels.find(({ name }) => name === 'BatchMatMul').inputShapes, [
      [16, 5],
      [5, 2],
    ]);
    assert.deepEqual(kernels.at(-1).inputShapes, [[1, 4, 4, 2], [1, 1, 2, 3], [3]]);
    assert.deepEqual(kernels.at(-1).outputShapes, [[1, 4, 4, 3]]);
  });
});

test('a profile sees the steps of a model', async () => {
  await leavesNothingAsync(async () => {
    const folder = new URL('../../examples/iris/', import.meta.url);
    const { modelTopology, weightsManifest } = JSON.parse(readFileSync(new URL('model.json', folder), 'utf8'));
    const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
    const weightData = new Uint8Array(readFileSync(new URL('weights.bin', folder))).buffer;
    const model = await tf.loadLayersModel({ load: async () => ({ modelTopology, weightSpecs, weightData }) });
    const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
    const { kernels, newTensors, result } = await tf.profile(() => model.predict(x));
    assert.deepEqual(
      kernels.map(({ name }) => name),
      ['BatchMatMul', 'BatchMatMul', 'Softmax'],
    );
    assert.deepEqual(
      kernels.map(({ tensorsAdded }) => tensorsAdded),
      [0, 0, 0],
    );
    assert.equal(newTensors, 1);
    tf.dispose([model, x, result]);
  });
});

test('an exception and a rejection end only the profile', async () => {
  await leavesNothingAsync(async () => {
    const { kernelNames } = await tf.profile(async () => {
      await assert.rejects(
        tf.profile(() => {
          throw new Error('at once');
        }),
        /at once/,
      );
      await assert.rejects(
        tf.profile(async () => {
          await pause();
          throw new Error('later');
        }),
        /later/,
      );
      tf.tidy(() => void tf.scalar(1).exp());
    });
    assert.deepEqual(kernelNames, ['Exp']);
    const quiet = await tf.profile(() => 3);
    assert.deepEqual([quiet.result, quiet.kernels, quiet.newBytes], [3, [], 0]);
  });
});

test('concurrent profiles are separate, and a nested one counts for both', async () => {
  await leavesNothingAsync(async () => {
    const work = (turns) =>
      tf.profile(async () => {
        const kept = [];
        for (let i = 0; i < turns; i++) {
          await pause();
          kept.push(tf.tidy(() => tf.scalar(i).square()));
        }
        await pause();
        kept.pop().dispose();
        return kept;
      });
    const stranger = (async () => {
      for (let i = 0; i < 20; i++) {
        await pause();
        tf.tidy(() => void tf.scalar(i).exp());
      }
    })();
    const all = await Promise.all([2, 7, 4].map(work));
    await stranger;
    for (const [i, turns] of [2, 7, 4].entries()) {
      const { kernels, newTensors, newBytes, result } = all[i];
      assert.deepEqual(
        kernels.map(({ name }) => name),
        Array(turns).fill('Square'),
      );
      assert.deepEqual([newTensors, newBytes], [turns - 1, 4 * (turns - 1)]);
      tf.dispose(result);
    }
    const outer = await tf.profile(async () => {
      const inner = await tf.profile(() => tf.tidy(() => void tf.scalar(1).exp()));
      tf.tidy(() => void tf.scalar(1).log());
      return inner.kernelNames;
    });
    assert.deepEqual([outer.result, outer.kernelNames], [['Exp'], ['Exp', 'Log']]);
  });
});

test('time() distinguishes kernel time from total time', async () => {
  const x = tf.ones([300, 300]);
  const { kernelMs, wallMs } = await tf.time(() => tf.tidy(() => void x.matMul(x)));
  assert.ok(kernelMs > 0 && kernelMs <= wallMs, `${kernelMs} of ${wallMs}`);
  x.dispose();
});
