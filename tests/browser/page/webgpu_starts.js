import { held } from './common.mjs';
import { change } from './webgl_checks.js';
import { devices } from './webgpu_checks.js';

/** Sets backends without waiting for them, in a fresh engine. Returns what each call resolves to, and the devices it opened. */
export async function startsAtOnce() {
  const tf = await import('/tenure/dist/index.js?starts');
  await tf.ready();
  const already = devices.length;
  const x = tf.ones([8]);
  const starts = Promise.all([tf.setBackend('webgpu'), tf.setBackend('webgpu')]);
  x.dispose();
  const both = await starts;
  const opened = devices.length - already;
  const afterBoth = tf.getBackend();
  const before = held(tf);
  await tf.setBackend('wasm');
  const lost = change(tf);
  tf.backend().device.destroy();
  await lost;
  // While a device is opened again, 'wasm' is selected.
  const superseded = tf.setBackend('webgpu');
  const last = tf.setBackend('wasm');
  const settled = await Promise.all([superseded, last]);
  if (!tf.backend().device) await change(tf);
  const result = { both, opened, afterBoth, settled, backend: tf.getBackend(), before, after: held(tf) };
  return result;
}

/** Computes with two engines, each on a device of its own, and destroys that of one. */
export async function secondEngine(tf) {
  const other = await import('/tenure/dist/index.js?second');
  const chosen = await other.setBackend('webgpu');
  other.env().set('WEBGL_CPU_FORWARD', false);
  const before = [held(tf), held(other)];
  const device = tf.backend().device;
  const second = other.backend().device;
  const isShared = device === second;
  const work = (engine) => engine.tidy(() => engine.fill([64, 64], 2).matMul(engine.fill([64, 64], 2)));
  const [mine, theirs] = [work(tf), work(other)];
  second.destroy();
  const lost = await theirs.data().then(
    () => 'none',
    ({ name }) => name,
  );
  const [value] = await mine.data();
  const [read] = mine.dataSync();
  const isUntouched = tf.backend().device === device;
  if (other.backend().device === second) await change(other);
  if (!other.backend().device) await change(other);
  const again = work(other);
  const [after] = await again.data();
  tf.dispose(mine);
  other.dispose([theirs, again]);
  return { chosen, isShared, lost, values: [value, read, after], isUntouched, before, after: [held(tf), held(other)] };
}
