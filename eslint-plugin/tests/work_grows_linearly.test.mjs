// A rule's work grows linearly with the file: the test counts reads of `parent`, which do not depend on the machine's speed.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import plugin from '../src/index.js';
import { fixture, languageOptions, settings } from './tester.mjs';

let reads = 0;
const counting = {
  parseForESLint(code, options) {
    const parsed = tseslint.parser.parseForESLint(code, options);
    countParents(parsed.ast, parsed.visitorKeys);
    return parsed;
  },
};

function countParents(node, visitorKeys) {
  let { parent } = node;
  Object.defineProperty(node, 'parent', {
    configurable: true,
    enumerable: true,
    get() {
      reads++;
      return parent;
    },
    set(value) {
      parent = value;
    },
  });
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (child) countParents(child, visitorKeys);
  }
}

/** Returns how many reads of `parent` a rule adds to a run without rules, and how many problems it reports. */
function workOf(name, body) {
  const linter = new Linter({ cwd: fixture });
  const code = `import * as tf from 'tenure';\n${body}\n`;
  const readsWith = (rules) => {
    const parserOptions = languageOptions.parserOptions;
    const config = {
      files: ['**/*.ts'],
      plugins: { tenure: plugin },
      settings,
      rules,
      languageOptions: { parser: counting, parserOptions },
    };
    reads = 0;
    const found = linter.verify(code, [config], path.join(fixture, 'file.ts'));
    assert.ok(!found.some(({ fatal }) => fatal), found[0]?.message);
    return { reads, found: found.length };
  };
  const base = readsWith({});
  const { reads: all, found } = readsWith({ [`tenure/${name}`]: 'error' });
  return { reads: all - base.reads, found };
}

const repeated = (count, lineAt) => Array.from({ length: count }, (_, i) => lineAt(i)).join('\n');
const overwriting = {
  'an if/else on each line': (n) =>
    `let x = tf.ones([2]);\nconst c = Math.random();\n${repeated(n, (i) => `if (c > ${i}) x = x.add(${i}); else x = x.mul(${i});`)}`,
  'one chain of else if': (n) =>
    `let x = tf.ones([2]);\nexport function f(c: number) {\n${repeated(n, (i) => `${i > 0 ? 'else ' : ''}if (c === ${i}) x = tf.fill([2], ${i});`)}\n}`,
  'a field of its own on each line': (n) =>
    `class Agent {\n${repeated(n, (i) => `s${i} = tf.zeros([2]);`)}\nsee(c: number) {\n${repeated(n, (i) => `if (c > ${i}) this.s${i} = tf.ones([2]);`)}\n}\n}`,
  'a condition that names it on each line': (n) =>
    `let x = tf.ones([2]);\nexport function f() {\n${repeated(n, (i) => `if (x) x = tf.fill([2], ${i});`)}\n}`,
  'conditions that are nested deeply': (n) =>
    `let x = tf.ones([2]);\nexport function f() {\n${repeated(n, (i) => `if (x) { x = tf.fill([2], ${i});`)}${'}'.repeat(n)}\n}`,
  'statements of one block': (n) =>
    `export function f() {\nlet x = tf.keep(tf.ones([2]));\n${repeated(n, (i) => `x = tf.keep(tf.fill([2], ${i}));`)}\nx.dispose();\n}`,
  'calls that are handed what was there': (n) =>
    `let x = tf.ones([2]);\nfunction f() {\n${repeated(n, () => 'x = tf.add(x, 1);')}\n}`,
};
const undisposed = {
  'names of which one branch disposes': (n) =>
    `export function f(c: number) {\n${repeated(n, (i) => `const y${i} = tf.fill([2], ${i}); if (c > ${i}) y${i}.print(); else y${i}.dispose();`)}\n}`,
  'functions that are nested deeply': (n) =>
    `${repeated(n / 2, (i) => `run(() => { const a${i} = tf.fill([2], ${i}); const b${i} = tf.fill([2], ${i}); a${i}.print(); b${i}.print();`)}${'});'.repeat(n / 2)}\nfunction run(f: () => void) { f(); }`,
};
const unowned = {
  'chains on each line, and one long chain': (n) =>
    `export function f(a: tf.Tensor) {\n${repeated(n, () => 'a.add(1).mul(2).print();')}\na${repeated(n, (i) => `.add(${i})`)}.print();\n${'tf.relu('.repeat(n)}a${')'.repeat(n)}.print();\n}`,
};
const programs = { 'no-unowned-tensor': unowned, 'no-overwritten-tensor': overwriting, 'require-dispose': undisposed };

for (const [rule, programsOfRule] of Object.entries(programs)) {
  for (const [name, program] of Object.entries(programsOfRule)) {
    test(`${rule} on ${name}`, () => {
      const short = workOf(rule, program(50));
      const long = workOf(rule, program(200));
      const perLine = Math.floor(short.found / 50);
      assert.ok(perLine >= 1 && long.found - short.found === 150 * perLine, `${short.found} and ${long.found} reports`);
      assert.ok(long.reads <= 5 * short.reads, `${short.reads} reads for 50 lines, ${long.reads} for 200`);
    });
  }
}

test('require-dispose on more branches than calls can be nested', () => {
  const branches = repeated(3000, (i) => `if (c > ${i}) c--; else c++;`);
  assert.equal(workOf('require-dispose', `let c = Math.random();\nconst x = tf.ones([2]);\n${branches}`).found, 1);
});
