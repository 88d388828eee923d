// Computes in a page with as many threads as it gets, and moves data into and out of shared memory.
import * as tf from '/tenure/dist/index.js';
import { show } from './show.js';

await tf.setBackend('wasm');
tf.setThreadsCount(3);
// Small integers, whose sums of products are exact with and without relaxed SIMD.
const integers = (count, divisor) => tf.range(0, count).mod(divisor).sub(2);
const large = () =>
  tf.tidy(() => tf.matMul(integers(250_000, 5).reshape([500, 500]), integers(250_000, 7).reshape([500, 500])));
const { numTensors } = tf.memory();
const alone = large();
const threads = await tf.startThreads();
const shared = large();
const differ = tf.tidy(() => tf.notEqual(alone, shared).any().dataSync()[0]);
tf.dispose([alone, shared]);

const filter = tf.tidy(() => integers(3 * 3 * 16 * 16, 5).reshape([3, 3, 16, 16]));
const x = tf.tidy(() => integers(40_000, 7).reshape([1, 50, 50, 16]));
const gradient = () =>
  tf.tidy(
    () =>
      tf
        .grad((f) => tf.conv2d(x, f, 1, 'same').square().sum())(filter)
        .sum()
        .dataSync()[0],
  );
const gradients = [gradient(), gradient()];
tf.dispose([filter, x]);

const long = 'ä'.repeat(5000);
const strings = tf.tensor1d([long, 'b']);
const isSame = strings.dataSync()[0] === long;
strings.dispose();

let message = '';
try {
  tf.tidy(() => tf.ones([2]).reshape([3]));
} catch (error) {
  message = error.message;
}

// Seeds that are not given come from the browser's random numbers.
const drawn = tf.tidy(() =>
  [tf.randomUniform([8]), tf.randomNormal([8])].map((x) => x.isFinite().all().dataSync()[0] === 1),
);

const canvas = document.createElement('canvas');
const picture = tf.tensor3d([255, 0, 0, 0, 255, 0], [1, 2, 3], 'int32');
await tf.browser.toPixels(picture, canvas);
const back = tf.browser.fromPixels(canvas);
const pixels = [...(await back.data())];
tf.dispose([picture, back]);

const scope = tf.scope('frames');
const dump = scope.dump();
scope.close();

const before = tf.memory().detail.heapCommitted;
const grown = tf.tidy(() => tf.ones([20_000_000]).add(1).slice([19_999_999], [1]).dataSync()[0]);
const grew = tf.memory().detail.heapCommitted > before;

const flags = ['WASM_HAS_RELAXED_SIMD_SUPPORT', 'WASM_HAS_MULTITHREAD_SUPPORT'].map((flag) => tf.env().get(flag));
const isolated = crossOriginIsolated;
const left = tf.memory().numTensors - numTensors;
tf.setThreadsCount(1);
const end = tf.getThreadsCount();
show({
  isolated,
  threads,
  differ,
  sameGradients: gradients[0] === gradients[1],
  isSame,
  drawn,
  message,
  pixels,
  dump,
  grown,
  grew,
  flags,
  left,
  end,
});
