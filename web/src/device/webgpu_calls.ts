import { wasm } from '../runtime/runtime.js';
import { CanvasReader } from './webgpu_canvas_reader.js';
import type { GpuBuffer, GpuDevice, GpuEncoder, GpuPass } from './webgpu_types.js';

// WebGPU's flags of buffers: they are globals of browsers, which Node lacks.
const kMapRead = 1;
const kCopySource = 4;
const kCopyTarget = 8;
const kUniform = 0x40;
const kStorage = 0x80;
const kComputeStage = 4;
/** Bytes of the uniforms that a dispatch binds. */
const kParameterBytes = 256;

/** A read that was started: its buffer is mapped when it is ready. */
interface Read {
  buffer: GpuBuffer;
  state: number;
}
// As ReadState in webgpu/device/platform.h.
const kPending = 0;
const kReady = 1;
const kFailed = 2;

/** Objects by the numbers that the engine knows them by; 0 is none. */
class Handles<T> {
  private readonly objects: (T | undefined)[] = [undefined];
  private readonly unused: number[] = [];

  add(object: T): number {
    const handle = this.unused.pop() ?? this.objects.length;
    this.objects[handle] = object;
    return handle;
  }
  get(handle: number): T {
    const object = this.objects[handle];
    if (object === undefined) throw new Error(`[webgpu] there is no object ${handle}`);
    return object;
  }
  take(handle: number): T {
    const object = this.get(handle);
    this.objects[handle] = undefined;
    this.unused.push(handle);
    return object;
  }
}

/**
 * The functions that the engine imports (wasm/gpu_calls.js): they record commands for one device, whose documentation is
 * webgpu/device/platform.h. Sizes and addresses come as signed integers. None throws: the engine's frames would not unwind.
 */
export class WebgpuCalls {
  private readonly buffers = new Handles<GpuBuffer>();
  private readonly objects = new Handles<object>();
  private readonly reads = new Handles<Read>();
  private readonly layouts: object[] = [];
  private readonly canvases: CanvasReader;
  private encoder: GpuEncoder | undefined;
  private pass: GpuPass | undefined;

  constructor(
    private readonly device: GpuDevice,
    private readonly isSoftware: boolean,
  ) {
    this.canvases = new CanvasReader(device);
  }

  close(): void {
    this.device.destroy();
  }

  limit(which: number): number {
    const { limits, features } = this.device;
    return [
      // Sizes are 32 bits in the engine.
      Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize, 2 ** 32 - 256),
      limits.maxStorageBuffersPerShaderStage,
      limits.maxComputeWorkgroupStorageSize,
      limits.maxComputeInvocationsPerWorkgroup,
      Number(this.isSoftware),
      Number(features.has('subgroups')),
      Number(features.has('shader-f16')),
    ][which]!;
  }

  createBuffer(bytes: number, use: number): number {
    const usage = (use === 0 ? kStorage : kUniform) | kCopySource | kCopyTarget;
    return this.buffers.add(this.device.createBuffer({ size: bytes >>> 0, usage }));
  }

  destroyBuffer(buffer: number): void {
    this.buffers.take(buffer).destroy();
  }

  writeBuffer(buffer: number, offset: number, from: number, bytes: number): void {
    this.device.queue.writeBuffer(this.buffers.get(buffer), offset >>> 0, readMemory(from, bytes));
  }

  createPipeline(wgsl: number, length: number, inputs: number): number {
    const { device } = this;
    const code = new TextDecoder().decode(readMemory(wgsl, length));
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.layoutFor(inputs)] });
    return this.objects.add(
      device.createComputePipeline({ layout, compute: { module: device.createShaderModule({ code }) } }),
    );
  }

  createBindGroup(buffers: number, count: number): number {
    const at = buffers >>> 2;
    const entries = Array.from(wasm.HEAPU32.subarray(at, at + count), (buffer, binding) => ({
      binding,
      resource: { buffer: this.buffers.get(buffer), size: binding === 0 ? kParameterBytes : undefined },
    }));
    return this.objects.add(this.device.createBindGroup({ layout: this.layoutFor(count - 2), entries }));
  }

  release(group: number): void {
    this.objects.take(group);
  }

  dispatch(pipeline: number, group: number, offset: number, x: number, y: number, z: number): void {
    const pass = (this.pass ??= this.openEncoder().beginComputePass());
    pass.setPipeline(this.objects.get(pipeline));
    pass.setBindGroup(0, this.objects.get(group), [offset]);
    pass.dispatchWorkgroups(x, y, z);
  }

  submit(): void {
    this.endPass();
    if (this.encoder) this.device.queue.submit([this.encoder.finish()]);
    this.encoder = undefined;
  }

  startRead(buffer: number, bytes: number): number {
    const size = bytes >>> 0;
    const read: Read = { buffer: this.device.createBuffer({ size, usage: kMapRead | kCopyTarget }), state: kPending };
    this.endPass();
    this.openEncoder().copyBufferToBuffer(this.buffers.get(buffer), 0, read.buffer, 0, size);
    this.submit();
    read.buffer.mapAsync(kMapRead).then(
      () => (read.state = kReady),
      () => (read.state = kFailed),
    );
    return this.reads.add(read);
  }

  readState(read: number): number {
    return this.reads.get(read).state;
  }

  finishRead(read: number, to: number): void {
    wasm.HEAPU8.set(new Uint8Array(this.reads.get(read).buffer.getMappedRange()), to >>> 0);
  }

  endRead(read: number): void {
    this.reads.take(read).buffer.destroy();
  }

  readNow(buffer: number, to: number, bytes: number): number {
    this.submit();
    return this.canvases.read(this.buffers.get(buffer), to >>> 0, bytes >>> 0);
  }

  private endPass(): void {
    this.pass?.end();
    this.pass = undefined;
  }

  private openEncoder(): GpuEncoder {
    return (this.encoder ??= this.device.createCommandEncoder());
  }

  /** Returns the layout of bind groups: uniforms with an offset, inputs, and an output. */
  private layoutFor(inputs: number): object {
    return (this.layouts[inputs] ??= this.device.createBindGroupLayout({
      entries: Array.from({ length: inputs + 2 }, (_, binding) => ({
        binding,
        visibility: kComputeStage,
        buffer:
          binding === 0
            ? { type: 'uniform', hasDynamicOffset: true }
            : { type: binding === inputs + 1 ? 'storage' : 'read-only-storage' },
      })),
    }));
  }
}

/**
 * Returns bytes of the engine's memory; a copy if threads share it, which TextDecoder does not take, and by which Node's
 * WebGPU crashes.
 */
function readMemory(at: number, bytes: number): Uint8Array {
  const heap = wasm.HEAPU8;
  const start = at >>> 0;
  const end = start + (bytes >>> 0);
  const isShared = typeof SharedArrayBuffer !== 'undefined' && heap.buffer instanceof SharedArrayBuffer;
  return isShared ? heap.slice(start, end) : heap.subarray(start, end);
}
