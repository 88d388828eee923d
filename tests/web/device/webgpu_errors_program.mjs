// Makes the device of the npm package 'webgpu', whose folder is the argument, report errors: tensors are made of buffers that it
// cannot read. Prints what follows.
import { createRequire } from 'node:module';
import { held } from '../common.mjs';
import { tf } from '../expect.mjs';

const kCopySource = 4;
const kStorage = 0x80;
const { create } = createRequire(import.meta.url)(process.argv[2]);
// Referenced as long as the process lives: Dawn crashes once it is collected.
globalThis.gpu = create([]);
await tf.init({ gpu: globalThis.gpu });
await tf.setBackend('webgpu');
tf.env().set('WEBGL_CPU_FORWARD', false);

/** Returns the names of the errors by which reads reject, and the value of a computation after. */
async function use(buffer) {
  const x = tf.tidy(() => tf.fill([64], 2).square());
  const y = tf.tensor({ buffer });
  const errors = await Promise.all([x, y].map((tensor) => tensor.data().then(String, ({ name }) => name)));
  await tf.setBackend('webgpu');
  const sum = tf.tidy(() => tf.fill([64], 1).add(2));
  const [value] = await sum.data();
  tf.dispose([x, y, sum]);
  return { errors, value };
}

const createBuffer = (device) => device.createBuffer({ size: 64, usage: kStorage | kCopySource });
const before = held(tf);
const destroyed = createBuffer(tf.backend().device);
destroyed.destroy();
const other = await (await globalThis.gpu.requestAdapter()).requestDevice();
const found = { destroyed: await use(destroyed), foreign: await use(createBuffer(other)) };
console.log(JSON.stringify({ found, before, after: held(tf) }));
process.exit(0);
