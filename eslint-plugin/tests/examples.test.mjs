// The project's own examples: the one that leaks is reported, and the others are clean.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { ESLint } from 'eslint';
import plugin from '../src/index.js';
import { root } from '../../cpp/toolchain/use.mjs';
import { languageOptions, settings } from './tester.mjs';

/** Lines that leak on purpose; a growing list cannot be detected. */
const kLeaks = { 'leak_hunt/watcher.mjs': [15, 20, 25] };

const place = path.join(root, 'build/eslint_examples');
rmSync(place, { recursive: true, force: true });
cpSync(path.join(root, 'examples'), place, { recursive: true });
const files = readdirSync(place, { recursive: true }).filter((file) => file.endsWith('.mjs'));
for (const file of files) {
  const at = path.join(place, file);
  // The package's types are the examples' types.
  writeFileSync(at, readFileSync(at, 'utf8').replace(/'(\.\.\/)+dist\/(debug\/)?index\.js'/g, "'tenure'"));
}
const compilerOptions = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  allowJs: true,
  noEmit: true,
  skipLibCheck: true,
};
const paths = { tenure: [path.join(root, 'dist/types/index.d.ts')] };
writeFileSync(
  path.join(place, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: { ...compilerOptions, strict: true, types: ['node'], paths },
    include: ['**/*.mjs'],
  }),
);
after(() => rmSync(place, { recursive: true }));

const eslint = new ESLint({
  cwd: place,
  overrideConfigFile: true,
  overrideConfig: [
    {
      languageOptions: {
        ...languageOptions,
        parserOptions: { ...languageOptions.parserOptions, tsconfigRootDir: place },
      },
      settings,
    },
    { ...plugin.configs.recommended, files: ['**/*.mjs'] },
  ],
});

test('examples', async () => {
  const results = await eslint.lintFiles(['**/*.mjs']);
  const found = {};
  const told = [];
  for (const { filePath, messages } of results) {
    const name = path.relative(place, filePath).split(path.sep).join('/');
    if (messages.length > 0) found[name] = [...new Set(messages.map(({ line }) => line))];
    told.push(...messages.map(({ line, message }) => `${name}:${line}: ${message}`));
  }
  assert.equal(results.length, files.length);
  assert.deepEqual(found, kLeaks, told.join('\n'));
});
