// RuleTester with type information: every case is a file of the project in fixture/.
import { RuleTester } from 'eslint';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import tseslint from 'typescript-eslint';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.afterAll = after;

export const fixture = path.join(import.meta.dirname, 'fixture');
export const settings = { tenure: { libraries: ['/dist/types/', '/tests/conformance/node_modules/@tensorflow/'] } };
export const languageOptions = {
  parser: tseslint.parser,
  // A single run, which the parser infers from CI=true, reads files from disk; the cases are strings.
  parserOptions: { project: './tsconfig.json', tsconfigRootDir: fixture, disallowAutomaticSingleRunInference: true },
};

const file = (code) => (typeof code === 'string' ? { code } : code);
const named = ({ tfjs, code, ...rest }) => ({
  filename: path.join(fixture, 'file.ts'),
  ...rest,
  code: `import * as tf from '${tfjs ? '@tensorflow/tfjs' : 'tenure'}';\n${code}`,
});

/** Runs cases given as code; `tfjs: true` makes one a program for TensorFlow.js. Each begins with the import of `tf`. */
export function test(name, rule, { valid, invalid }) {
  const withImport = (test) => {
    const made = named(file(test));
    for (const error of made.errors ?? []) {
      for (const suggestion of Array.isArray(error.suggestions) ? error.suggestions : [])
        suggestion.output = `${made.code.split('\n')[0]}\n${suggestion.output}`;
    }
    return made;
  };
  const tester = new RuleTester({ languageOptions, settings });
  tester.run(name, rule, { valid: valid.map(withImport), invalid: invalid.map(withImport) });
}
