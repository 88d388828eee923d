// Runs a docstring's example, and compares it with its comments.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { instrumented } from '../../../docs/examples.mjs';

const AsyncFunction = (async () => {}).constructor;

/** Runs `code` on `tf`, in a scope unless it disposes what it makes; returns the differences from its comments. */
export async function checkExample(tf, code, { owns = false } = {}) {
  const { text, said } = instrumented(code);
  assert.ok(said.length > 0, 'it states no value');
  const printed = [];
  const { log, warn } = console;
  const seen = new Set();
  const note = (i, value) => {
    seen.add(i);
    const have = value === undefined && printed.length > 0 ? printed.splice(0).join('\n') : plain(tf, value);
    assertSays(have, said[i].value);
  };
  const check = (i, value) => (typeof value?.then === 'function' ? value.then((it) => note(i, it)) : note(i, value));
  const throws = async (i, run) => {
    seen.add(i);
    await assert.rejects(
      run,
      (error) => `${error.name}: ${error.message}`.startsWith(said[i].throws) || assert.fail(`it throws ${error}`),
    );
  };
  const run = new AsyncFunction('tf', 'check', 'throws', text);
  console.log = console.warn = (...values) => printed.push(values.join(' '));
  try {
    await (owns ? run(tf, check, throws) : tf.scopeAsync(() => run(tf, check, throws)));
  } finally {
    Object.assign(console, { log, warn });
  }
  assert.equal(seen.size, said.length, 'a line with a value was not run');
}

/** Returns a value as a comment writes it. */
export function plain(tf, value) {
  if (value instanceof tf.Tensor) return ofTensor(tf, value);
  if (ArrayBuffer.isView(value)) return Array.from(value);
  if (Array.isArray(value)) return value.map((each) => plain(tf, each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(tf, each)]));
}

/** Booleans print as such, complex numbers as pairs. */
function ofTensor(tf, tensor) {
  if (tensor.dtype === 'complex64') {
    return tf.tidy(() => tf.stack([tf.real(tensor), tf.imag(tensor)], -1).arraySync());
  }
  const booleans = (values) => (Array.isArray(values) ? values.map(booleans) : Boolean(values));
  return tensor.dtype === 'bool' ? booleans(tensor.arraySync()) : tensor.arraySync();
}

function assertSays(have, text) {
  const source = ts.createSourceFile('value.js', `(${text})`, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const { expression } = source.statements[0].expression;
  if (!matches(have, expression)) assert.fail(`it gives ${JSON.stringify(have)}, not ${text}`);
}

/** True if a value equals the stated one; numbers may differ after the digits that are written. */
function matches(have, node) {
  if (ts.isArrayLiteralExpression(node)) {
    return (
      Array.isArray(have) &&
      have.length === node.elements.length &&
      have.every((each, i) => matches(each, node.elements[i]))
    );
  }
  if (ts.isObjectLiteralExpression(node)) {
    const names = node.properties.map(({ name }) => name.text);
    return (
      typeof have === 'object' &&
      have !== null &&
      Object.keys(have).sort().join() === names.sort().join() &&
      node.properties.every(({ name, initializer }) => matches(have[name.text], initializer))
    );
  }
  if (ts.isStringLiteral(node)) return have === node.text;
  const text = node.getText();
  if (/\d/.test(text)) {
    const [, decimals = '', exponent = '0'] = /^-?\d*\.?(\d*)(?:e(-?\d+))?$/.exec(text);
    const step = decimals
      ? 0.501 * 10 ** (Number(exponent) - decimals.length)
      : 1e-5 * Math.max(1, Math.abs(Number(text)));
    return typeof have === 'number' && Math.abs(have - Number(text)) <= step;
  }
  const names = { true: true, false: false, null: null, undefined, NaN, Infinity, '-Infinity': -Infinity };
  assert.ok(text in names, `${text} is no value`);
  return Object.is(have, names[text]);
}
