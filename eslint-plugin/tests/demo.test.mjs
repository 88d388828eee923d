// The demo: the functions that are there to leak are found out, and the rest is clean.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import plugin from '../src/index.js';
import { root } from '../../cpp/toolchain/use.mjs';

const languageOptions = {
  parser: tseslint.parser,
  parserOptions: { project: './tsconfig.json', tsconfigRootDir: root },
};
// Its types are those of the sources.
const settings = { tenure: { libraries: ['/web/src/'] } };
/** Lines of the functions that are there to leak. */
const kLeaks = ['web/demo/mistakes.ts:10', 'web/demo/mistakes.ts:12', 'web/demo/mistakes.ts:29'];

test('the demo', async () => {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions, settings },
      { files: ['**/*.ts'], ...plugin.configs.recommended },
    ],
  });
  const results = await eslint.lintFiles(['web/demo/*.ts']);
  const found = results.flatMap(({ filePath, messages }) =>
    messages
      .filter(({ ruleId }) => !ruleId || ruleId.startsWith('tenure/'))
      .map(({ line, message }) => ({
        at: `${path.relative(root, filePath).split(path.sep).join('/')}:${line}`,
        message,
      })),
  );
  assert.ok(results.length > 10);
  assert.deepEqual(
    found.map(({ at }) => at),
    kLeaks,
    found.map(({ at, message }) => `${at}: ${message}`).join('\n'),
  );
});
