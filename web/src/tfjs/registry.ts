// Backends by the names that programs for TensorFlow.js know: a name of their own stands for one of Tenure's.
import * as tf from '../index.js';
import type { KernelBackend } from './backends.js';

type Factory = () => KernelBackend | Promise<KernelBackend>;

const factories = new Map<string, Factory>();
/** The name that was asked for, and Tenure's of what computes. */
let chosen: { name: string; device: string } | undefined;

/**
 * Makes a name for a backend known. One that makes a MathBackendCPU, BackendWasm, MathBackendWebGL or WebGPUBackend can be
 * chosen, and Tenure computes in its place; one with kernels of its own cannot. False where the name is known already.
 */
export function registerBackend(name: string, factory: Factory, _priority = 1): boolean {
  if (factories.has(name) || isOwn(name)) {
    console.warn(`${name} backend was already registered. Reusing existing backend factory.`);
    return false;
  }
  factories.set(name, factory);
  return true;
}

/** Forgets such a name. Tenure's own stay. */
export function removeBackend(name: string): void {
  if (isOwn(name)) return;
  if (!factories.delete(name)) throw new Error(`${name} backend not found in registry`);
  if (chosen?.name === name) chosen = undefined;
}

/**
 * Chooses where ops run from now on: 'wasm', 'cpu', which is the same, 'webgl', 'webgpu', for which WebGL2 computes, or a
 * name that registerBackend() made known. Resolves to false where that cannot be.
 */
export async function setBackend(name: string): Promise<boolean> {
  const device = await deviceOf(name);
  if (device === undefined || !(await tf.setBackend(device))) return false;
  chosen = factories.has(name) ? { name, device } : undefined;
  return true;
}

/** The name of the backend: one of Tenure's, or that of registerBackend() that was chosen. */
export function getBackend(): string {
  const device = tf.getBackend();
  return chosen?.device === device ? chosen.name : device;
}

/** What makes a backend, for a name that is known. */
export function findBackendFactory(name: string): Factory | null {
  return factories.get(name) ?? (tf.findBackendFactory(name) as unknown as Factory | null);
}

/** The backend of this name, when it is the one that ops run on. */
export function findBackend(name: string): tf.BackendInfo | null {
  return name === getBackend() ? tf.backend() : null;
}

function isOwn(name: string): boolean {
  return ['cpu', 'wasm', 'webgl', 'webgpu'].includes(name);
}

async function deviceOf(name: string): Promise<string | undefined> {
  const factory = factories.get(name);
  if (!factory) return name === 'webgpu' ? 'webgl' : name;
  const { device } = await factory();
  if (device) return device;
  console.warn(`The backend '${name}' has kernels of its own, which Tenure cannot run: ops stay on '${getBackend()}'.`);
  return undefined;
}
