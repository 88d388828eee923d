// Encoding of tensors as bytes of weight files, and decoding.
import { CompositeArrayBuffer } from './buffers.js';
import type { WeightData, WeightGroup, WeightsManifestConfig, WeightsManifestEntry } from './types.js';
import type { TypedArray } from '../runtime/types.js';
import { createTensor } from '../tensor/create.js';
import type { NamedTensorMap, Tensor } from '../tensor/tensor.js';
import { platform } from '../runtime/platform.js';
import { assert, assertNonNegativeIntegerDimensions } from '../util/checks.js';
import { getEntry, setEntry } from '../util/entries.js';
import { sizeFromShape } from '../util/shape.js';

const kBytes: Readonly<Record<string, number>> = {
  float32: 4,
  int32: 4,
  bool: 1,
  complex64: 8,
  float16: 2,
  uint16: 2,
  uint8: 1,
};
const kQuantizations = ['uint8', 'uint16', 'float16'];

/** Weight by its name. */
interface NamedTensor {
  /** Name of the weight. */
  name: string;
  /** Value of the weight. */
  tensor: Tensor;
}

/**
 * Encodes tensors as consecutive bytes without padding, with the specs of each. A string is its length as uint32, then
 * its UTF-8 bytes. Rejects for a dtype that files cannot hold.
 * @example
 * const { data, specs } = await tf.io.encodeWeights({ w: tf.tensor([1, 2]) });
 * data.byteLength; // 8
 * specs; // [{ name: 'w', shape: [2], dtype: 'float32' }]
 */
export async function encodeWeights(
  tensors: NamedTensorMap | NamedTensor[],
  group?: WeightGroup,
): Promise<{
  /** Bytes of all tensors. */
  data: ArrayBuffer;
  /** Name, shape and dtype of each tensor, in the order of their bytes. */
  specs: WeightsManifestEntry[];
}> {
  const list = Array.isArray(tensors) ? tensors : Object.entries(tensors).map(([name, tensor]) => ({ name, tensor }));
  const specs = list.map(({ name, tensor: { shape, dtype } }) => {
    assert(dtype === 'string' || dtype in kBytes, () => `Unsupported dtype in weight '${name}': ${dtype}`);
    return { name, shape: [...shape], dtype, ...(group ? { group } : {}) };
  });
  const data = await Promise.all(list.map(async ({ tensor }) => toChunks(await tensor.bytes())));
  return { data: new CompositeArrayBuffer(data.flat()).slice(), specs };
}

function toChunks(values: Uint8Array | Uint8Array[]): Uint8Array[] {
  if (!Array.isArray(values)) return [values];
  return values.flatMap((text) => [new Uint8Array(Uint32Array.of(text.length).buffer), text]);
}

/**
 * Decodes tensors from bytes. Throws, naming the weight, if bytes are missing, and then frees the tensors made so far.
 * @example
 * const specs = [{ name: 'w', shape: [2], dtype: 'float32' }];
 * tf.io.decodeWeights(new Float32Array([1, 2]).buffer, specs); // { w: [1, 2] }
 */
export function decodeWeights(weightData: WeightData, specs: WeightsManifestEntry[]): NamedTensorMap {
  const data = new CompositeArrayBuffer(weightData);
  return collectTensors((add) => {
    let at = 0;
    for (const spec of specs) at = add(spec, data, at);
  });
}

/**
 * Decodes tensors from a stream, each as soon as its bytes have arrived. If the stream ends early, rejects and frees
 * the tensors made so far.
 * @example
 * const specs = [{ name: 'w', shape: [2], dtype: 'float32' }];
 * const stream = new Blob([new Float32Array([1, 2])]).stream();
 * await tf.io.decodeWeightsStream(stream, specs); // { w: [1, 2] }
 */
