import { callsHere } from './own_code.js';
import { parseStack, type Frame } from './stack.js';

/** What a site says in place of its line where stacks do not tell it. */
export const kLineUnknown = 'line unknown: Safari drops frames of tail calls';

const kDepth = 5;
const kLimit = 32;

/** Calls itself in tail position; gives the stack below. A minifier may rename it, and cannot unroll it. */
function recurseToStack(depth: number): ReturnType<typeof callsHere> {
  return depth === 0 ? callsHere(kLimit) : recurseToStack(depth - 1);
}

/** The frame of the recursion that occurs kDepth times; undefined where the engine has dropped it. */
function repeatedFrame(frames: readonly Frame[]): Frame | undefined {
  const isSame = (a: Frame, b: Frame) => a.line === b.line && a.column === b.column && a.file === b.file;
  return frames.find((frame) => frames.filter((other) => isSame(frame, other)).length >= kDepth);
}

const stack = __DEBUG__ ? recurseToStack(kDepth) : [];
// V8 makes no proper tail calls, and knows names that a bundler has kept.
const isText = typeof stack === 'string';
const repeated = isText ? repeatedFrame(parseStack(stack)) : undefined;

/** True in JavaScriptCore, which drops the frame of a strict function whose last act is a call. */
export const dropsTailCalls = isText && !repeated;

/** True if the names on stacks are the package's own: not in JavaScriptCore, nor in SpiderMonkey where code is minified. */
export const hasNames = !isText || repeated?.name === 'recurseToStack';
