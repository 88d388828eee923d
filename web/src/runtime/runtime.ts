import type { MainModule } from '../generated/tenure.js';
import { LoadError, OutOfMemoryError, createError } from './errors.js';

let loadError: Error | undefined;

/** Stand-in for the instance while there is none: reading a property throws. */
const kNotLoaded = new Proxy({} as MainModule, {
  get() {
    throw loadError ?? new LoadError('Tenure is not loaded yet: `await tf.ready()` before the first op');
  },
});
/**
 * The wasm instance. Until loader.ts has loaded it, reading a property throws a LoadError that says what to do. After an
 * interruption that cannot be repaired, it throws an InterruptedError.
 */
export let wasm = kNotLoaded;

let scratchAddress = 0;
let scratchEnd = 0;
/** Index of the call state, the word behind the scratch words: not 0 during a call, and after an interrupted one. */
let callStateIndex = 0;
let words: Int32Array = new Int32Array(0);
let floats: Float32Array = new Float32Array(0);
let onLoadCallbacks: (() => void)[] | undefined = [];

/** Sets the instance that the package runs on, and calls the functions that whenLoaded() has collected. */
export function setInstance(instance: MainModule): void {
  wasm = instance;
  scratchAddress = wasm._tn_scratch() >>> 2;
  scratchEnd = scratchAddress + wasm._tn_scratch_words();
  callStateIndex = scratchEnd - scratchAddress;
  refresh();
  const steps = onLoadCallbacks ?? [];
  onLoadCallbacks = undefined;
  for (const step of steps) step();
}

/** Sets the error that ops throw until the engine loads. */
export function setLoadError(error: Error): void {
  loadError = error;
}

/** True if the engine is loaded. */
export const isLoaded = (): boolean => onLoadCallbacks === undefined;

/** Calls `step` once the engine is loaded: immediately if it is. */
export function whenLoaded(step: () => void): void {
  if (onLoadCallbacks) onLoadCallbacks.push(step);
  else step();
}

/**
 * Returns the scratch words: an int32 view of a fixed address, through which ids, shapes and attributes are passed. Growing
 * memory detaches the view, so call this again after every call of the engine. Recovers first from an interrupted call.
 */
export function scratch(): Int32Array {
  if (words[callStateIndex] !== 0) recover();
  return words;
}

/** Returns the scratch words as float32. Growing memory detaches the view. */
export function scratchFloats(): Float32Array {
  if (floats.length === 0) refresh();
  return floats;
}

function refresh(): void {
  words = wasm.HEAP32.subarray(scratchAddress, scratchEnd + 1);
  floats = wasm.HEAPF32.subarray(scratchAddress, scratchEnd);
}

/** True if the last call of the engine was interrupted, by a stack overflow or by a time limit of node:vm. */
export function wasInterrupted(): boolean {
  return words[callStateIndex] !== 0;
}

/** Calls recover() if the last call was interrupted. For calls that use neither follow() nor scratch(). */
export function recoverIfInterrupted(): void {
  if (wasInterrupted()) recover();
}

/**
 * Recovers the engine's state and stack pointer after an interrupted call. Callbacks of the wasm module's own tidy() may be
 * running. Throws an InterruptedError, as all later calls do, if the state cannot be repaired.
 */
export function recover(): void {
  if (wasm._tn_recover() === 0) {
    setLoadError(lastError());
    wasm = kNotLoaded;
  }
  // If the engine refuses all calls, `wasm` is kNotLoaded and this throws.
  wasm.stackRestore(wasm._tn_stack_base());
  refresh();
}

/** Number of scratch words of an id. Ids have 53 bits; as arguments of calls they are numbers. */
export const kIdWords = 2;

/** Returns the id in the two words from index `at`, the low word first. */
export function readId(words: ArrayLike<number>, at: number): number {
  return words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
}

/** Writes an id into the two words from index `at`, the low word first. */
export function writeId(words: Int32Array, at: number, id: number): void {
  words[at] = id;
  words[at + 1] = id / 2 ** 32;
}

let describeOutOfMemory: ((error: OutOfMemoryError) => void) | undefined;

/** Sets a function that adds the live tensors to each OutOfMemoryError. A callback, since importing it would be circular. */
export function onOutOfMemory(name: (error: OutOfMemoryError) => void): void {
  describeOutOfMemory = name;
}

/** Returns the error of a call that returned -1. An OutOfMemoryError lists the largest live tensors. */
export function lastError(): Error {
  const error = createError(wasm._tn_error_code(), wasm.UTF8ToString(wasm._tn_error_message()) || 'out of memory');
  if (error instanceof OutOfMemoryError) describeOutOfMemory?.(error);
  return error;
}

/** Throws the error of a call that returned -1. */
export function raise(): never {
  throw lastError();
}

/** Returns the text that a call has left in the message buffer. Throws its error if `status` is -1. */
export function readMessage(status: number): string {
  return status === -1 ? raise() : wasm.UTF8ToString(wasm._tn_error_message());
}

/** Parses the engine's message, which is JSON of the type that the caller declares. */
export function readJson<T>(status: number): T {
  return JSON.parse(readMessage(status)) as T;
}
