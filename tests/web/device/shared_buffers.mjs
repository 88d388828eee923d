// Tensors and buffers of WebGPU that the program uses too, in a page and in Node. Runs on the backend 'webgpu'.
import { held } from '../common.mjs';

// WebGPU's flags are globals of browsers, which Node lacks.
const kMapRead = 1;
const kCopySource = 4;
const kCopyTarget = 8;
const kStorage = 0x80;

/** Shares buffers both ways. Returns what the tensors and the buffers had, and the messages of wrong calls. */
export async function sharedBuffers(tf) {
  const { device } = tf.backend();
  const before = held(tf);
  const copied = await copyToBuffer(tf, device);
  const adopted = await adoptBuffers(tf, device);
  const messages = wrongCalls(tf, device);
  return { copied, adopted, messages, before, after: held(tf) };
}

/** Copies the result of ops to a buffer, which the program reads by commands of its own. */
async function copyToBuffer(tf, device) {
  const sum = tf.tidy(() => tf.range(0, 1000).add(1));
  const { tensorRef, buffer } = sum.dataToGPU();
  const bytes = tf.memory().numBytesInGPU;
  sum.dispose();
  const words = new Float32Array(await readBuffer(device, buffer));
  const [last] = (await tensorRef.data()).slice(-1);
  const { dtype, shape } = tensorRef;
  tensorRef.dispose();
  return {
    ...{ size: buffer.size, values: [words[0], words[999]], last, dtype, shape },
    freed: bytes - tf.memory().numBytesInGPU >= buffer.size,
  };
}

/** Makes tensors of buffers that the program wrote. */
async function adoptBuffers(tf, device) {
  const values = Float32Array.from({ length: 600 }, (_, i) => i);
  const copied = createBuffer(device, values);
  const matrix = tf.tensor({ buffer: copied }, [30, 20]);
  // The copy is independent of what becomes of the buffer.
  device.queue.writeBuffer(copied, 0, new Float32Array(600));
  copied.destroy();
  const whole = createBuffer(device, values);
  const bytes = tf.memory().numBytesInGPU;
  const view = tf.tensor({ buffer: whole, zeroCopy: true });
  const added = tf.memory().numBytesInGPU - bytes;
  const sums = tf.tidy(() => tf.stack([matrix.sum(), view.sum()]));
  view.dispose();
  // The program's buffer outlives the tensor, though no op that read it has been waited for.
  const kept = new Float32Array(await readBuffer(device, whole));
  whole.destroy();
  const ints = createBuffer(device, Int32Array.of(2 ** 24 + 1, -3));
  const two = tf.tensor({ buffer: ints }, [2], 'int32');
  const found = {
    ...{ shapes: [matrix.shape, view.shape], sums: [...(await sums.data())], kept: kept[599], added },
    ints: [...(await two.data())],
  };
  tf.dispose([matrix, sums, two]);
  ints.destroy();
  return found;
}

function wrongCalls(tf, device) {
  const buffer = createBuffer(device, new Float32Array(5));
  const target = device.createBuffer({ size: 32, usage: kCopyTarget });
  const source = device.createBuffer({ size: 32, usage: kCopySource });
  const mapped = device.createBuffer({ size: 32, usage: kStorage | kCopySource, mappedAtCreation: true });
  const text = tf.tensor(['a']);
  const disposed = tf.scalar(1);
  disposed.dispose();
  const calls = [
    () => tf.tensor({ buffer }, [2, 3]),
    () => tf.tensor({ buffer }, [2], 'bool'),
    () => tf.tensor({ buffer, zeroCopy: true }, [5]),
    () => tf.tensor({ buffer }, [-1]),
    () => tf.tensor({ buffer: target }, [2]),
    () => tf.tensor({ buffer: source, zeroCopy: true }, [2]),
    () => tf.tensor({ buffer: mapped }),
    () => tf.tensor({ buffer: new ArrayBuffer(8) }),
    () => tf.tensor({ buffer: null }),
    () => text.dataToGPU(),
    () => disposed.dataToGPU(),
  ];
  const messages = calls.map((call) => {
    try {
      call();
      return 'none';
    } catch ({ name, message }) {
      return `${name}: ${message}`;
    }
  });
  text.dispose();
  for (const one of [buffer, target, source, mapped]) one.destroy();
  return messages;
}

function createBuffer(device, values) {
  const buffer = device.createBuffer({ size: values.byteLength, usage: kStorage | kCopySource | kCopyTarget });
  device.queue.writeBuffer(buffer, 0, values);
  return buffer;
}

/** Resolves to the bytes of a buffer, read by commands of the program's own. */
async function readBuffer(device, buffer) {
  const target = device.createBuffer({ size: buffer.size, usage: kMapRead | kCopyTarget });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, target, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await target.mapAsync(kMapRead);
  const bytes = target.getMappedRange().slice(0);
  target.destroy();
  return bytes;
}
