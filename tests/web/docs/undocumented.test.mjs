// Every public field has a docstring, and every parameter of a function of three or more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import assert from 'node:assert/strict';
import { root } from '../../../cpp/toolchain/use.mjs';
import { findUndocumented } from './undocumented.mjs';

for (const entry of [
  'index.ts',
  'tfjs/index.ts',
  'ort/index.ts',
  'litert/index.ts',
  'memory_element/index.ts',
  'node/index.ts',
]) {
  test(`web/src/${entry}: every public field and parameter has a sentence`, () => {
    assert.deepEqual(findUndocumented(path.join(root, 'web/src', entry)), []);
  });
}

/** Returns the names that findUndocumented() reports of a module with this code. */
function findIn(t, code) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-docs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const entry = path.join(folder, 'module.ts');
  writeFileSync(entry, code);
  return findUndocumented(entry).map((name) => name.slice(name.indexOf(': ') + 2));
}

test('fields of interfaces, classes and type literals are found, also of those that are only referred to', (t) => {
  const code = `
    interface Options {
      size?: number;
      /** Rate. */
      rate: number;
      inner: { depth: number }[];
    }
    export class Box {
      width = 1;
      private height = 2;
      #depth = 3;
      /** @internal */
      id = 4;
      constructor(readonly label: string, protected owner: string) {}
      get area() { return 1; }
    }
    export type Point = { x: number } | null;
    export const open = (options: Options): { close: boolean } => ({ close: !options });
    interface Unused { field: number }
  `;
  assert.deepEqual(findIn(t, code), [
    'Box.area',
    'Box.label',
    'Box.width',
    'Options.inner',
    'Options.inner.depth',
    'Options.size',
    'Point.x',
    'open.close',
  ]);
});

test('a member that a base or another part of an intersection declares counts there', (t) => {
  const code = `
    interface Base {
      /** Size. */
      size: number;
      kind: string;
    }
    export interface Derived extends Base { size: 1; kind: 'a' }
    export class Failure extends Error { override name = 'Failure'; }
    export type Narrow = Base & { kind: 'b'; other: number };
  `;
  assert.deepEqual(findIn(t, code), ['Base.kind', 'Narrow.other']);
});

test('parameters of functions of three or more are found', (t) => {
  const code = `
    export function two(a: number, b: number) { return a + b; }
    /**
     * Adds.
     * @param a First.
     * @param c
     */
    export function three(a: number, b: number, c: number) { return a + b + c; }
    /** @param options Options. */
    export const destructured = ([x]: number[], b: number, c: number) => x! + b + c;
    type Reduce =
      /** @param x Tensor. */
      (x: number, axis: number, keepDims: boolean) => number;
    const reduce = (): Reduce => (x) => x;
    export const sum: Reduce = reduce();
    export const train = { adam: (rate: number, beta: number, epsilon: number) => rate * beta * epsilon };
    export class Layer { constructor(a: number, b: number, c: number) {} call(x: number, mask: number, training: boolean) {} }
  `;
  assert.deepEqual(findIn(t, code), [
    'Layer.call(mask)',
    'Layer.call(training)',
    'Layer.call(x)',
    'destructured(b)',
    'destructured(c)',
    'new Layer(a)',
    'new Layer(b)',
    'new Layer(c)',
    'sum(axis)',
    'sum(keepDims)',
    'three(b)',
    'three(c)',
    'train.adam(beta)',
    'train.adam(epsilon)',
    'train.adam(rate)',
  ]);
});
