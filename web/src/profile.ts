import { readDispatchTimes, startDispatchTimer, stopDispatchTimer } from './device/webgpu.js';
import { ProfileField } from './generated/boundary.js';
import { opNames } from './generated/ops.js';
import { getKernelName } from './ops/kernel_names.js';
import { scratch, wasm } from './runtime/runtime.js';
import { ActivityObserver } from './runtime/activity_observer.js';

/** One run of a kernel, with the fields of TensorFlow.js. */
export interface KernelInfo {
  /** TensorFlow.js's name of the kernel, such as 'BatchMatMul'. */
  name: string;
  /** Bytes of the output. 0 for a step of a model's plan, which writes to memory that the plan has already. */
  bytesAdded: number;
  /** Bytes of all live tensors after the kernel. */
  totalBytesSnapshot: number;
  /** Number of tensors that the kernel has made: 1, or 0 for a step of a model's plan. */
  tensorsAdded: number;
  /** Number of live tensors after the kernel. */
  totalTensorsSnapshot: number;
  /** Shapes of the inputs; null for an optional input that was not given. */
  inputShapes: (number[] | null)[];
  /** An array with the shape of the output. */
  outputShapes: number[][];
  /**
   * Time in milliseconds: on WebGPU that of the kernel's dispatches on the GPU if the GPU measures it ('timestamp-query'),
   * otherwise the time on the CPU, without work that a GPU does asynchronously.
   */
  kernelTimeMs: number;
  /** Transfers between the CPU and a GPU: 'uploads: 1, downloads: 0, bytes: 4096, fallbacks: 0'. Empty if there were none. */
  extraInfo: string;
}

/** The result of profile(), with the fields of TensorFlow.js. */
export interface ProfileInfo {
  /** Bytes of tensors at the end, less those at the start. */
  newBytes: number;
  /** Number of tensors at the end, less that at the start. */
  newTensors: number;
  /** Maximum of the bytes of live tensors, at the start and after each kernel. */
  peakBytes: number;
  /** The kernels that ran, in order. */
  kernels: KernelInfo[];
  /** The value that the function returned, or that its promise resolved to. */
  result: unknown;
  /** Names of the kernels that ran, each once. */
  kernelNames: string[];
}

/** The result of time(), in milliseconds. */
export interface TimingInfo {
  /** Time inside kernels, as `kernelTimeMs` of profile() has it. */
  kernelMs: number;
  /** Elapsed time. */
  wallMs: number;
}

/** A recorded kernel, and the engine's numbers of its dispatches on WebGPU. */
interface RecordedKernel {
  info: KernelInfo;
  firstDispatch: number;
  dispatches: number;
}

/** An active profile. */
class Recording {
  readonly kernels: RecordedKernel[] = [];
  newTensors = 0;
  newBytes = 0;
}

let counted = { numTensors: 0, numBytes: 0 };

const recordings = new ActivityObserver<Recording>({
  start() {
    startDispatchTimer();
    wasm._tn_profile(1);
    counted = wasm.memory();
  },
  flush(current) {
    const before = counted;
    counted = wasm.memory();
    const kernels = takeKernels();
    for (const recording of current) {
      recording.kernels.push(...kernels);
      recording.newTensors += counted.numTensors - before.numTensors;
      recording.newBytes += counted.numBytes - before.numBytes;
    }
  },
  stop() {
    wasm._tn_profile(0);
    stopDispatchTimer();
  },
});

/**
 * Calls `f`, awaits its result, and returns the kernels that ran and the change of memory. In Node a profile covers its own
 * function, across awaits, and no other code. Elsewhere profiles that overlap in time include each other's kernels. An error of
 * `f` ends the profile.
 * @example
 * const { newTensors, kernelNames, result } = await tf.profile(() => tf.square([1, 2]));
 * kernelNames; // ['Square']
 * newTensors; // 1
 */
export async function profile(f: () => unknown): Promise<ProfileInfo> {
  const own = new Recording();
  recordings.begin(own);
  const { numBytes } = counted;
  try {
    const result = await recordings.run(own, f);
    recordings.flush();
    // Kernels of other code that runs meanwhile do not belong to it.
    const { newBytes, newTensors } = own;
    const recorded = [...own.kernels];
    await setDispatchTimes(recorded);
    const kernels = recorded.map(({ info }) => info);
    const peakBytes = kernels.reduce((peak, { totalBytesSnapshot }) => Math.max(peak, totalBytesSnapshot), numBytes);
    return {
      newBytes,
      newTensors,
      peakBytes,
      kernels,
      result,
      kernelNames: [...new Set(kernels.map(({ name }) => name))],
    };
  } finally {
    recordings.end(own);
  }
}

/**
 * Calls `f`, awaits its result, and returns the elapsed time and the time inside kernels, in milliseconds.
 * @example
 * const { wallMs } = await tf.time(() => tf.matMul(tf.ones([64, 64]), tf.ones([64, 64])));
 * wallMs >= 0; // true
 */
export async function time(f: () => unknown): Promise<TimingInfo> {
  const start = performance.now();
  const { kernels } = await profile(f);
  const kernelMs = kernels.reduce((sum, { kernelTimeMs }) => sum + kernelTimeMs, 0);
  return { kernelMs, wallMs: performance.now() - start };
}

/** Sets the times of the kernels whose dispatches the GPU has timed, once they have ended. */
async function setDispatchTimes(kernels: RecordedKernel[]): Promise<void> {
  const getTime = await readDispatchTimes();
  for (const { info, firstDispatch, dispatches } of kernels) {
    const times = Array.from({ length: dispatches }, (_, i) => getTime(firstDispatch + i));
    if (dispatches > 0 && times.every((time) => time !== undefined))
      info.kernelTimeMs = times.reduce((sum, time) => sum + time, 0);
  }
}

/** Returns the kernels that the engine has recorded since the last call. */
function takeKernels(): RecordedKernel[] {
  const from = wasm._tn_profile_take() >>> 2;
  const words = wasm.HEAP32.subarray(from, from + scratch()[0]!);
  const kernels: RecordedKernel[] = [];
  for (let at = 0; at < words.length; ) {
    const of = (field: ProfileField) => fields[field]!;
    const fields = words.subarray(at, (at += ProfileField.profileFields));
    const shapes = Array.from({ length: of(ProfileField.shapes) }, () => {
      const rank = words[at++]!;
      return rank < 0 ? null : Array.from(words.subarray(at, (at += rank)));
    });
    const bytes = of(ProfileField.bytesAdded);
    const crossings = {
      uploads: of(ProfileField.uploads),
      downloads: of(ProfileField.downloads),
      bytes: of(ProfileField.bytesCrossed),
      fallbacks: of(ProfileField.fallbacks),
    };
    const info: KernelInfo = {
      name: getKernelName(opNames[of(ProfileField.op)]!),
      bytesAdded: Math.max(bytes, 0),
      totalBytesSnapshot: of(ProfileField.totalBytes) >>> 0,
      tensorsAdded: bytes < 0 ? 0 : 1,
      totalTensorsSnapshot: of(ProfileField.tensors),
      inputShapes: shapes.slice(0, -1),
      outputShapes: shapes.slice(-1) as number[][],
      kernelTimeMs: of(ProfileField.microseconds) / 1000,
      extraInfo: Object.values(crossings).some(Boolean)
        ? Object.entries(crossings)
            .map(([what, count]) => `${what}: ${count}`)
            .join(', ')
        : '',
    };
    kernels.push({ info, firstDispatch: of(ProfileField.firstDispatch), dispatches: of(ProfileField.dispatches) });
  }
  return kernels;
}
