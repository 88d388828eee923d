// Helpers of the programs that run on the npm package 'webgpu'.
import { tf } from '../expect.mjs';

/** Destroys the device of the backend 'webgpu', if there is one, and starts another, which has compiled nothing. Returns it. */
export async function restartDevice() {
  await tf.setBackend('webgpu');
  const { device } = tf.backend();
  device.destroy();
  while (tf.backend().device === device) await tf.nextFrame();
  await tf.setBackend('webgpu');
  return tf.backend().device;
}
