// Measures how the cost of Tenure's operations scales with their size, and draws a chart for the docs.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { curveChart } from './chart.mjs';
import { first } from './eager.mjs';
import { missingModels, readModel, sharedFile } from './model_workloads.mjs';
import { timeCalls } from './timing.mjs';

const kFile = path.join(root, 'docs/scaling.svg');

/** Measures in this process, on one thread except where the number of threads is the variable. */
export async function drawScaling({ quick }) {
  const tf = await import('../../dist/index.js');
  await tf.ready();
  const budgetMs = quick ? 30 : 200;
  const curve = async (title, unit, sizes, prepare, { per = () => 1, threads = () => 1 } = {}) => {
    const points = [];
    for (const size of sizes) {
      tf.setThreadsCount(threads(size));
      await tf.startThreads();
      const { call, end } = await prepare(size);
      points.push([size, (await timeCalls(call, budgetMs)) / per(size)]);
      end?.();
    }
    console.log(`${title}: ${points.map(([x, y]) => `${x} ${(y * 1000).toPrecision(3)} us`).join(', ')}`);
    return { title, unit, points };
  };
  const on = (inputs, op) => {
    const tensors = inputs.map((shape) => tf.randomUniform(shape));
    // A large result may be deferred until it is read; for small ones, reading would dominate.
    const call = (...x) => {
      const y = op(...x);
      if (y.size > 1e5) first(tf, y).dataSync();
    };
    return { call: () => tf.tidy(() => void call(...tensors)), end: () => tf.dispose(tensors) };
  };
  const square = (size) =>
    on(
      [
        [size, size],
        [size, size],
      ],
      (a, b) => tf.matMul(a, b),
    );
  const threads = [1, 2, 4, 8].filter((count) => count <= os.availableParallelism());
  const curves = [
    await curve('matMul n x n', 'n', [8, 16, 32, 64, 128, 256, 512, 1024], square),
    await curve('conv2d 3x3, 32 channels', 'pixels a side', [7, 14, 28, 56, 112], (size) =>
      on(
        [
          [1, size, size, 32],
          [3, 3, 32, 32],
        ],
        (x, w) => tf.conv2d(x, w, 1, 'same'),
      ),
    ),
    await curve('add', 'elements', [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7], (size) =>
      on([[size], [size]], (a, b) => tf.add(a, b)),
    ),
    await curve(
      'a tensor in a scope of n',
      'tensors',
      [1, 10, 100, 1e3, 1e4, 1e5, 1e6],
      (size) => ({ call: () => tf.tidy(() => fill(tf, size)) }),
      { per: (size) => size },
    ),
    await curve('matMul 1024 by threads', 'threads', threads, () => square(1024), { threads: (count) => count }),
  ];
  if (!missingModels.includes('mobilenet025')) {
    const model = await tf.loadLayersModel({ load: async () => readModel(sharedFile('mobilenet025')) });
    const [, ...image] = model.inputs[0].shape;
    const perImage = await curve(
      'MobileNet by batch: an image',
      'images',
      [1, 2, 4, 8, 16, 32, 64],
      (size) => on([[size, ...image]], (x) => model.predict(x)),
      { per: (size) => size },
    );
    curves.push(perImage);
    model.dispose();
  }
  writeFileSync(kFile, curveChart('How the time of work grows with its size', curves));
}

function fill(tf, count) {
  for (let i = 0; i < count; ++i) tf.scalar(1);
}
