// Reads the callee from a program's source where stacks do not contain it, as in Safari.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';

const { outputFiles } = await build({ entryPoints: ['web/src/debug/source_call.ts'], format: 'esm', write: false });
const { callAt, definesFunction, importOf } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);

/** Returns the call at the mark ^ of a text, as "chain line:column". */
function called(text) {
  const at = text.indexOf('^');
  const before = text.slice(0, at).split('\n');
  const call = callAt(text.replace('^', ''), before.length, before.at(-1).length + 1);
  return call && `${call.isContinued ? '...' : ''}${call.chain.join('.')} ${call.line}:${call.column}`;
}

test('a call is found by its start, by its method and by its parenthesis', () => {
  for (const text of ['const x = ^tf.zeros([2]);', 'const x = tf.^zeros([2]);', 'const x = tf.zeros^([2]);']) {
    assert.equal(called(text), 'tf.zeros 1:14', text);
  }
  assert.equal(called('f(tf.browser.fromPixels^(image))'), 'tf.browser.fromPixels 1:14');
  assert.equal(called('f(x?.add^(1))'), 'x.add 1:6');
  assert.equal(called('f(x!.add^<T>(1))'), 'x.add 1:6');
  assert.equal(called('new tf.Model^(1)'), 'tf.Model 1:8');
});

test('methods of an expression have no variable', () => {
  assert.equal(called('tf.zeros([3]).relu^()'), '...relu 1:15');
  assert.equal(called('tf\n  .zeros^([3])\n  .relu()'), '...zeros 2:4');
  assert.equal(called('^tf\n  .zeros([3])'), 'tf.zeros 2:4');
});

test('text without a call yields none', () => {
  for (const text of ['const ^x = 1;', '(0, f^)', 'tf.grad(f)^(x)', 'x^ + y(1)'])
    assert.equal(called(text), undefined, text);
  assert.equal(callAt('one line', 7, 1), undefined);
});

test('imports of a variable', () => {
  assert.equal(importOf("import * as tf from 'tenure';", 'tf'), 'tenure');
  assert.equal(importOf("import tf, { x } from 'tenure';", 'tf'), 'tenure');
  assert.equal(importOf('import { a, ones as one } from "tenure/debug";', 'one'), 'tenure/debug');
  assert.equal(importOf("const { ones } = await import('tenure');", 'ones'), 'tenure');
  assert.equal(importOf("import { twos } from './mine.js'; const ones = 1;", 'ones'), undefined);
});

test('definitions of a function', () => {
  for (const text of [
    'function step() { return 1; }',
    'class A { async step(a, b = f()) { } }',
    'class A { step(a: number): Tensor { } }',
    'const step = () => tf.zeros([1]);',
    'const o = { step: function () {} };',
    'o.step = async (x) => x.mul(2);',
  ])
    assert.equal(definesFunction(text, 'step'), true, text);
  for (const text of [
    'x.step(1);',
    'if (x.step(1)) { }',
    'step(2);',
    'export { step: () => step, other };',
    'a.stepUp = () => f();',
  ]) {
    assert.equal(definesFunction(text, 'step'), false, text);
  }
});