export async function decodeWeightsStream(
  weightStream: ReadableStream<ArrayBuffer>,
  specs: WeightsManifestEntry[],
): Promise<NamedTensorMap> {
  const reader = weightStream.getReader();
  const tensors: NamedTensorMap = {};
  let pending = new CompositeArrayBuffer();
  try {
    for (const spec of specs) {
      const parts: (ArrayBuffer | TypedArray)[] = [pending.slice()];
      for (;;) {
        const needed = bytesNeeded(spec, pending, 0);
        if (needed <= pending.byteLength) {
          addTensor(tensors, spec, pending.slice(0, needed));
          pending = new CompositeArrayBuffer(pending.slice(needed));
          break;
        }
        const { value } = await reader.read();
        assert(value !== undefined, () => `Reader is done but ${needed - pending.byteLength} bytes are still expected`);
        parts.push(value);
        pending = new CompositeArrayBuffer(parts);
      }
    }
    return tensors;
  } catch (error) {
    for (const tensor of Object.values(tensors)) tensor.dispose();
    await reader.cancel(error);
    throw error;
  }
}

type Add = (spec: WeightsManifestEntry, data: CompositeArrayBuffer, at: number) => number;

/**
 * Returns the tensors that `run` adds. Each call of `add` decodes the weight at an offset, and returns the offset of
 * the next one. If `run` throws, frees the tensors added so far.
 */
function collectTensors(run: (add: Add) => void): NamedTensorMap {
  const tensors: NamedTensorMap = {};
  try {
    run((spec, data, at) => {
      const end = getEnd(spec, data, at);
      addTensor(tensors, spec, data.slice(at, end));
      return end;
    });
    return tensors;
  } catch (error) {
    for (const tensor of Object.values(tensors)) tensor.dispose();
    throw error;
  }
}

/** Decodes a weight and stores it by name, in place of an earlier one of that name. */
function addTensor(tensors: NamedTensorMap, spec: WeightsManifestEntry, bytes: ArrayBuffer): void {
  const tensor = decode(spec, bytes);
  getEntry(tensors, spec.name)?.dispose();
  setEntry(tensors, spec.name, tensor);
}

function getEnd(spec: WeightsManifestEntry, data: CompositeArrayBuffer, at: number): number {
  const end = at + bytesNeeded(spec, data, at);
  const missing = end - data.byteLength;
  assert(missing <= 0, () => `Weight '${spec.name}' of shape [${spec.shape}] ends ${missing} bytes behind its data`);
  return end;
}

/**
 * Returns the number of bytes of a weight at offset `at`. For strings, whose lengths are among the bytes, returns a
 * lower bound until all lengths have arrived. Throws for an unknown dtype.
 */
function bytesNeeded(
  { name, shape, dtype, quantization }: WeightsManifestEntry,
  data: CompositeArrayBuffer,
  at: number,
): number {
  assertNonNegativeIntegerDimensions(shape);
  const size = sizeFromShape(shape);
  const stored = quantization?.dtype ?? dtype;
  if (stored !== 'string') {
    const bytes = getEntry(kBytes, stored);
    if (quantization && !kQuantizations.includes(stored)) {
      throw new Error(
        `Weight ${name} has unknown quantization dtype ${stored}. ` +
          "Supported quantization dtypes are: 'uint8', 'uint16', and 'float16'.",
      );
    }
    if (bytes === undefined) throw new Error(`Unsupported dtype in weight '${name}': ${dtype}`);
    return size * bytes;
  }
  let end = at;
  for (let i = 0; i < size; i++) {
    if (end + 4 > data.byteLength) return end + 4 - at;
    end += 4 + new DataView(data.slice(end, end + 4)).getUint32(0, true);
  }
  return end - at;
}

function decode(spec: WeightsManifestEntry, bytes: ArrayBuffer): Tensor {
  const { shape, dtype, quantization } = spec;
  if (quantization) return createTensor(dequantize(spec, bytes), shape, dtype);
  if (dtype === 'string') return createTensor(decodeStrings(bytes, sizeFromShape(shape)), shape, dtype);
  const values =
    dtype === 'int32' ? new Int32Array(bytes) : dtype === 'bool' ? new Uint8Array(bytes) : new Float32Array(bytes);
  return createTensor(values, shape, dtype);
}

function decodeStrings(bytes: ArrayBuffer, size: number): Uint8Array[] {
  const view = new DataView(bytes);
  let at = 0;
  return Array.from({ length: size }, () => {
    const length = view.getUint32(at, true);
    at += 4 + length;
    return new Uint8Array(bytes, at - length, length);
  });
}

