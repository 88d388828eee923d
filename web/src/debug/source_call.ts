// Parsing of calls in the text of a program.

/** A call in the text of a program. */
export interface WrittenCall {
  /** The names of the callee, such as ["tf", "browser", "fromPixels"]; only ["add"] for a method of an expression. */
  readonly chain: readonly string[];
  /** True for a method of an expression: `f(x).add(1)`. */
  readonly isContinued: boolean;
  /** Line of the last name, from 1. */
  readonly line: number;
  /** Column of the last name, from 1. */
  readonly column: number;
}

const kChain = /^[\w$]+(?:\s*!?\??\.\s*[\w$]+)*/;
const kMaxLength = 400;

/**
 * Returns the call at a position, or undefined if there is none. Depending on the engine, the position is the start of the
 * expression, the name of the method, or the parenthesis after it.
 */
export function callAt(code: string, line: number, column: number): WrittenCall | undefined {
  const start = startOfLine(code, line);
  if (start === undefined) return undefined;
  let from = start + column - 1;
  while (from > start && /[\w$.?!]/.test(code[from - 1]!)) from--;
  while (/[.?!\s]/.test(code[from] ?? '')) from++;
  const text = code.slice(from, from + kMaxLength);
  const chain = kChain.exec(text)?.[0];
  if (!chain || !/^\s*(?:<[^()]*>)?\s*\(/.test(text.slice(chain.length))) return undefined;
  const names = chain.split(/\s*!?\??\.\s*/);
  const before = code.slice(0, from).trimEnd();
  const last = from + chain.length - names.at(-1)!.length;
  const above = code.slice(0, last).split('\n');
  return { chain: names, isContinued: before.endsWith('.'), line: above.length, column: above.at(-1)!.length + 1 };
}

/** Returns the specifier of the module that a variable is imported from, as a namespace, a default or by its name. */
export function importOf(code: string, variable: string): string | undefined {
  const name = variable.replaceAll('$', '\\$');
  const static_ = new RegExp(
    `\\bimport\\s+(?:[\\w$]+\\s*,\\s*)?(?:\\*\\s*as\\s+${name}|${name}|\\{[^}]*\\b${name}\\b[^}]*\\})\\s*(?:,\\s*\\{[^}]*\\}\\s*)?from\\s*(['"])(.*?)\\1`,
  );
  const dynamic = new RegExp(
    `\\b(?:const|let|var)\\s+(?:${name}|\\{[^}]*\\b${name}\\b[^}]*\\})\\s*=\\s*await\\s+import\\(\\s*(['"])(.*?)\\1`,
  );
  return static_.exec(code)?.[2] ?? dynamic.exec(code)?.[2];
}

/**
 * True if a program's text defines a function or method of this name, or assigns one to a variable or field. Getters of bundlers,
 * `ones: () => ones`, do not count, because they call nothing.
 */
export function definesFunction(code: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  const method = new RegExp(`(?<![\\w$.])${escaped}\\s*\\((?:[^()]|\\([^()]*\\))*\\)\\s*(?::[^={;]+)?\\{`);
  const value = new RegExp(
    `(?<![\\w$])${escaped}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|(?:\\([^()]*\\)\\s*(?::[^=;]+)?|[\\w$]+\\s*)=>(?!\\s*[\\w$]+\\s*[,}\\n]))`,
  );
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
