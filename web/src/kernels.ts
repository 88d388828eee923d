// Kernels of one's own, as TensorFlow.js registers them: functions in JavaScript, which engine().runKernel() calls by name.
// Tenure's own kernels are no such functions. They cannot be replaced, and another backend cannot be added.
import { backend, backendNames, getBackend, type BackendInfo } from './device/backend.js';
import { opInputs, opNames } from './generated/ops.js';
import { call } from './ops/call.js';
import { cast } from './ops/cast.js';
import { kernelNames, opOfKernel } from './ops/kernel_names.js';
import { clone, reshape } from './ops/view.js';
import { tidy } from './owner/scope.js';
import type { DataType } from './runtime/types.js';
import { createTensor, type Values } from './tensor/create.js';
import { Tensor, type DataId } from './tensor/tensor.js';
import { customGrad } from './train/custom_grad.js';
import { literalOf } from './tensor/input.js';
import { sizeFromShape } from './util/shape.js';

/** What a kernel sees of a tensor. */
export interface TensorInfo {
  dataId: DataId;
  shape: number[];
  dtype: DataType;
}
/** The inputs of a kernel by name. */
export type NamedTensorInfoMap = Record<string, TensorInfo | TensorInfo[] | undefined>;
/** The attributes of a kernel by name. */
export type NamedAttrMap = Record<string, unknown>;

/** What a kernel may ask of the engine, and make on it. */
export interface KernelBackend extends BackendInfo {
  readSync(dataId: DataId): ReturnType<Tensor['dataSync']>;
  read(dataId: DataId): ReturnType<Tensor['data']>;
  /** A tensor of values. */
  makeTensorInfo(shape: number[], dtype: DataType, values?: Values): TensorInfo;
  makeOutput(values: Values, shape: number[], dtype: DataType): TensorInfo;
  write(values: Values, shape: number[], dtype: DataType): DataId;
  disposeData(dataId: DataId): boolean;
  disposeIntermediateTensorInfo(info: TensorInfo): void;
}

/** A kernel: its outputs, of its inputs and attributes. */
export type KernelFunc = (params: {
  inputs: NamedTensorInfoMap;
  backend: KernelBackend;
  attrs?: NamedAttrMap;
}) => TensorInfo | TensorInfo[];

/** What is called when a kernel is registered. */
export type KernelSetupFunc = (backend: KernelBackend) => void;
/** What TensorFlow.js calls when a kernel's backend goes. */
export type KernelDisposeFunc = KernelSetupFunc;

/** What registerKernel() takes. */
export interface KernelConfig {
  kernelName: string;
  backendName: string;
  kernelFunc: KernelFunc;
  setupFunc?: KernelSetupFunc;
  disposeFunc?: KernelDisposeFunc;
}

/** The gradients of a kernel's inputs by their names, of that of its output. */
export type GradFunc = (dy: Tensor, saved: Tensor[], attrs: NamedAttrMap) => Record<string, () => Tensor>;

/** What registerGradient() takes: the gradients of a kernel's inputs by their names. */
export interface GradConfig {
  kernelName: string;
  inputsToSave?: string[];
  saveAllInputs?: boolean;
  outputsToSave?: boolean[];
  gradFunc: GradFunc;
}

const kernels = new Map<string, KernelConfig>();
const gradients = new Map<string, GradConfig>();
const keyOf = (kernelName: string, backendName: string) => `${backendName}_${kernelName}`;

/** Tenure's own, as TensorFlow.js would have them in its registry. */
function builtInKernels(backendName: string): KernelConfig[] {
  if (!backendNames().includes(backendName)) return [];
  return kernelNames().map((kernelName) => ({
    kernelName,
    backendName,
    kernelFunc: ({ inputs, attrs }) => runBuiltIn(kernelName, inputs as Record<string, Tensor | Tensor[] | undefined>, attrs ?? {}),
  }));
}

function refuseBuiltIn(kernelName: string): void {
  if (opOfKernel(kernelName) === -1) return;
  throw new Error(`The kernel '${kernelName}' is one of Tenure's own, compiled to WebAssembly, and cannot be replaced.`);
}

/**
 * Lets engine().runKernel() call a function by name. Throws for a kernel that Tenure has.
 * @example
 * const kernelFunc = ({ backend }) => backend.makeTensorInfo([], 'float32', new Float32Array([42]));
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc });
 * tf.engine().runKernel('Answer', {}); // 42
 * tf.unregisterKernel('Answer', 'wasm');
 */