function dequantize({ name, dtype, quantization }: WeightsManifestEntry, bytes: ArrayBuffer): TypedArray {
  const { dtype: stored, scale, min } = quantization!;
  if (stored === 'float16') {
    if (dtype === 'float32') return Float32Array.from(new Uint16Array(bytes), halfToFloat);
    throw new Error(
      `Weight ${name} is quantized with ${stored} which only supports weights of type float32 not ${dtype}.`,
    );
  }
  if (typeof scale !== 'number' || typeof min !== 'number') {
    throw new Error(`Weight ${name} with quantization ${stored} doesn't have corresponding metadata min and scale.`);
  }
  const codes = stored === 'uint8' ? new Uint8Array(bytes) : new Uint16Array(bytes);
  if (dtype === 'float32') return Float32Array.from(codes, (code) => code * scale + min);
  if (dtype === 'int32') return Int32Array.from(codes, (code) => Math.round(code * scale + min));
  throw new Error(`Unsupported dtype in weight '${name}': ${dtype}`);
}

/** Converts the bits of an IEEE 754 binary16 number. */
function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * 2 ** (exponent - 25) * (1024 + fraction);
}

/**
 * Returns a function that loads the named weights of a manifest, by default all. It calls `fetchWeightsFunction` to
 * fetch files by their URLs.
 * @example
 * const load = tf.io.weightsLoaderFactory(async () => [new Float32Array([1, 2]).buffer]);
 * const manifest = [{ paths: ['w.bin'], weights: [{ name: 'w', shape: [2], dtype: 'float32' }] }];
 * await load(manifest, 'models/'); // { w: [1, 2] }
 */
export function weightsLoaderFactory(
  fetchWeightsFunction: (fetchUrls: string[]) => Promise<ArrayBuffer[]>,
): (manifest: WeightsManifestConfig, filePathPrefix?: string, weightNames?: string[]) => Promise<NamedTensorMap> {
  return async (manifest, filePathPrefix = '', weightNames) => {
    const known = manifest.flatMap(({ weights }) => weights.map(({ name }) => name));
    const missing = weightNames?.filter((name) => !known.includes(name)) ?? [];
    if (missing.length > 0) {
      throw new Error(
        `Could not find weights in manifest with names: ${missing.join(', ')}. \n` +
          `Manifest JSON has weights with names: ${known.join(', ')}.`,
      );
    }
    const isWanted = ({ name }: WeightsManifestEntry) => weightNames?.includes(name) ?? true;
    const groups = manifest.filter(({ weights }) => weights.some(isWanted));
    const folder = filePathPrefix.endsWith('/') ? filePathPrefix : `${filePathPrefix}/`;
    const buffers = await fetchWeightsFunction(groups.flatMap(({ paths }) => paths.map((path) => folder + path)));
    return collectTensors((add) => {
      let first = 0;
      for (const { paths, weights } of groups) {
        const data = new CompositeArrayBuffer(buffers.slice(first, first + paths.length));
        first += paths.length;
        let at = 0;
        for (const spec of weights) at = isWanted(spec) ? add(spec, data, at) : getEnd(spec, data, at);
      }
    });
  };
}

/**
 * Loads weights of a manifest over HTTP.
 * @param manifest The weight files, in groups.
 * @param filePathPrefix Folder of the files.
 * @param weightNames Names of the weights to load; all by default.
 * @param requestInit Options of every request.
 * @example
 * const { platform } = tf.env();
 * tf.setPlatform('node', { ...platform, fetch: async () => new Response(new Float32Array([1, 2])) });
 * const manifest = [{ paths: ['w.bin'], weights: [{ name: 'w', shape: [2], dtype: 'float32' }] }];
 * await tf.io.loadWeights(manifest, 'https://example.com/'); // { w: [1, 2] }
 * tf.setPlatform('node', platform);
 */
export function loadWeights(
  manifest: WeightsManifestConfig,
  filePathPrefix = '',
  weightNames?: string[],
  requestInit?: RequestInit,
): Promise<NamedTensorMap> {
  const load = weightsLoaderFactory((urls) =>
    Promise.all(
      urls.map(async (url) => {
        const response = await platform().fetch(url, requestInit);
        if (!response.ok) throw new Error(`Request to ${url} failed with status code ${response.status}.`);
        return response.arrayBuffer();
      }),
    ),
  );
  return load(manifest, filePathPrefix, weightNames);
}
