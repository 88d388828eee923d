import * as tf from './tenure/dist/index.js';
import * as other from './tenure/dist/inlined.js';

const next = (target) =>
  new Promise((resolve) => target.addEventListener('message', ({ data }) => resolve(data), { once: true }));
const inFrames = new Promise((resolve) => {
  const found = [];
  addEventListener('message', ({ data }) => found.push(data) === 2 && resolve(found));
});
for (const sandbox of [undefined, 'allow-scripts']) {
  const frame = document.createElement('iframe');
  if (sandbox) frame.sandbox = sandbox;
  frame.src = 'frame.html';
  document.body.append(frame);
}

const shared = ['shared.js', 'shared_module.js'].map((name) => {
  const { port } = new SharedWorker(name, { type: name === 'shared.js' ? 'classic' : 'module' });
  port.start();
  return next(port);
});

/** Two copies in one page are two engines: neither affects the other's tensors. */
function twoCopies() {
  const [mine, theirs] = [tf, other].map((one) => one.tensor1d([1, 2, 3, 4]));
  let refused;
  try {
    tf.add(mine, theirs);
  } catch (error) {
    refused = /another copy of the package/.test(error.message);
  }
  const sum = mine.sum().dataSync()[0];
  tf.disposeVariables();
  mine.dispose();
  const alive = theirs.sum().dataSync()[0] === 10 && other.memory().numTensors === 2;
  return refused && alive ? `${sum} 0` : 'two copies in one page';
}

await navigator.serviceWorker.register('service_module.js', { type: 'module' });
const { active } = await navigator.serviceWorker.ready;
const served = next(navigator.serviceWorker);
active.postMessage('run');
const results = [...(await inFrames), ...(await Promise.all(shared)), await served, twoCopies()];
document.body.id = 'result';
document.body.textContent = JSON.stringify(results);
