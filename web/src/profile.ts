import { ProfileField } from './generated/boundary.js';
import { opNames } from './generated/ops.js';
import { kernelNameOf } from './ops/kernel_names.js';
import { scratch, wasm } from './runtime/runtime.js';
import { Watch } from './runtime/watch.js';

/** A kernel that ran, with the fields of TensorFlow.js. */
export interface KernelInfo {
  /** TensorFlow.js's name for it: 'BatchMatMul'. */
  name: string;
  /** Of its output; a step of a model's plan writes to memory that the plan has already. */
  bytesAdded: number;
  totalBytesSnapshot: number;
  tensorsAdded: number;
  totalTensorsSnapshot: number;
  /** Null for an optional input that was not given. */
  inputShapes: (number[] | null)[];
  outputShapes: number[][];
  /** What the CPU spent; a GPU goes on by itself. */
  kernelTimeMs: number;
  /** What went between the CPU and a GPU: 'uploads: 1, downloads: 0, bytes: 4096, fallbacks: 0'. */
  extraInfo: string;
}

/** What a function did, with the fields of TensorFlow.js. */
export interface ProfileInfo {
  newBytes: number;
  newTensors: number;
  peakBytes: number;
  kernels: KernelInfo[];
  result: unknown;
  /** Each once. */
  kernelNames: string[];
}

/** Milliseconds. */
export interface TimingInfo {
  kernelMs: number;
  wallMs: number;
}

/** A profile at work. */
class Recording {
  readonly kernels: KernelInfo[] = [];
  newTensors = 0;
  newBytes = 0;
}

let counted = { numTensors: 0, numBytes: 0 };

const recordings = new Watch<Recording>({
  start() {
    wasm._tn_profile(1);
    counted = wasm.memory();
  },
  settle(current) {
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
  },
});

/**
 * Calls `f`, awaits it, and tells which kernels ran and what became of memory meanwhile. In Node a profile sees what its
 * own function does, across its awaits, and nothing of others; elsewhere profiles that overlap in time see each other.
 * When `f` throws, the profile ends.
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
    recordings.settle();
    const { kernels, newBytes, newTensors } = own;
    const peakBytes = kernels.reduce((peak, { totalBytesSnapshot }) => Math.max(peak, totalBytesSnapshot), numBytes);
    return { newBytes, newTensors, peakBytes, kernels, result, kernelNames: [...new Set(kernels.map(({ name }) => name))] };
  } finally {
    recordings.end(own);
  }
}

/**
 * How long `f` took in all, and how much of it inside kernels.
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

/** What the engine wrote down since the last time. */
function takeKernels(): KernelInfo[] {
  const from = wasm._tn_profile_take() >>> 2;
  const words = wasm.HEAP32.subarray(from, from + scratch()[0]!);
  const kernels: KernelInfo[] = [];
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
    kernels.push({
      name: kernelNameOf(opNames[of(ProfileField.op)]!),
      bytesAdded: Math.max(bytes, 0),
      totalBytesSnapshot: of(ProfileField.totalBytes) >>> 0,
      tensorsAdded: bytes < 0 ? 0 : 1,
      totalTensorsSnapshot: of(ProfileField.tensors),
      inputShapes: shapes.slice(0, -1),
      outputShapes: shapes.slice(-1) as number[][],
      kernelTimeMs: of(ProfileField.microseconds) / 1000,
      extraInfo: Object.values(crossings).some(Boolean)
        ? Object.entries(crossings).map(([what, count]) => `${what}: ${count}`).join(', ')
        : '',
    });
  }
  return kernels;
}