export function registerKernel(config: KernelConfig): void {
  const { kernelName, backendName } = config;
  refuseBuiltIn(kernelName);
  const key = keyOf(kernelName, backendName);
  if (kernels.has(key)) console.warn(`The kernel '${kernelName}' for backend '${backendName}' is already registered`);
  kernels.set(key, config);
  config.setupFunc?.(kernelBackend());
}

/**
 * Forgets a kernel.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc: () => [] });
 * tf.unregisterKernel('Answer', 'wasm');
 * tf.getKernel('Answer', 'wasm'); // undefined
 */
export function unregisterKernel(kernelName: string, backendName: string): void {
  const key = keyOf(kernelName, backendName);
  if (!kernels.delete(key)) throw new Error(`The kernel '${kernelName}' for backend '${backendName}' is not registered`);
}

/**
 * The kernel that was registered, if one was.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc: () => [] });
 * tf.getKernel('Answer', 'wasm').kernelName; // 'Answer'
 * tf.unregisterKernel('Answer', 'wasm');
 */
export function getKernel(kernelName: string, backendName: string): KernelConfig | undefined {
  return kernels.get(keyOf(kernelName, backendName));
}

/**
 * The kernels of a backend: Tenure's own, and those that were registered.
 * @example
 * tf.getKernelsForBackend('wasm').some(({ kernelName }) => kernelName === 'Conv2D'); // true
 */
export function getKernelsForBackend(backendName: string): KernelConfig[] {
  return [...builtInKernels(backendName), ...registeredFor(backendName)];
}

function registeredFor(backendName: string): KernelConfig[] {
  return [...kernels.values()].filter((config) => config.backendName === backendName);
}

/**
 * Registers the kernels of a backend for another.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'mine', kernelFunc: () => [] });
 * tf.copyRegisteredKernels('mine', 'other');
 * tf.getKernel('Answer', 'other').backendName; // 'other'
 * for (const backend of ['mine', 'other']) tf.unregisterKernel('Answer', backend);
 */
export function copyRegisteredKernels(registeredBackendName: string, newBackendName: string): void {
  for (const config of registeredFor(registeredBackendName)) registerKernel({ ...config, backendName: newBackendName });
}

/**
 * Gives a kernel of one's own a gradient. Throws for a kernel that Tenure has.
 * @example
 * tf.registerGradient({ kernelName: 'Answer', gradFunc: (dy) => ({ x: () => dy }) });
 * tf.getGradient('Answer').kernelName; // 'Answer'
 * tf.unregisterGradient('Answer');
 */
export function registerGradient(config: GradConfig): void {
  refuseBuiltIn(config.kernelName);
  gradients.set(config.kernelName, config);
}

/**
 * The gradient that was registered, if one was.
 * @example
 * tf.getGradient('Answer'); // undefined
 */
export function getGradient(kernelName: string): GradConfig | undefined {
  return gradients.get(kernelName);
}

/**
 * Forgets a gradient.
 * @example
 * tf.registerGradient({ kernelName: 'Answer', gradFunc: (dy) => ({ x: () => dy }) });
 * tf.unregisterGradient('Answer');
 * tf.getGradient('Answer'); // undefined
 */
export function unregisterGradient(kernelName: string): void {
  if (!gradients.delete(kernelName)) throw new Error(`The gradient '${kernelName}' for backend is not registered`);
}

/**
 * Throws: Tenure's kernels compute on its own backends.
 * @example
 * tf.registerBackend('mine'); // throws Error: The backend 'mine' cannot be registered: Tenure computes on 'wasm' and 'webgl', its own.
 */
export function registerBackend(name: string): boolean {
  throw new Error(`The backend '${name}' cannot be registered: Tenure computes on 'wasm' and 'webgl', its own.`);
}

/**
 * Throws: Tenure's backends stay.
 * @example
 * tf.removeBackend('wasm'); // throws Error: The backend 'wasm' cannot be removed: Tenure's backends stay.
 */
export function removeBackend(name: string): void {
  throw new Error(`The backend '${name}' cannot be removed: Tenure's backends stay.`);
}

/**
 * The backend of this name, when it is the one that ops run on.
 * @example
 * tf.findBackend('nobody'); // null
 */
export function findBackend(name: string): BackendInfo | null {
  return name === getBackend() ? backend() : null;
}

/**
 * What makes a backend, for one that there is.
 * @example
 * tf.findBackendFactory('wasm') !== null; // true
 */
export function findBackendFactory(name: string): (() => BackendInfo) | null {
  return backendNames().includes(name) ? backend : null;
}

