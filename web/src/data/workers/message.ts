import { tensor } from '../../ops/movement/tensor_creation.js';
import type { DataType, TypedArray } from '../../runtime/types.js';
import { Tensor } from '../../tensor/tensor.js';
import { setEntry } from '../../util/entries.js';

/** A tensor in a message to or from a worker. Objects of this form in a worker's result become tensors. */
export interface SentTensor {
  dtype: DataType;
  shape: number[];
  values: TypedArray;
}

/**
 * Prepares a value for postMessage(): replaces tensors by SentTensors, and adds typed arrays to `transfer`. A view of
 * part of a buffer is copied first. Without a set, nothing is transferred.
 */
export async function toMessage(value: unknown, transfer: Set<ArrayBuffer> | undefined): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Tensor) {
    const { dtype, shape } = value as Tensor;
    const values = await value.data();
    if (values.buffer instanceof ArrayBuffer) transfer?.add(values.buffer);
    return { dtype, shape: [...shape], values };
  }
  if (value instanceof ArrayBuffer) {
    checkNotDetached(value);
    transfer?.add(value);
    return value;
  }
  if (ArrayBuffer.isView(value)) {
    checkNotDetached(value.buffer);
    return transfer ? toTransferable(value, transfer) : value;
  }
  if (Array.isArray(value)) return Promise.all(value.map((each) => toMessage(each, transfer)));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) setEntry(copy, key, await toMessage(each, transfer));
  return copy;
}

/** Throws if a buffer was transferred before. Node 20 neither sends it nor reports that. */
function checkNotDetached(buffer: ArrayBufferLike): void {
  if (buffer.byteLength > 0) return;
  try {
    new Uint8Array(buffer);
  } catch {
    throw new Error('a typed array was transferred before');
  }
}

function toTransferable(view: ArrayBufferView, transfer: Set<ArrayBuffer>): ArrayBufferView {
  if (!(view.buffer instanceof ArrayBuffer)) return view;
  const { buffer, byteOffset, byteLength } = view;
  if (byteLength === buffer.byteLength) {
    transfer.add(buffer);
    return view;
  }
  const part = buffer.slice(byteOffset, byteOffset + byteLength);
  transfer.add(part);
  // postMessage() turns Node's Buffer into Uint8Array in any case.
  const make = (view.constructor.name === 'Buffer' ? Uint8Array : view.constructor) as new (
    buffer: ArrayBuffer,
  ) => ArrayBufferView;
  return new make(part);
}

/** Converts a worker's result in place: objects of the form of SentTensor become tensors. */
export function fromMessage(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (isSentTensor(value)) return tensor(value.values, value.shape, value.dtype);
  const node = value as Record<string, unknown>;
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
    for (const key of Object.keys(node)) setEntry(node, key, fromMessage(node[key]));
  }
  return value;
}

function isSentTensor(value: object): value is SentTensor {
  const { dtype, shape, values } = value as SentTensor;
  return (
    typeof dtype === 'string' && Array.isArray(shape) && ArrayBuffer.isView(values) && Object.keys(value).length === 3
  );
}
