// The part of WebGPU's interfaces that Tenure uses: TypeScript's own libraries have none yet, and the package's types need no
// other package.

/** WebGPU's GPU: `navigator.gpu`, or what the npm package 'webgpu' creates. */
export interface Gpu {
  readonly wgslLanguageFeatures?: { has(name: string): boolean };
  requestAdapter(options?: { powerPreference?: string }): Promise<GpuAdapter | null>;
}

const has = (value: unknown, name: string) => typeof value === 'object' && value !== null && name in value;

/** True for WebGPU's entry point. */
export const isGpu = (value: unknown): value is Gpu => has(value, 'requestAdapter');

/** True for the context of a canvas for WebGPU. */
export const isCanvasContext = (value: unknown): value is GpuCanvasContext => has(value, 'getCurrentTexture');

/** The names of the limits that kernels depend on. */
export const kLimitNames = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
] as const;
export type GpuLimits = Record<(typeof kLimitNames)[number], number>;

export interface GpuAdapter {
  features: { has(name: string): boolean };
  limits: GpuLimits;
  info?: { isFallbackAdapter?: boolean; architecture?: string };
  requestDevice(options: { requiredFeatures: string[]; requiredLimits: Partial<GpuLimits> }): Promise<GpuDevice>;
}

export interface GpuDevice {
  features: { has(name: string): boolean };
  limits: GpuLimits;
  lost: Promise<{ reason: string; message: string }>;
  queue: GpuQueue;
  onuncapturederror: ((event: { error: { message: string } }) => void) | null;
  createBuffer(options: { size: number; usage: number }): GpuBuffer;
  createShaderModule(options: { code: string }): object;
  createBindGroupLayout(options: { entries: object[] }): object;
  createPipelineLayout(options: { bindGroupLayouts: object[] }): object;
  createComputePipeline(options: GpuComputePipelineOptions): object;
  createComputePipelineAsync(options: GpuComputePipelineOptions): Promise<object>;
  createBindGroup(options: { layout: object; entries: object[] }): object;
  createCommandEncoder(): GpuEncoder;
  createQuerySet(options: { type: string; count: number }): GpuQuerySet;
  destroy(): void;
}

export interface GpuComputePipelineOptions {
  layout: object;
  compute: { module: object };
}

export interface GpuBuffer {
  readonly size: number;
  mapAsync(mode: number): Promise<unknown>;
  getMappedRange(): ArrayBuffer;
  destroy(): void;
}

export interface GpuEncoder {
  beginComputePass(options?: GpuPassOptions): GpuPass;
  resolveQuerySet(queries: GpuQuerySet, first: number, count: number, to: GpuBuffer, offset: number): void;
  copyBufferToBuffer(from: GpuBuffer, fromOffset: number, to: GpuBuffer, toOffset: number, size: number): void;
  copyBufferToTexture(
    from: { buffer: GpuBuffer; offset: number; bytesPerRow: number },
    to: { texture: object; origin: number[] },
    size: number[],
  ): void;
  finish(): object;
}

export interface GpuQuerySet {
  destroy(): void;
}

export interface GpuPassOptions {
  timestampWrites: { querySet: GpuQuerySet; beginningOfPassWriteIndex: number; endOfPassWriteIndex: number };
}

export interface GpuPass {
  setPipeline(pipeline: object): void;
  setBindGroup(index: number, group: object, offsets: number[]): void;
  dispatchWorkgroups(x: number, y: number, z: number): void;
  end(): void;
}

export interface GpuQueue {
  submit(commands: object[]): void;
  writeBuffer(buffer: GpuBuffer, offset: number, data: Uint8Array): void;
  writeTexture(to: { texture: object; origin: number[] }, data: Uint8Array, layout: object, size: number[]): void;
}

/** The context of a canvas for WebGPU. */
export interface GpuCanvasContext {
  canvas: OffscreenCanvas;
  configure(options: { device: GpuDevice; format: string; usage: number; alphaMode: string }): void;
  getCurrentTexture(): object;
}
