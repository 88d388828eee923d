// Tensors in buffers that the program uses too: for its own rendering and its own compute shaders.
import { setCurrentOp } from '../debug/ledger.js';
import { raise, wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { kDataTypes, type DataType } from '../runtime/types.js';
import { takeResult, writeExtents } from './create.js';
import type { Tensor } from './tensor.js';

/** Instances of a class that the program's types declare globally, or else `Fallback`. */
type GlobalInstance<Name extends string, Fallback> =
  typeof globalThis extends Record<
    Name,
    {
      /** Type of the instances. */
      prototype: infer Instance;
    }
  >
    ? Instance
    : Fallback;
/** WebGPU's GPUBuffer as the program's types declare it, or else the part of it that is needed here. */
export type GPUBufferLike = GlobalInstance<
  'GPUBuffer',
  {
    /** Size in bytes. */
    readonly size: number;
    /** Frees its memory. */
    destroy(): void;
  }
>;
/** WebGPU's GPUDevice as the program's types declare it, or else any object. */
export type GPUDeviceLike = GlobalInstance<'GPUDevice', object>;

/** The buffers of the engine's device by their handles: part of the module's `gpu` (device/webgpu_calls.ts). */
interface BufferHandles {
  addBuffer(buffer: GPUBufferLike): number;
  getBuffer(handle: number): GPUBufferLike;
  forgetBuffer(handle: number): void;
}

/** Properties of buffers that are read. */
interface BufferProperties {
  size: number;
  usage: number;
  mapState: string;
}

/** Values in a buffer of WebGPU, to create a tensor from. */
export interface WebGPUData {
  /** Buffer of the engine's device, `tf.backend().device`, with the usages STORAGE and COPY_SRC. */
  buffer: GPUBufferLike;
  /**
   * True for a tensor that reads the buffer itself, which must be a positive multiple of 16 bytes long and must not be changed or
   * destroyed before the tensor is disposed. By default the values are copied, and the buffer can be changed or destroyed at once.
   */
  zeroCopy?: boolean;
}

/** A tensor's values in a buffer of WebGPU. */
export interface GPUData {
  /** Tensor that owns the buffer: disposing it destroys the buffer. */
  tensorRef: Tensor;
  /**
   * Buffer of the engine's device with the usages STORAGE, VERTEX, COPY_SRC and COPY_DST: the elements in row-major order, 4 bytes
   * each, also of bools, which are 0 or 1.
   */
  buffer: GPUBufferLike;
}

/** True for values in a buffer of WebGPU. */
export function isWebgpuData(values: unknown): values is WebGPUData {
  return typeof values === 'object' && values !== null && 'buffer' in values && !ArrayBuffer.isView(values);
}

/**
 * Creates a tensor of values in a buffer. By default it is a vector of all of them, of dtype float32. Throws an Error if the engine
 * does not run on WebGPU, if the buffer is too small or lacks a usage, or if the dtype is neither float32 nor int32.
 */
export function createFromBuffer(
  { buffer, zeroCopy = false }: WebGPUData,
  shape: readonly number[] | null | undefined,
  dtype: DataType,
): Tensor {
  if (__DEBUG__) setCurrentOp('tensor');
  syncCurrentScope();
  const buffers = getBuffers('tensor');
  const { size, usage = 0, mapState = 'unmapped' } = (buffer ?? {}) as Partial<BufferProperties>;
  if (typeof size !== 'number') {
    throw new Error(`[tensor] expected \`buffer\` to be a GPUBuffer, got ${Object.prototype.toString.call(buffer)}`);
  }
  if (mapState !== 'unmapped') throw new Error(`[tensor] expected an unmapped GPUBuffer, got one that is ${mapState}`);
  const extents = shape ?? [Math.floor(size / 4)];
  const handle = buffers.addBuffer(buffer);
  let isAdopted = false;
  try {
    writeExtents(extents);
    const dtypeNumber = kDataTypes.indexOf(dtype);
    const copies = Number(!zeroCopy);
    if (wasm._tn_adopt_buffer(handle, size, usage, dtypeNumber, extents.length, copies) === -1) raise();
    isAdopted = zeroCopy;
    return takeResult();
  } finally {
    if (!isAdopted) buffers.forgetBuffer(handle);
  }
}

/**
 * Copies a tensor to a buffer that the program may use, for instance to draw its values. Commands that the program submits from
 * now on see them. Throws an Error if the engine does not run on WebGPU, or if the tensor holds strings or complex numbers.
 */
export function copyToBuffer(tensor: Tensor): GPUData {
  if (__DEBUG__) setCurrentOp('dataToGPU');
  syncCurrentScope();
  const buffers = getBuffers('dataToGPU');
  tensor.throwIfDisposed();
  const handle = wasm._tn_share_buffer(tensor.id);
  if (handle === -1) raise();
  return { tensorRef: takeResult(), buffer: buffers.getBuffer(handle) };
}

function getBuffers(where: string): BufferHandles {
  const { gpu } = wasm as { gpu?: BufferHandles };
  if (gpu) return gpu;
  throw new Error(`[${where}] needs the backend 'webgpu': await tf.setBackend('webgpu') first`);
}