/** Runs a kernel by its name: one's own, or one of Tenure's that takes tensors and nothing else. */
export function runKernel<T extends Tensor | Tensor[]>(
  kernelName: string,
  inputs: Record<string, Tensor | Tensor[] | undefined>,
  attrs: NamedAttrMap = {},
): T {
  const kernel = getKernel(kernelName, getBackend());
  if (!kernel) return runBuiltIn(kernelName, inputs, attrs) as T;
  // An input that is a list has gradients by place.
  const entries = Object.entries(inputs).flatMap(([name, x]) =>
    Array.isArray(x) ? x.map((one, i) => [`${i}`, one] as const) : x ? [[name, x] as const] : [],
  );
  for (const [, x] of entries) introduce(x);
  const gradient = gradients.get(kernelName);
  // What hands on an input gives another handle on it.
  const output = (info: TensorInfo) => (entries.some(([, x]) => x === info) ? clone(info as Tensor) : tensorOf(info));
  const run = () => {
    const result = kernel.kernelFunc({ inputs, attrs, backend: kernelBackend() });
    return Array.isArray(result) ? result.map(output) : output(result);
  };
  if (!gradient) return tidy(kernelName, run) as T;
  const differentiable = customGrad((...args) => {
    const save = args[args.length - 1] as (tensors: Tensor[]) => void;
    const outputs = [run()].flat();
    if (outputs.length !== 1) throw new Error(`The kernel '${kernelName}' has a gradient, and must have one output.`);
    const saved = entries.filter(([name]) => gradient.saveAllInputs || gradient.inputsToSave?.includes(name)).map(([, x]) => x);
    saved.push(...outputs.filter((_, i) => gradient.outputsToSave?.[i]));
    save(saved);
    return {
      value: outputs[0]!,
      gradFunc: (dy: Tensor, kept: Tensor[]) => {
        const found = gradient.gradFunc(dy, kept, attrs);
        return entries.map(([name]) => {
          if (found[name]) return found[name]();
          throw new Error(`Cannot backprop through input ${name}. Available gradients found: ${Object.keys(found)}.`);
        });
      },
    };
  });
  return differentiable(...entries.map(([, x]) => x)) as T;
}

/** Whether an op can be given so many tensors. */
function takes(op: number, count: number): boolean {
  const inputs = opInputs[op]!.split(' ');
  const isList = inputs.some((input) => input.includes('...'));
  return isList ? count >= inputs.length : count === inputs.length;
}

function runBuiltIn(kernelName: string, inputs: Record<string, Tensor | Tensor[] | undefined>, attrs: NamedAttrMap): Tensor {
  const op = opOfKernel(kernelName);
  const given = Object.values(inputs).flat() as Tensor[];
  if (op === -1) throw new Error(`Kernel '${kernelName}' not registered for backend '${getBackend()}'`);
  if (Object.keys(attrs).length > 0 || !takes(op, given.length)) {
    throw new Error(`The kernel '${kernelName}' is one of Tenure's own, and called as tf.${opNames[op]}().`);
  }
  return call(op, given);
}

/** The tensors that kernels were given and made. */
const known = new WeakMap<DataId, Tensor>();

function introduce(tensor: Tensor): Tensor {
  known.set(tensor.dataId, tensor);
  return tensor;
}

function behind(dataId: DataId): Tensor {
  const tensor = known.get(dataId);
  if (!tensor) throw new Error('A kernel knows the tensors that it was given, and those that its backend made for it.');
  return tensor;
}

function tensorOf(info: TensorInfo): Tensor {
  if (info instanceof Tensor) return info as Tensor;
  return cast(reshape(behind(info.dataId), info.shape), info.dtype);
}

function kernelBackend(): KernelBackend {
  const makeTensorInfo = (shape: number[], dtype: DataType, values?: Values): TensorInfo => {
    const given = values ?? literalOf(new Array<number>(sizeFromShape(shape)).fill(0), dtype).values;
    return introduce(createTensor(given, shape, dtype));
  };
  return {
    ...backend(),
    readSync: (dataId) => behind(dataId).dataSync(),
    read: (dataId) => behind(dataId).data(),
    makeTensorInfo,
    makeOutput: (values, shape, dtype) => makeTensorInfo(shape, dtype, values),
    write: (values, shape, dtype) => makeTensorInfo(shape, dtype, values).dataId,
    disposeData: (dataId) => {
      behind(dataId).dispose();
      return true;
    },
    disposeIntermediateTensorInfo: ({ dataId }) => behind(dataId).dispose(),
  };
}
