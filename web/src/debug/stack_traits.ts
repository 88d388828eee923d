import { captureStack } from './library_frames.js';
import { parseStack, type StackFrame } from './stack.js';

/** The text of a call site whose line is unknown. */
export const kLineUnknown = 'line unknown: Safari drops frames of tail calls';

const kDepth = 5;
const kLimit = 32;

/** Calls itself in tail position `depth` times and returns the stack. A minifier may rename it but cannot unroll it. */
function recurseToStack(depth: number): ReturnType<typeof captureStack> {
  return depth === 0 ? captureStack(kLimit) : recurseToStack(depth - 1);
}

/** Returns the frame of the recursion, which occurs kDepth times; undefined if the engine has dropped it. */
function repeatedFrame(frames: readonly StackFrame[]): StackFrame | undefined {
  const isSame = (a: StackFrame, b: StackFrame) => a.line === b.line && a.column === b.column && a.file === b.file;
  return frames.find((frame) => frames.filter((other) => isSame(frame, other)).length >= kDepth);
}

const stack = __DEBUG__ ? recurseToStack(kDepth) : [];
// Structured stacks are V8's, which makes no proper tail calls and has the names that a bundler has kept.
const isText = typeof stack === 'string';
const repeated = isText ? repeatedFrame(parseStack(stack)) : undefined;

/** True in JavaScriptCore, which has proper tail calls: it drops the frame of a strict function that makes one. */
export const dropsTailCalls = isText && !repeated;

/** True if stacks have the names of the package's functions: not in JavaScriptCore, nor in SpiderMonkey with minified code. */
export const hasNames = !isText || repeated?.name === 'recurseToStack';
