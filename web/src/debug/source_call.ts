// What the text of a program says about a call in it.

/** A call as it is written. */
export interface WrittenCall {
  /** What is called, such as ["tf", "browser", "fromPixels"]; only ["add"] where it is a method of no plain variable. */
  readonly chain: readonly string[];
  /** True for a method of what an expression gives: `f(x).add(1)`. */
  readonly isContinued: boolean;
  /** Of the last name, counted from 1. */
  readonly line: number;
  readonly column: number;
}

const kChain = /^[\w$]+(?:\s*!?\??\.\s*[\w$]+)*/;
const kLongest = 400;

/**
 * The call at a place: engines name the start of its expression, the name of its method or the parenthesis behind. Undefined
 * where there is none.
 */
export function callAt(code: string, line: number, column: number): WrittenCall | undefined {
  const start = startOfLine(code, line);
  if (start === undefined) return undefined;
  let from = start + column - 1;
  while (from > start && /[\w$.?!]/.test(code[from - 1]!)) from--;
  while (/[.?!\s]/.test(code[from] ?? '')) from++;
  const text = code.slice(from, from + kLongest);
  const chain = kChain.exec(text)?.[0];
  if (!chain || !/^\s*(?:<[^()]*>)?\s*\(/.test(text.slice(chain.length))) return undefined;
  const names = chain.split(/\s*!?\??\.\s*/);
  const before = code.slice(0, from).trimEnd();
  const last = from + chain.length - names.at(-1)!.length;
  const above = code.slice(0, last).split('\n');
  return { chain: names, isContinued: before.endsWith('.'), line: above.length, column: above.at(-1)!.length + 1 };
}

/** The specifier of the module that a variable is imported from, as a namespace, a default or by its name. */
export function importOf(code: string, variable: string): string | undefined {
  const name = variable.replaceAll('$', '\\$');
  const static_ = new RegExp(`\\bimport\\s+(?:[\\w$]+\\s*,\\s*)?(?:\\*\\s*as\\s+${name}|${name}|\\{[^}]*\\b${name}\\b[^}]*\\})\\s*(?:,\\s*\\{[^}]*\\}\\s*)?from\\s*(['"])(.*?)\\1`);
  const dynamic = new RegExp(`\\b(?:const|let|var)\\s+(?:${name}|\\{[^}]*\\b${name}\\b[^}]*\\})\\s*=\\s*await\\s+import\\(\\s*(['"])(.*?)\\1`);
  return static_.exec(code)?.[2] ?? dynamic.exec(code)?.[2];
}

/**
 * True if a program's text defines a function or method of this name, or gives one to a variable or field. Bundlers' getters,
 * `ones: () => ones`, call nothing.
 */
export function definesFunction(code: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  const method = new RegExp(`(?<![\\w$.])${escaped}\\s*\\((?:[^()]|\\([^()]*\\))*\\)\\s*(?::[^={;]+)?\\{`);
  const value = new RegExp(`(?<![\\w$])${escaped}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|(?:\\([^()]*\\)\\s*(?::[^=;]+)?|[\\w$]+\\s*)=>(?!\\s*[\\w$]+\\s*[,}\\n]))`);
  return method.test(code) || value.test(code);
}

function startOfLine(code: string, line: number): number | undefined {
  let at = 0;
  for (let i = 1; i < line; i++) {
    at = code.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}
