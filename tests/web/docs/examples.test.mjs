// Every export of the package has a docstring with an example, whose results match its comments and which leaks nothing.
import { existsSync } from 'node:fs';
import test from 'node:test';
import ts from 'typescript';
import { asProgram, documentedExports } from '../../../docs/examples.mjs';
import { held } from '../common.mjs';
import { assert, tf } from '../expect.mjs';
import { checkExample } from './check_example.mjs';
import { kWithout } from './without_example.mjs';

const debugBuild = new URL('../../../dist/debug/index.js', import.meta.url);
const debug = tf.debug.enabled ? tf : existsSync(debugBuild) ? await import(debugBuild) : undefined;
const documented = documentedExports();
const names = namesOf(tf);
const exported = documented.filter(({ isMethod }) => !isMethod);
const namespaces = new Set(
  exported.filter(({ name }) => name.split('.').length === 3).map(({ name }) => name.slice(0, name.lastIndexOf('.'))),
);
const values = exported.filter(({ name }) => names.has(name) && !namespaces.has(name));

test('the examples run on the exports of the sources', () => {
  const known = new Set(documented.map(({ name }) => name));
  assert.deepEqual(
    [...names].filter((name) => !known.has(name)),
    [],
  );
});

test('every export has a docstring', () => {
  assert.deepEqual(
    exported
      .filter(({ name }) => !namespaces.has(name))
      .filter(({ text }) => text.trim() === '')
      .map(({ name }) => name),
    [],
  );
});

test('every export has an example or a reason for having none', () => {
  const missing = values
    .filter(({ name, examples }) => examples.length === 0 && !(name in kWithout))
    .map(({ name }) => name);
  assert.deepEqual(missing, []);
  const spared = values.filter(({ name, examples }) => examples.length > 0 && name in kWithout).map(({ name }) => name);
  assert.deepEqual(spared, [], 'these have one: take them off the list');
});

test('an example fails for another value, another error, and without comments', async () => {
  await assert.rejects(checkExample(tf, 'tf.add(1, 2); // 4'), /it gives 3, not 4/);
  await assert.rejects(checkExample(tf, 'tf.add([1], [2.004]); // [3.01]'), /it gives \[3.00/);
  await assert.rejects(
    checkExample(tf, 'tf.add([1, 2], [1, 2, 3]); // throws ShapeError: [sub]'),
    /it throws ShapeError: \[add\]/,
  );
  await assert.rejects(checkExample(tf, 'tf.add(1, 2); // throws ShapeError: [add]'), /Missing expected rejection/);
  await assert.rejects(checkExample(tf, 'tf.add(1, 2); // a sum'), /it states no value/);
  await assert.rejects(checkExample(tf, 'if (tf.add(1, 2) === 3) {\n  tf.add(1, 2); // 3\n}'), /was not run/);
});

test('each example is also a complete program', () => {
  const broken = documented
    .flatMap(({ name, examples, owns }) => examples.map((code) => ({ name, text: asProgram(code, owns) })))
    .filter(({ text }) => {
      const { diagnostics } = ts.transpileModule(text, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      return diagnostics.length > 0;
    });
  assert.deepEqual(broken, []);
});

const files = grouped([...values, ...documented.filter(({ isMethod }) => isMethod)]);
for (const [file, members] of files) {
  const engine = members.some(({ inDebug }) => inDebug) ? debug : tf;
  const examples = members.flatMap(({ name, examples: codes, owns }) => codes.map((code) => ({ name, code, owns })));
  if (examples.length === 0) continue;
  test(`${file}: ${examples.length} examples`, { skip: !engine }, async () => {
    const problems = [];
    const seen = new Set();
    for (const { name, code, owns } of examples) {
      if (seen.has(code)) continue;
      seen.add(code);
      const before = held(engine);
      try {
        await checkExample(engine, code, { owns });
        assert.deepEqual(held(engine), before);
      } catch (error) {
        problems.push(`${name}: ${error.message}\n${code}`);
      }
    }
    assert.equal(problems.join('\n\n'), '');
  });
}

/** Returns the names available to a program: the exports, and the members of exported namespaces. */
function namesOf(module) {
  const isNamespace = (value) => isPlain(value) && Object.values(value).some((member) => typeof member === 'function');
  const found = Object.entries(module).flatMap(([name, value]) => {
    const members =
      isNamespace(value) && !/^[A-Z]/.test(name)
        ? Object.entries(value).filter(([, member]) => !isNamespace(member))
        : [];
    return [`tf.${name}`, ...members.map(([member]) => `tf.${name}.${member}`)];
  });
  return new Set(found);
}

function isPlain(value) {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function grouped(list) {
  const groups = new Map();
  for (const each of list) groups.set(each.file, [...(groups.get(each.file) ?? []), each]);
  return groups;
}
