import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import plugin from '../src/index.js';

const folder = path.dirname(import.meta.dirname);
const description = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

test('the package contains exactly the needed files', () => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=silent'], { cwd: folder, encoding: 'utf8' }),
  );
  const names = files.map((file) => file.path);
  for (const name of ['LICENSE', 'README.md', 'package.json', 'src/index.js', 'src/index.d.ts'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(
    names.filter((name) => !/^(LICENSE|README\.md|package\.json|src\/.+\.(js|d\.ts))$/.test(name)),
    [],
  );
});

test('the plugin has one version number, and recommends all of its rules', () => {
  assert.equal(plugin.meta.version, description.version);
  assert.deepEqual(
    Object.keys(plugin.configs.recommended.rules),
    Object.keys(plugin.rules).map((name) => `tenure/${name}`),
  );
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  for (const name of Object.keys(plugin.rules)) assert.ok(readme.includes(`\`tenure/${name}\``), name);
});
