/** A frame of a stack. */
export interface StackFrame {
  /** Name of the function, without its object; empty for an anonymous function and for top-level code. */
  name: string;
  /** A URL or a path. */
  file: string;
  /** Line, from 1. */
  line: number;
  /** Column, from 1; 0 if the browser does not report it. */
  column: number;
}

const kPosition = /^(.*?):(\d+)(?::(\d+))?$/;

/**
 * Returns the frames of an Error's `stack`, innermost first, in the format of V8, SpiderMonkey or JavaScriptCore. Leaves out frames
 * without a position in a file: those of native functions and of wasm.
 */
export function parseStack(stack: string): StackFrame[] {
  const lines = stack.split('\n');
  const parse = lines.some((line) => /^\s+at /.test(line)) ? parseV8Frame : parseOtherFrame;
  return lines.map(parse).filter((frame) => frame !== undefined);
}

/**
 * Returns a position as text, "src/app.ts:41:20": without the prefix and query that a bundler adds to the file's name, and without
 * `home`, the folder or origin of the program.
 */
export function formatPosition({ file, line, column }: StackFrame, home: string): string {
  const plain = file.replace(/[?#].*$/, '').replace(/^webpack(-internal)?:\/\/[^/]*\/(\.\/)?/, '');
  const path = plain.startsWith('file://') ? unescaped(plain.replace(/^file:\/\/(\/(?=[A-Za-z]:))?/, '')) : plain;
  const slashes = path.replaceAll('\\', '/');
  const start = home && `${home.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  const name = start.length > 1 && slashes.startsWith(start) ? slashes.slice(start.length) : path;
  return `${name}:${line}${column ? `:${column}` : ''}`;
}

function unescaped(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parses "    at async Tensor.method [as add] (file:///a.js:10:5)", or a line without a name and parentheses. */
function parseV8Frame(text: string): StackFrame | undefined {
  const call = /^\s+at (.*)$/.exec(text)?.[1];
  if (call === undefined) return undefined;
  // Code of eval() has the position of the eval() in a file: "eval (eval at f (a.js:1:2), <anonymous>:1:1)".
  const evalAt = call.lastIndexOf('eval at ');
  if (evalAt >= 0)
    return createFrame(call.slice(0, call.indexOf(' (')), /\(([^()]*:\d+:\d+)\)/.exec(call.slice(evalAt))?.[1]);
  const named = /^(.*?) \((.*)\)$/.exec(call);
  return named ? createFrame(named[1]!, named[2]) : createFrame('', call.replace(/^async /, ''));
}

/** Parses "add@http://host/a.js:10:5". JavaScriptCore may leave out the @ if there is no name. */
function parseOtherFrame(text: string): StackFrame | undefined {
  const at = text.indexOf('@');
  const hasName = at >= 0 && !/^\w+:\/\//.test(text);
  // SpiderMonkey writes "a.js line 3 > eval:1:1" for code of eval(), and "promise callback*" for code after an await.
  const place = text.slice(hasName ? at + 1 : 0).replace(/ line (\d+) > .*$/, ':$1');
  return createFrame(hasName ? text.slice(0, at).replace(/^.*\*/, '') : '', place);
}

function createFrame(name: string, place: string | undefined): StackFrame | undefined {
  const found = kPosition.exec(place ?? '');
  if (!found || /^(wasm:|<anonymous>|native$)/.test(found[1]!)) return undefined;
  const [, file, line, column] = found;
  return { name: plainName(name), file: file!, line: Number(line), column: Number(column ?? 0) };
}

function plainName(name: string): string {
  if (/^(global|module|eval) code$/.test(name)) return '';
  const alias = /\[as (.*)\]$/.exec(name)?.[1];
  const plain = (alias ?? name).replace(/^(async |new )+/, '').replace(/[/<]+$/, '');
  return plain.slice(plain.lastIndexOf('.') + 1).replace(/^<anonymous>$/, '');
}
