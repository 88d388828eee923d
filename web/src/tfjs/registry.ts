// The backend registry for programs for TensorFlow.js. A registered name stands for one of Tenure's backends.
import * as tf from '../index.js';
import type { KernelBackend } from './backends.js';

type Factory = () => KernelBackend | Promise<KernelBackend>;

const factories = new Map<string, Factory>();
/** The name passed to setBackend(), and Tenure's backend that computes for it. */
let selection: { name: string; device: string } | undefined;

/**
 * Registers a name for a backend. If its factory makes a MathBackendCPU, BackendWasm, MathBackendWebGL or
 * WebGPUBackend, it can be selected, and Tenure computes in its place; a backend with its own kernels cannot. Returns
 * false if the name exists already.
 * @param name Name of the backend.
 * @param factory Makes the backend, possibly asynchronously.
 * @param _priority Ignored.
 */
export function registerBackend(name: string, factory: Factory, _priority = 1): boolean {
  if (factories.has(name) || isBuiltIn(name)) {
    console.warn(`${name} backend was already registered. Reusing existing backend factory.`);
    return false;
  }
  factories.set(name, factory);
  return true;
}

/** Removes a registered name. Names of Tenure's backends stay. Throws if the name was not registered. */
export function removeBackend(name: string): void {
  if (isBuiltIn(name)) return;
  if (!factories.delete(name)) throw new Error(`${name} backend not found in registry`);
  if (selection?.name === name) selection = undefined;
}

/**
 * Selects the backend that ops run on: 'wasm', 'cpu' (the same), 'webgl', 'webgpu' (computed by WebGL2), or a name of
 * registerBackend(). Resolves to false if it is not available.
 */
export async function setBackend(name: string): Promise<boolean> {
  const device = await resolveDevice(name);
  if (device === undefined || !(await tf.setBackend(device))) return false;
  selection = factories.has(name) ? { name, device } : undefined;
  return true;
}

/** Returns the name of the current backend: the registered one that was selected, or else Tenure's. */
export function getBackend(): string {
  const device = tf.getBackend();
  return selection?.device === device ? selection.name : device;
}

/** Returns the factory of a backend, or null if the name is unknown. */
export function findBackendFactory(name: string): Factory | null {
  return factories.get(name) ?? (tf.findBackendFactory(name) as unknown as Factory | null);
}

/** Returns the backend of a name if it is the current one, else null. */
export function findBackend(name: string): tf.BackendInfo | null {
  return name === getBackend() ? tf.backend() : null;
}

function isBuiltIn(name: string): boolean {
  return ['cpu', 'wasm', 'webgl', 'webgpu'].includes(name);
}

async function resolveDevice(name: string): Promise<string | undefined> {
  const factory = factories.get(name);
  if (!factory) return name === 'webgpu' ? 'webgl' : name;
  const { device } = await factory();
  if (device) return device;
  console.warn(`The backend '${name}' has kernels of its own, which Tenure cannot run: ops stay on '${getBackend()}'.`);
  return undefined;
}
