import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from './runtime/async_hooks.js';
import { opNames } from './generated/ops.js';
import { scratch, wasm } from './runtime/runtime.js';
import { setWatching } from './runtime/scope_following.js';

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

/** Where TensorFlow.js's kernels are not called what ops are, but for a capital letter. */
const kKernels: Record<string, string> = {
  batchNorm: 'FusedBatchNorm',
  conv2d: 'Conv2D',
  conv2dTranspose: 'Conv2DBackpropInput',
  depthwiseConv2d: 'DepthwiseConv2dNative',
  div: 'RealDiv',
  gather: 'GatherV2',
  isNaN: 'IsNan',
  linspace: 'LinSpace',
  matMul: 'BatchMatMul',
  mul: 'Multiply',
  pad: 'PadV2',
  where: 'Select',
};

/** A profile at work. */
class Recording {
  readonly kernels: KernelInfo[] = [];
  newTensors = 0;
  newBytes = 0;
  constructor(readonly around: Recording | undefined) {}
}

let storage: AsyncLocalStorage<Recording> | undefined;
const recordings = new Set<Recording>();
let current: readonly Recording[] = [];
let counted = { numTensors: 0, numBytes: 0 };

/**
 * Calls `f`, awaits it, and tells which kernels ran and what became of memory meanwhile. In Node a profile sees what its
 * own function does, across its awaits, and nothing of others; elsewhere profiles that overlap in time see each other.
 * When `f` throws, the profile ends.
 */
export async function profile(f: () => unknown): Promise<ProfileInfo> {
  const store = asyncHooks && (storage ??= new asyncHooks.AsyncLocalStorage());
  const own = new Recording(store?.getStore());
  if (recordings.size === 0) {
    wasm._tn_profile(1);
    setWatching(turn);
    counted = wasm.memory();
  }
  turn();
  const { numBytes } = counted;
  recordings.add(own);
  try {
    const start = () => (turn(), f());
    const result = await (store ? store.run(own, start) : start());
    settle();
    const { kernels, newBytes, newTensors } = own;
    const peakBytes = kernels.reduce((peak, { totalBytesSnapshot }) => Math.max(peak, totalBytesSnapshot), numBytes);
    return { newBytes, newTensors, peakBytes, kernels, result, kernelNames: [...new Set(kernels.map(({ name }) => name))] };
  } finally {
    settle();
    recordings.delete(own);
    current = [];
    if (recordings.size === 0) {
      wasm._tn_profile(0);
      setWatching(undefined);
    }
  }
}

/** How long `f` took in all, and how much of it inside kernels. */
export async function time(f: () => unknown): Promise<TimingInfo> {
  const start = performance.now();
  const { kernels } = await profile(f);
  const kernelMs = kernels.reduce((sum, { kernelTimeMs }) => sum + kernelTimeMs, 0);
  return { kernelMs, wallMs: performance.now() - start };
}

/** Turns to the profiles of the code that runs now. */
function turn(): void {
  const running = storage?.getStore();
  if (storage ? running === current[0] : current.length === recordings.size) return;
  settle();
  current = storage ? chain(running) : [...recordings];
}

/** A profile that is open, and those around it. */
function chain(recording: Recording | undefined): Recording[] {
  const list: Recording[] = [];
  for (; recording; recording = recording.around) if (recordings.has(recording)) list.push(recording);
  return list;
}

/** Gives what happened since the last time to the profiles that were current. */
function settle(): void {
  const before = counted;
  counted = wasm.memory();
  const kernels = takeKernels();
  for (const recording of current) {
    recording.kernels.push(...kernels);
    recording.newTensors += counted.numTensors - before.numTensors;
    recording.newBytes += counted.numBytes - before.numBytes;
  }
}

/** What cpp/owner/profile.h wrote down. */
function takeKernels(): KernelInfo[] {
  const from = wasm._tn_profile_take() >>> 2;
  const words = wasm.HEAP32.subarray(from, from + scratch()[0]!);
  const kernels: KernelInfo[] = [];
  for (let at = 0; at < words.length; ) {
    const [op, micros, bytes, tensors, total, uploads, downloads, crossed, fallbacks, count] = words.subarray(at) as unknown as number[];
    at += 10;
    const shapes = Array.from({ length: count! }, () => {
      const rank = words[at++]!;
      return rank < 0 ? null : Array.from(words.subarray(at, (at += rank)));
    });
    const name = opNames[op!]!;
    kernels.push({
      name: kKernels[name] ?? name[0]!.toUpperCase() + name.slice(1),
      bytesAdded: Math.max(bytes!, 0),
      totalBytesSnapshot: total! >>> 0,
      tensorsAdded: bytes! < 0 ? 0 : 1,
      totalTensorsSnapshot: tensors!,
      inputShapes: shapes.slice(0, -1),
      outputShapes: shapes.slice(-1) as number[][],
      kernelTimeMs: micros! / 1000,
      extraInfo:
        uploads || downloads || fallbacks
          ? `uploads: ${uploads}, downloads: ${downloads}, bytes: ${crossed}, fallbacks: ${fallbacks}`
          : '',
    });
  }
  return kernels;
}
