import createTenure, { type MainModule } from '../generated/tenure.js';
import { OutOfMemoryError, errorOf } from './errors.js';

/** The wasm instance. Importing the package waits for it, so that a program may call ops from its first line. */
export const wasm: MainModule = await createTenure();

const scratchAddress = wasm._tn_scratch() >>> 2;
const scratchEnd = scratchAddress + wasm._tn_scratch_words();
/** Behind the words stands one that is not 0 while a call is at work. */
const kAtWork = scratchEnd - scratchAddress;
const stackTop = wasm.stackSave() as number;
let words = wasm.HEAP32.subarray(scratchAddress, scratchEnd + 1);
let floats = wasm.HEAPF32.subarray(scratchAddress, scratchEnd);

/**
 * The words at a fixed address through which ids, shapes and attributes cross. Growing memory detaches views, so ask
 * again after every call.
 */
export function scratch(): Int32Array {
  if (words.length === 0) refresh();
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
  return words[kAtWork] !== 0;
}

/** Puts right what such a call left behind. The engine never calls back, so that its own stack is empty then. */
export function recover(): void {
  wasm.stackRestore(stackTop);
  wasm._tn_recover();
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
