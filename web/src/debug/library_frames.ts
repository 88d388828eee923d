import { parseStack } from './stack.js';

/** The methods of V8's CallSite that are used here. */
export interface Call {
  getScriptNameOrSourceURL(): string | null | undefined;
  getFunctionName(): string | null;
  getMethodName(): string | null;
  getPosition(): number;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  isEval(): boolean;
  isAsync(): boolean;
  getEvalOrigin(): string | undefined;
  toString(): string;
}

const structured = (_: Error, calls: unknown) => calls;

/** A function of the package, on whose outside a stack begins. */
export type EntryPoint = (...args: never[]) => unknown;

const canBegin = typeof Error.captureStackTrace === 'function';

let programsPrepare: typeof Error.prepareStackTrace;
let programsLimit: number;

/**
 * Makes the next Error capture the innermost `limit` frames. endCapture() must follow: `startCapture(5); const calls =
 * endCapture(new Error());`. Most of the time of a capture goes to the frames that V8 has to walk, so write both in the function
 * that needs the frames.
 */
export function startCapture(limit: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method
  programsPrepare = Error.prepareStackTrace;
  programsLimit = Error.stackTraceLimit;
  setPrepareStackTrace(structured);
  setStackTraceLimit(limit);
}

/**
 * Returns the frames that were captured since startCapture(): V8's CallSites, or the text of another engine. Do not store
 * CallSites: they keep the receivers of calls alive.
 */
export function endCapture(captured: { stack?: unknown }): Call[] | string {
  const { stack } = captured;
  setStackTraceLimit(programsLimit);
  setPrepareStackTrace(programsPrepare);
  // Errors have no stack if a program has set a limit that is not a number, and frozen it.
  return (stack ?? []) as Call[] | string;
}

/**
 * Returns the frames below `below`, `limit` at most, as endCapture() does. Without it, and in engines without
 * Error.captureStackTrace(), all frames count.
 */
export function captureStack(limit: number, below?: EntryPoint): Call[] | string {
  startCapture(limit);
  if (!below || !canBegin) return endCapture(new Error());
  const holder = {};
  Error.captureStackTrace(holder, below);
  return endCapture(holder);
}

/** Returns the line of one frame of captureStack() as text, in the format that the program's tools have set. */
export function captureFrameText(limit: number, below: EntryPoint, index: number): string {
  const { stackTraceLimit } = Error;
  try {
    setStackTraceLimit(limit);
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, below);
    const text = String(holder.stack);
    return text.split('\n').filter((line) => /^\s+at /.test(line))[index] ?? '';
  } catch {
    return '';
  } finally {
    setStackTraceLimit(stackTraceLimit);
  }
}

// Assignments are several times faster than Reflect.set(). They throw if a program has frozen Error.

function setPrepareStackTrace(value: typeof Error.prepareStackTrace): void {
  try {
    Error.prepareStackTrace = value;
  } catch {
    // Stacks are text.
  }
}

function setStackTraceLimit(value: number): void {
  try {
    Error.stackTraceLimit = value;
  } catch {
    // The program's limit remains.
  }
}

/** Maximum depth of the stack on which a module is loaded. */
const kMaxDepth = 200;

interface Position {
  file: string;
  line: number;
  column: number;
}

// The package's own code lies between its first module and its last, also if a bundler has merged it into one file with the
// program's. In V8 a position is an offset in the file, which `line` holds.
const atStart = __DEBUG__ ? capturePositions() : [];
let first = firstAndLast(atStart)[0];
let last: Position | undefined;

/** Records the end of the package's code. Called at the end of its last module. */
export function markLibraryEnd(): void {
  const atEnd = capturePositions();
  // The frames in common run the whole file: a bundler has wrapped it in a function.
  while (atStart.length > 0 && atEnd.length > 0 && isSame(atStart.at(-1)!, atEnd.at(-1)!)) {
    atStart.pop();
    atEnd.pop();
  }
  first = firstAndLast(atStart)[0] ?? first;
  last = firstAndLast(atEnd)[1];
}

/** True if a position is in the package's own code, or in that of an adapter (isAdapterCode()). */
export function isLibraryCode(file: string, line: number, column: number): boolean {
  if (!first) return false;
  if (file !== first.file) return isAdapterCode(file);
  const place = { file, line, column };
  return !isBefore(place, first) && !(last && isBefore(last, place));
}

/** True if this is a file of tenure/ort, tenure/litert or tenure/tfjs, or of onnxruntime-common, which calls tenure/ort. */
export function isAdapterCode(file: string): boolean {
  if (!first) return false;
  const own = toPath(first.file);
  const folder = own.slice(0, own.lastIndexOf('/') + 1);
  const path = toPath(file);
  // Not beside a bundle of a program, which may have such folders of its own.
  const isPackage = folder.endsWith('/debug/');
  const isBeside = isPackage && path.startsWith(folder) && /^(?:ort|litert|tfjs)\//.test(path.slice(folder.length));
  return isBeside || file.includes('/onnxruntime-common/dist/');
}

/** Returns the path of a file:// URL, as a CommonJS module has it, and other addresses as they are. */
function toPath(file: string): string {
  return file.startsWith('file://') ? decodeURI(file.slice('file://'.length)) : file;
}

/** True if this is the file that the package is in, or has been bundled into. */
export function containsLibraryCode(file: string): boolean {
  return first !== undefined && file === first.file;
}

/** Returns the text of a file without the package's part. Not for V8, whose positions are offsets. */
export function withoutLibraryCode(file: string, code: string): string {
  if (!first || !last || !containsLibraryCode(file)) return code;
  const lines = code.split('\n');
  const before = [...lines.slice(0, first.line - 1), lines[first.line - 1]?.slice(0, first.column)];
  const after = [lines[last.line - 1]?.slice(last.column), ...lines.slice(last.line)];
  return [...before, ...after].join('\n');
}

function firstAndLast(places: readonly Position[]): [Position?, Position?] {
  const sorted = [...places].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return [sorted[0], sorted.at(-1)];
}

function isSame(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** Returns the positions of the current calls in this file, the innermost first. */
function capturePositions(): Position[] {
  const calls = captureStack(kMaxDepth);
  const places =
    typeof calls === 'string'
      ? parseStack(calls)
      : calls.map((call) => ({ file: call.getScriptNameOrSourceURL() ?? '', line: call.getPosition(), column: 0 }));
  const file = places[0]?.file;
  return places.filter((place) => place.file === file);
}
