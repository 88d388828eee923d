// The registry of kernels as packages for TensorFlow.js use it: they may bring kernels of ops that Tenure has.
import * as tf from '../index.js';

/** Lets engine().runKernel() call a function by name. A kernel that Tenure has stays Tenure's. */
export function registerKernel(config: tf.KernelConfig): void {
  if (!isOwn(config.kernelName)) tf.registerKernel(config);
}

/** Gives a kernel a gradient. Those of Tenure's kernels stay Tenure's. */
export function registerGradient(config: tf.GradConfig): void {
  if (!isOwn(config.kernelName)) tf.registerGradient(config);
}

/** The kernel of this name, be it registered or Tenure's own. */
export function getKernel(kernelName: string, backendName: string): tf.KernelConfig | undefined {
  return tf.getKernel(kernelName, backendName) ?? tf.getKernelsForBackend(backendName).find((config) => config.kernelName === kernelName);
}

function isOwn(kernelName: string): boolean {
  return tf.getKernelsForBackend('wasm').some((config) => config.kernelName === kernelName && !tf.getKernel(kernelName, 'wasm'));
}
