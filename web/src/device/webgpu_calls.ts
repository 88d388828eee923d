import { wasm } from '../runtime/runtime.js';
import { createCanvasReader } from './webgpu_canvas_reader.js';
import { CommandQueue } from './webgpu_commands.js';
import { Handles } from './webgpu_handles.js';
import type { Pipelines } from './webgpu_pipelines.js';
import type { DispatchTimer } from './webgpu_timer.js';
import { kLimitNames, type GpuBuffer, type GpuDevice, type GpuEncoder, type GpuPass } from './webgpu_types.js';

// WebGPU's flags of buffers: they are globals of browsers, which Node lacks.
const kMapRead = 1;
const kCopySource = 4;
const kCopyTarget = 8;
const kVertex = 0x20;
const kUniform = 0x40;
const kStorage = 0x80;
const kComputeStage = 4;
/** Bytes of the uniforms that a dispatch binds. */
const kParameterBytes = 256;

/** BufferUse::kShared of webgpu/device/platform.h. */
const kSharedUse = 2;

/** Usage of buffers besides copies, by BufferUse of webgpu/device/platform.h. */
const kUsages = [kStorage, kUniform, kStorage | kVertex];

/** A read that was started. Its buffer is mapped when it is ready; `state` is a ReadState of webgpu/device/platform.h. */
interface Read {
  buffer: GpuBuffer;
  state: number;
  /** Resolves once the read is ready, has failed or has ended. */
  settled: Promise<void>;
  /** Resolves `settled`, with a new state if there is one. */
  settle(state?: number): void;
}

function createRead(buffer: GpuBuffer): Read {
  let resolve = () => {};
  const settled = new Promise<void>((resolved) => (resolve = resolved));
  const read: Read = {
    buffer,
    state: 0,
    settled,
    settle: (state = read.state) => {
      read.state = state;
      resolve();
    },
  };
  return read;
}

/** Properties of a device that are neither limits nor features. */
export interface DeviceTraits {
  /** True for a software renderer. */
  isSoftware: boolean;
  /** True if WGSL has dot4I8Packed(). */
  hasPackedDot: boolean;
}

/**
 * Returns the functions that the engine imports (wasm/gpu_calls.js), documented in webgpu/device/platform.h: they record commands
 * for one device, and create its `pipelines`. Sizes and addresses come as signed integers.
 */
