// Programs in docstrings, guides and the README pass no options that the package does not have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { findFiles, root } from '../../../cpp/toolchain/use.mjs';
import { asProgram, documentedExports } from '../../../docs/examples.mjs';
import { programsIn } from '../../../docs/site/programs.mjs';

/** Errors of TypeScript for properties that a type does not have. */
const kUnknownProperty = [2353, 2561];

/** Returns "name: message" for each option in `programs`, code by name, that does not exist. */
function unknownOptions(programs) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const files = new Map(
    [...programs].map(([name, code], i) => [path.join(root, `build/options/${i}.ts`), { name, code }]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists.call(host, file);
  host.getSourceFile = (file, version) =>
    files.has(file)
      ? ts.createSourceFile(file, files.get(file).code, version)
      : getSourceFile.call(host, file, version);
  const program = ts.createProgram(
    [...files.keys(), path.join(root, 'web/src/globals.d.ts')],
    { ...options, noEmit: true, types: ['node'] },
    host,
  );
  return [...files].flatMap(([file, { name }]) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .flatMap(({ code, messageText }) => allMessages(code, messageText))
      .filter(({ code }) => kUnknownProperty.includes(code))
      .map(({ text }) => `${name}: ${text}`),
  );
}

/** Returns the messages of an error, whose causes are nested for overloads. */
function allMessages(code, text) {
  if (typeof text === 'string') return [{ code, text }];
  return [
    { code: text.code, text: text.messageText },
    ...(text.next ?? []).flatMap((one) => allMessages(one.code, one)),
  ];
}

test('an unknown option is found', () => {
  const code = "import * as tf from 'tenure';\ntf.data.workers('a.js', { size: 1 });\ntf.tensor1d([1]).print();";
  assert.deepEqual(unknownOptions(new Map([['wrong', code]])), [
    "wrong: Object literal may only specify known properties, and 'size' does not exist in type 'WorkersOptions'.",
  ]);
});

test('programs have no unknown options', () => {
  const examples = documentedExports().flatMap(({ name, examples: codes, owns }) =>
    codes.map((code, i) => [`${name} ${i}`, asProgram(code, owns)]),
  );
  const guides = ['README.md', ...findFiles('docs/site/pages/guide', /\.md$/)].flatMap((file) =>
    programsIn(readFileSync(path.join(root, file), 'utf8')).map(({ code }, i) => [`${file} ${i}`, code]),
  );
  assert.ok(examples.length > 500 && guides.length > 20, `${examples.length} and ${guides.length}`);
  assert.deepEqual(unknownOptions(new Map([...examples, ...guides])), []);
});
