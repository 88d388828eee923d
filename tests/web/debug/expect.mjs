// Helpers of the debug build's tests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tf from '../../../dist/debug/index.js';

export { counts, held, pause } from '../common.mjs';
export { assert, tf };

/** Returns `place(text)`: the "file:line:column" of this text in a test file, as sites are written. */
export function placesIn(url) {
  const file = fileURLToPath(url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return (text) => {
    const found = lines.flatMap((line, i) =>
      line.includes(text) && !line.includes('place(') ? [[i + 1, line.indexOf(text) + 1]] : [],
    );
    assert.equal(found.length, 1, `'${text}' stands ${found.length} times in ${file}`);
    return `${path.relative(process.cwd(), file)}:${found[0].join(':')}`;
  };
}

/** Returns what `body` writes to console.warn. */
export function warningsOf(context, body) {
  const warn = context.mock.method(console, 'warn', () => {});
  const lines = () => warn.mock.calls.map((call) => call.arguments[0]);
  const result = body();
  if (result instanceof Promise) return result.then(() => (warn.mock.restore(), lines()));
  warn.mock.restore();
  return lines();
}
