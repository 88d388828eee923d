import type { MainModule } from '../generated/tenure.js';
import { LoadError, OutOfMemoryError, errorOf } from './errors.js';

let missing: Error | undefined;

/** Stands for the instance where there is none. */
const kMissing = new Proxy({} as MainModule, {
  get() {
    throw missing ?? new LoadError('Tenure is not loaded yet: `await tf.ready()` before the first op');
  },
});
/**
 * The wasm instance. Until loader.ts has loaded it, whatever is asked of it throws what there is to be done; after a cut that
 * cannot be repaired it throws an InterruptedError.
 */
export let wasm = kMissing;

let scratchAddress = 0;
let scratchEnd = 0;
/** Behind the words stands one that is not 0 while a call is at work, and after one that was cut short. */
let atWork = 0;
let words: Int32Array = new Int32Array(0);
let floats: Float32Array = new Float32Array(0);
let whatIsNext: (() => void)[] | undefined = [];

/** From now on the package runs on this instance. */
export function adopt(instance: MainModule): void {
  wasm = instance;
  scratchAddress = wasm._tn_scratch() >>> 2;
  scratchEnd = scratchAddress + wasm._tn_scratch_words();
  atWork = scratchEnd - scratchAddress;
  refresh();
  const steps = whatIsNext ?? [];
  whatIsNext = undefined;
  for (const step of steps) step();
}

/** From now on ops throw this, as there is no instance. */
export function lack(error: Error): void {
  missing = error;
}

/** Whether ops can run. */
export const isLoaded = (): boolean => whatIsNext === undefined;

/** Calls `step` when there is an instance: at once, or as soon as it is loaded. */
export function whenLoaded(step: () => void): void {
  if (whatIsNext) whatIsNext.push(step);
  else step();
}

/**
 * The words at a fixed address through which ids, shapes and attributes cross. Growing memory detaches views, so ask
 * again after every call.
 */
export function scratch(): Int32Array {
  if (words[atWork] !== 0) recover();
  return words;
}

/** The same words as floats. */
export function scratchFloats(): Float32Array {
  if (floats.length === 0) refresh();
  return floats;
}

function refresh(): void {
  words = wasm.HEAP32.subarray(scratchAddress, scratchEnd + 1);
  floats = wasm.HEAPF32.subarray(scratchAddress, scratchEnd);
}

/** Whether the last call was cut short: where JavaScript's stack ended inside it, or a time limit. */
export function wasCutShort(): boolean {
  return words[atWork] !== 0;
}

/** recover() where it is due: for calls that neither follow async code nor write words. */
export function recoverIfCut(): void {
  if (wasCutShort()) recover();
}

/**
 * Recovers the engine's state and its stack pointer after such a call. Bodies of the module's own tidy() may be running. Throws
 * an InterruptedError where the engine refuses all calls from now on.
 */
export function recover(): void {
  if (wasm._tn_recover() === 0) {
    lack(lastError());
    wasm = kMissing;
  }
  // Where calls are refused, this throws.
  wasm.stackRestore(wasm._tn_stack_base());
  refresh();
}

/** An id has 53 bits, and crosses as a number in calls, but as so many of the words. */
export const kIdWords = 2;

/** The id in the words at a place. */
export function readId(words: Int32Array, at: number): number {
  return words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
}

/** Writes an id into the words. */
export function writeId(words: Int32Array, at: number, id: number): void {
  words[at] = id;
  words[at + 1] = id / 2 ** 32;
}

let nameHolders: ((error: OutOfMemoryError) => void) | undefined;

/** From now on `name` says in each error of this kind what takes the memory. It is told, as importing it were a circle. */
export function onOutOfMemory(name: (error: OutOfMemoryError) => void): void {
  nameHolders = name;
}

/** What a call that gave -1 left behind; where memory ended, with what takes the most of it. */
export function lastError(): Error {
  const error = errorOf(wasm._tn_error_code(), wasm.UTF8ToString(wasm._tn_error_message()) || 'out of memory');
  if (error instanceof OutOfMemoryError) nameHolders?.(error);
  return error;
}

/** Throws it. */
export function raise(): never {
  throw lastError();
}

/** The text that a call left behind, given what it returned. */
export function told(status: number): string {
  return status === -1 ? raise() : wasm.UTF8ToString(wasm._tn_error_message());
}