export function createWebgpuCalls(device: GpuDevice, traits: DeviceTraits, pipelines: Pipelines) {
  const buffers = new Handles<GpuBuffer>();
  const groups = new Handles<object>();
  const reads = new Handles<Read>();
  /** Handles of buffers that the program knows: it expects commands in the order of its own. */
  const shared = new Set<number>();
  const layouts: object[] = [];
  /** The read whose state was asked for last. */
  let asked: Read | undefined;
  const readCanvas = createCanvasReader(device);
  const { limits, features, queue } = device;
  let encoder: GpuEncoder | undefined;
  let pass: GpuPass | undefined;
  let timer: DispatchTimer | undefined;
  const commands = new CommandQueue(pipelines, () => shared.size === 0 && !timer);

  const openEncoder = () => (encoder ??= device.createCommandEncoder());
  const endPass = () => {
    pass?.end();
    pass = undefined;
  };
  const submit = () => {
    endPass();
    if (!encoder) return;
    timer?.resolve(encoder);
    queue.submit([encoder.finish()]);
    encoder = undefined;
  };
  const share = (buffer: number) => {
    commands.flush();
    shared.add(buffer);
    return buffer;
  };
  /** Removes a buffer's handle. Returns the buffer. */
  const takeBuffer = (buffer: number) => {
    shared.delete(buffer >>> 0);
    return buffers.take(buffer);
  };
  /** Returns the layout of bind groups: uniforms with an offset, inputs, and an output. */
  const getLayout = (inputs: number) =>
    (layouts[inputs] ??= device.createBindGroupLayout({
      entries: Array.from({ length: inputs + 2 }, (_, binding) => ({
        binding,
        visibility: kComputeStage,
        buffer: {
          type: binding === 0 ? 'uniform' : binding > inputs ? 'storage' : 'read-only-storage',
          hasDynamicOffset: binding === 0,
        },
      })),
    }));

  return {
    submit: () => commands.add(submit),
    close: () => {
      commands.clear();
      device.destroy();
      // Reads that wait in the queue are never started.
      for (const read of reads.values()) read.settle(2);
    },
    /** Times each dispatch from now on, or none. All commands must be submitted. Called by JavaScript alone. */
    setTimer: (next: DispatchTimer | undefined) => {
      commands.flush();
      timer?.destroy();
      timer = next;
    },
    limit: (which: number) =>
      [
        ...kLimitNames.map((name) => limits[name]),
        Number(traits.isSoftware),
        Number(features.has('subgroups')),
        Number(features.has('shader-f16')),
        Number(traits.hasPackedDot),
      ][which],
    createBuffer: (bytes: number, use: number) => {
      const usage = kUsages[use]! | kCopySource | kCopyTarget;
      const buffer = buffers.add(device.createBuffer({ size: bytes >>> 0, usage }));
      return use === kSharedUse ? share(buffer) : buffer;
    },
    destroyBuffer: (buffer: number) => {
      const destroyed = takeBuffer(buffer);
      commands.keep(destroyed.size);
      commands.add(() => destroyed.destroy());
    },
    forgetBuffer: (buffer: number) => void takeBuffer(buffer),
    /** Returns the buffer of a handle. Called by JavaScript alone. */
    getBuffer: (buffer: number) => buffers.get(buffer),
    /** Gives a buffer of the program a handle, until forgetBuffer(). Called by JavaScript alone. */
    addBuffer: (buffer: GpuBuffer) => share(buffers.add(buffer)),
    copyBuffer: (from: number, to: number, bytes: number) => {
      const [source, target] = [buffers.get(from), buffers.get(to)];
      commands.add(() => {
        endPass();
        openEncoder().copyBufferToBuffer(source, 0, target, 0, bytes >>> 0);
        submit();
      });
    },
    writeBuffer: (buffer: number, offset: number, from: number, bytes: number) => {
      const target = buffers.get(buffer);
      commands.keep(bytes >>> 0);
      const data = readMemory(from, bytes, commands.isWaiting);
      commands.add(() => queue.writeBuffer(target, offset >>> 0, data));
    },
    createPipeline: (wgsl: number, length: number, inputs: number) => {
      const code = new TextDecoder().decode(readMemory(wgsl, length));
      const layout = device.createPipelineLayout({ bindGroupLayouts: [getLayout(inputs)] });
      return pipelines.create(layout, code);
    },
    createBindGroup: (list: number, count: number) => {
      const entries = Array.from({ length: count }, (_, binding) => ({
        binding,
        resource: {
          buffer: buffers.get(wasm.HEAP32[(list >>> 2) + binding] ?? 0),
          size: binding ? undefined : kParameterBytes,
        },
      }));
      return groups.add(device.createBindGroup({ layout: getLayout(count - 2), entries }));
    },
    release: (group: number) => void groups.take(group),
    dispatch: (pipeline: number, group: number, offset: number, x: number, y: number, z: number) => {
      const bound = groups.get(group);
      commands.add(() => {
        if (timer) endPass();
        pass ??= openEncoder().beginComputePass(timer?.getPassOptions());
        pass.setPipeline(pipelines.get(pipeline));
        pass.setBindGroup(0, bound, [offset]);
        pass.dispatchWorkgroups(x, y, z);
      }, pipeline);
    },
    startRead: (buffer: number, bytes: number) => {
      const size = bytes >>> 0;
      const source = buffers.get(buffer);
      const read = createRead(device.createBuffer({ size, usage: kMapRead | kCopyTarget }));
      commands.add(() => {
        endPass();
        openEncoder().copyBufferToBuffer(source, 0, read.buffer, 0, size);
        submit();
        read.buffer.mapAsync(kMapRead).then(
          () => read.settle(1),
          () => read.settle(2),
        );
      });
      return reads.add(read);
    },
    readState: (read: number) => (asked = reads.get(read)).state,
    /**
     * Returns a promise that resolves when the read whose state was asked for last is ready, has failed or has ended. Returns
     * undefined if no state was asked for since the last call. Called by JavaScript alone.
     */
    whenRead: () => {
      const settled = asked?.settled;
      asked = undefined;
      return settled;
    },
    finishRead: (read: number, to: number) => {
      try {
        wasm.HEAPU8.set(new Uint8Array(reads.get(read).buffer.getMappedRange()), to >>> 0);
        return 1;
      } catch {
        // The device was lost in this turn, and its buffers are not mapped any more.
        return 0;
      }
    },
    endRead: (read: number) => {
      const ended = reads.take(read);
      if (asked === ended) asked = undefined;
      ended.settle();
      commands.add(() => ended.buffer.destroy());
    },
    readNow: (buffer: number, to: number, bytes: number) => {
      commands.flush();
      submit();
      return readCanvas(buffers.get(buffer), to >>> 0, bytes >>> 0);
    },
  };
}

/**
 * Returns bytes of the engine's memory; a copy if `isCopied`, or if threads share it, which TextDecoder does not take, and by
 * which Node's WebGPU crashes.
 */
function readMemory(at: number, bytes: number, isCopied = false): Uint8Array {
  const { HEAPU8: heap } = wasm;
  const range = [at >>> 0, (at >>> 0) + (bytes >>> 0)] as const;
  return !isCopied && heap.buffer instanceof ArrayBuffer ? heap.subarray(...range) : heap.slice(...range);
}
