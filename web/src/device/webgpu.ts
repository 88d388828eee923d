import { getProvidedGpu } from '../runtime/loader.js';
import { loadPart } from '../runtime/lazy_modules.js';
import { wasm } from '../runtime/runtime.js';
import { notifyContextListeners } from './context_events.js';
import { createWebgpuCalls, type DeviceTraits } from './webgpu_calls.js';
import { Pipelines } from './webgpu_pipelines.js';
import { DispatchTimer } from './webgpu_timer.js';
import { isGpu, kLimitNames, type Gpu, type GpuAdapter, type GpuDevice } from './webgpu_types.js';

/** Name of the feature that times kernels. */
const kTimestamps = 'timestamp-query';
/** Name of the language feature with dot4I8Packed(). */
const kPackedDot = 'packed_4x8_integer_dot_product';

interface OpenedDevice {
  device: GpuDevice;
  traits: DeviceTraits;
}

/** A device that the engine runs on. */
interface RunningDevice {
  device: GpuDevice;
  pipelines: Pipelines;
  calls: ReturnType<typeof createWebgpuCalls>;
}

/** The device that the engine runs on. */
let current: RunningDevice | undefined;
/** A start in progress. */
let starting: Promise<boolean> | undefined;

/** Returns WebGPU's entry point: that of tf.init(), or the browser's. */
function getGpu(): Gpu | undefined {
  const provided = getProvidedGpu();
  if (isGpu(provided)) return provided;
  if (typeof navigator === 'undefined' || !('gpu' in navigator)) return undefined;
  return isGpu(navigator.gpu) ? navigator.gpu : undefined;
}

/** Returns the device that the engine runs on, or undefined. */
export const getWebgpuDevice = (): GpuDevice | undefined => current?.device;

/** Returns the pipelines of the device that the engine runs on, or undefined. */
export const getPipelines = (): Pipelines | undefined => current?.pipelines;

/** Timing in progress: a device, its timer, and the engine's number of the dispatch that comes first. */
let timing: { calls: RunningDevice['calls']; timer: DispatchTimer; first: number } | undefined;

/** Starts to time the dispatches of the device that the engine runs on, if there is one that can. */
export function startDispatchTimer(): void {
  if (!current?.device.features.has(kTimestamps)) return;
  const { device, calls } = current;
  timing = { calls, timer: new DispatchTimer(device), first: wasm._tn_submit_webgpu() };
  calls.setTimer(timing.timer);
}

/**
 * Submits all dispatches. Resolves, once those that were timed have ended, to a function that returns the milliseconds of a
 * dispatch by the engine's number of it; undefined if it was not timed.
 */
export async function readDispatchTimes(): Promise<(dispatch: number) => number | undefined> {
  if (!timing) return () => undefined;
  const { timer, first } = timing;
  wasm._tn_submit_webgpu();
  const get = await timer.read();
  return (dispatch) => get((dispatch - first) >>> 0);
}

/** Ends startDispatchTimer(). */
export function stopDispatchTimer(): void {
  if (!timing) return;
  // Passes that are not submitted write to the timer's memory.
  wasm._tn_submit_webgpu();
  timing.calls.setTimer(undefined);
  timing = undefined;
}

/** True if there is WebGPU here, though it may have no adapter. */
export const hasWebgpu = (): boolean => getGpu() !== undefined;

/**
 * Starts the engine on a device, unless it runs on one. Resolves to false, with a warning that says why, if there is none.
 * Rejects with a LoadError if the engine's part cannot be loaded.
 */
export function startWebgpu(): Promise<boolean> {
  if (current) return Promise.resolve(true);
  starting ??= start().finally(() => (starting = undefined));
  return starting;
}

async function start(): Promise<boolean> {
  const opened = await openDevice();
  if (typeof opened === 'string') {
    console.warn(`tf.setBackend('webgpu'): ${opened}. The backend stays as it was.`);
    return false;
  }
  try {
    await Promise.all([loadPart('gpu'), loadPart('webgpu')]);
  } catch (error) {
    opened.device.destroy();
    throw error;
  }
  return current ? discard(opened) : run(opened);
}

/** Destroys a device, since another was faster: setBackend() and the loss of a device both open one. Returns true. */
function discard({ device }: OpenedDevice): true {
  device.destroy();
  return true;
}

function run({ device, traits }: OpenedDevice): boolean {
  const pipelines = new Pipelines(device);
  const calls = createWebgpuCalls(device, traits, pipelines);
  Object.assign(wasm, { gpu: calls });
  if (wasm._tn_start_webgpu() !== 1) {
    device.destroy();
    return false;
  }
  current = { device, pipelines, calls };
  device.onuncapturederror = ({ error }) => {
    const isOutOfMemory = error.constructor.name === 'GPUOutOfMemoryError';
    // Node's WebGPU reports errors inside its calls, also those of the engine, and cannot destroy the device before they return.
    void Promise.resolve().then(() => lose(device, error.message, isOutOfMemory));
  };
  void device.lost.then(async ({ message }) => {
    if (!lose(device, message)) return;
    const next = await openDevice();
    if (typeof next === 'string') return;
    if (current) discard(next);
    else if (run(next)) notifyContextListeners('restored');
  });
  return true;
}

/** Requests an adapter and its device, with its limits. Returns why there is none. */
async function openDevice(): Promise<OpenedDevice | string> {
  try {
    const gpu = getGpu();
    if (!gpu) return 'there is no WebGPU here, neither `navigator.gpu` nor `gpu` of tf.init()';
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return 'WebGPU has no adapter';
    const requiredFeatures = ['subgroups', 'shader-f16', kTimestamps].filter((name) => adapter.features.has(name));
    const requiredLimits = Object.fromEntries(kLimitNames.map((name) => [name, adapter.limits[name]]));
    const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
    const hasPackedDot = gpu.wgslLanguageFeatures?.has(kPackedDot) === true;
    return { device, traits: { isSoftware: isSoftwareAdapter(adapter), hasPackedDot } };
  } catch (error) {
    return `WebGPU has no device (${String(error)})`;
  }
}

function isSoftwareAdapter({ info }: GpuAdapter): boolean {
  return info?.isFallbackAdapter === true || info?.architecture === 'swiftshader';
}

/**
 * Handles the loss of a device and its errors, after which its values may be wrong: ops run on the CPU until there is another
 * device. After a loss for lack of memory, reading a value that was only there throws an OutOfMemoryError. Returns false if it was
 * handled before.
 */
function lose(device: GpuDevice, reason: string, isOutOfMemory = false): boolean {
  if (device !== current?.device) return false;
  current = undefined;
  wasm.webgpuLose(reason, isOutOfMemory);
  notifyContextListeners('lost');
  return true;
}
