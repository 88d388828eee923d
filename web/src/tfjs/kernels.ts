// The kernel registry for packages for TensorFlow.js, which may register kernels of ops that Tenure has.
import * as tf from '../index.js';

/** Registers a function that engine().runKernel() calls by name. Does nothing if Tenure has a kernel of that name. */
export function registerKernel(config: tf.KernelConfig): void {
  if (!isBuiltIn(config.kernelName)) tf.registerKernel(config);
}

/** Registers the gradient of a kernel. Does nothing if Tenure has a kernel of that name. */
export function registerGradient(config: tf.GradConfig): void {
  if (!isBuiltIn(config.kernelName)) tf.registerGradient(config);
}

/** Returns the kernel of a name, registered or Tenure's own, or undefined. */
export function getKernel(kernelName: string, backendName: string): tf.KernelConfig | undefined {
  return (
    tf.getKernel(kernelName, backendName) ??
    tf.getKernelsForBackend(backendName).find((config) => config.kernelName === kernelName)
  );
}

function isBuiltIn(kernelName: string): boolean {
  return tf
    .getKernelsForBackend('wasm')
    .some((config) => config.kernelName === kernelName && !tf.getKernel(kernelName, 'wasm'));
}
