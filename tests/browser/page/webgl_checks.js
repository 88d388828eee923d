import { held } from './common.mjs';

const kLarge = [256, 256];
const large = (tf, value) => tf.tidy(() => tf.fill(kLarge, value).square());

/** Runs small work, which stays where its values are; returns its result and its bytes on the GPU. */
export async function small(tf) {
  const before = tf.memory().numBytesInGPU;
  const sum = tf.tidy(() => tf.tensor1d([1, 2, 3]).add(1).mul(2).sum());
  const report = { value: (await sum.data())[0], bytes: tf.memory().numBytesInGPU - before };
  sum.dispose();
  return report;
}

/** Reads a tensor and disposes it before the read ends. The values must be those at the time of the call. */
export async function reads(tf) {
  const x = large(tf, 2);
  const bytes = tf.memory().numBytesInGPU;
  const promise = x.data();
  x.dispose();
  const y = large(tf, 3);
  const [values, again] = [await promise, await y.data()];
  const ints = tf.tidy(() => tf.fill(kLarge, 2 ** 24, 'int32').add(tf.scalar(1, 'int32')));
  const [int] = await ints.data();
  tf.dispose([y, ints]);
  return { onGpu: bytes > 0, first: values[0], last: values.at(-1), again: again[0], int };
}

/** Returns the parts of memory() before, during and after the read of a disposed tensor. */
export async function parts(tf) {
  const look = () => {
    const { numBytesInGPUAllocated, detail } = tf.memory();
    const { heapUsed, tensorBytes, views, pinned, tape, weights, scratch, cpuPool, gpuTextures, gpuPool } = detail;
    return {
      cpuAddsUp: heapUsed === tensorBytes + views + pinned + tape + weights + scratch + cpuPool,
      scratch,
      gpuAddsUp: numBytesInGPUAllocated === gpuTextures + gpuPool,
      isPinned: pinned > 0,
      onGpu: gpuTextures > 0,
    };
  };
  const before = look();
  const x = large(tf, 2);
  const promise = x.data();
  x.dispose();
  const during = look();
  const [value] = await promise;
  return { before, during, after: look(), value };
}

/** Measures memory over many predictions under tidy. */
export async function predictions(tf) {
  const start = held(tf);
  const model = await tf.loadLayersModel('/iris/model.json');
  const flower = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
  const turn = () => tf.tidy(() => void model.predict(flower));
  // Without a trim, so that the pools stay unchanged.
  const counts = () => {
    const { numTensors, numBytesInGPU, numBytesInGPUAllocated, detail } = tf.memory();
    return { numTensors, numBytesInGPU, numBytesInGPUAllocated, heapUsed: detail.heapUsed };
  };
  for (let i = 0; i < 10; i++) turn();
  const before = counts();
  for (let i = 0; i < 10_000; i++) turn();
  const after = counts();
  tf.dispose([model, flower]);
  return { start, before, after, end: held(tf) };
}

/** Loses the context in the middle of a read, and restores it; a model continues, with its folded and packed weights. */
export async function contextLoss(tf, url) {
  const events = [];
  const stop = tf.onContextChange((event) => events.push(event));
  const model = await tf.loadLayersModel(url);
  const shape = [1, ...model.inputs[0].shape.slice(1)];
  const x = tf.tensor(new Float32Array(shape.reduce((a, b) => a * b)).fill(0.5), shape);
  const predict = async () => {
    const y = model.predict(x);
    const [p] = await y.data();
    y.dispose();
    return p;
  };
  const before = await predict();
  const there = large(tf, 2);
  const extension = tf.backend().getGPGPUContext().gl.getExtension('WEBGL_lose_context');
  const nameOfError = async (body) => {
    try {
      await body();
      return 'none';
    } catch ({ name }) {
      return name;
    }
  };

  let next = change(tf);
  const read = nameOfError(() => there.data());
  extension.loseContext();
  // Before the engine is notified.
  const readAtOnce = nameOfError(() => there.dataSync());
  await next;
  const whileLost = await predict();
  const later = [nameOfError(() => there.data()), nameOfError(() => there.add(1))];
  const errors = await Promise.all([read, readAtOnce, ...later]);

  next = change(tf);
  // Not within the loss event, and not before the browser has processed it.
  setTimeout(() => extension.restoreContext(), 50);
  await next;
  const after = [await predict(), await predict()];
  const again = large(tf, 3);
  const [computes] = await again.data();
  const onGpu = tf.memory().numBytesInGPU > 0;
  tf.dispose([model, x, there, again]);
  stop();
  return { events, before, whileLost, after, errors, computes, onGpu };
}

/** Resolves when the context is next lost or restored. */
export function change(tf) {
  return new Promise((resolve) => {
    const stop = tf.onContextChange(() => {
      stop();
      resolve();
    });
  });
}

/** Runs in a worker, which has no document. */
export function worker() {
  const thread = new Worker('./webgl_worker.js', { type: 'module' });
  return new Promise((resolve, reject) => {
    thread.onmessage = ({ data }) => resolve(data);
    thread.onerror = ({ message }) => reject(new Error(message));
  });
}

/** Converts pictures to tensors and back, on the GPU and on the CPU alike. */
export async function pixels(tf) {
  const [width, height] = [5, 3];
  const picture = new ImageData(width, height);
  picture.data.forEach((_, i) => (picture.data[i] = i % 4 === 3 ? 255 : (i * 37) % 256));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').putImageData(picture, 0, 0);
  const sources = { picture, canvas, bitmap: await createImageBitmap(canvas) };

  const got = {};
  for (const backend of ['webgl', 'wasm']) {
    await tf.setBackend(backend);
    for (const [name, source] of Object.entries(sources)) {
      for (const channels of [1, 3, 4]) {
        const x = tf.browser.fromPixels(source, channels);
        const y = await tf.browser.fromPixelsAsync(source, channels);
        got[`${backend} ${name} ${channels}`] = [x.shape, Array.from(x.dataSync()), await y.array()];
        tf.dispose([x, y]);
      }
    }
  }
  await tf.setBackend('webgl');

  const drawn = {};
  const rgb = tf.browser.fromPixels(canvas, 3);
  const images = { int32: rgb.clone(), float32: rgb.div(255), four: tf.browser.fromPixels(canvas, 4) };
  for (const [name, image] of Object.entries(images)) {
    for (const how of ['draw', 'toPixels']) {
      const target = new OffscreenCanvas(1, 1);
      await tf.browser[how](image, target);
      drawn[`${how} ${name}`] = [
        target.width,
        target.height,
        Array.from(target.getContext('2d').getImageData(0, 0, width, height).data),
      ];
    }
  }
  tf.dispose([rgb, images]);
  return { size: [width, height], bytes: Array.from(picture.data), got, drawn };
}

/** Returns a profile's transfers between the CPU and the GPU. */
export async function crossings(tf) {
  const x = tf.ones([64, 64]);
  const values = tf.tensor(x.dataSync(), [64, 64]);
  const { kernels } = await tf.profile(() => tf.tidy(() => void values.add(1).exp().dataSync()));
  tf.dispose([x, values]);
  return kernels.map(({ name, extraInfo }) => [name, extraInfo]);
}
