// Every program in the README and in the guides runs unchanged, and prints what its comments say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { findFiles, root } from '../../cpp/toolchain/use.mjs';
import { writeCoverage } from '../../docs/coverage.mjs';
import { programsIn } from '../../docs/site/programs.mjs';

// Inside the repository, so that 'tenure' resolves to this package.
const folder = path.join(root, 'build/readme');

test('the table of docs/coverage.md is what docs/coverage.mjs writes', () =>
  assert.equal(writeCoverage({ check: true }), false));

for (const file of ['README.md', ...findFiles('docs/site/pages/guide', /\.md$/)]) {
  const programs = programsIn(readFileSync(path.join(root, file), 'utf8'));
  if (file === 'README.md') test('the README has programs', () => assert.ok(programs.length >= 2));

  for (const [i, { language, code, prints }] of programs.entries()) {
    test(`${file}, program ${i + 1}: ${/.*\S.*/.exec(code)[0]}`, () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const place of ['', 'iris']) {
        for (const name of ['model.json', 'weights.bin'])
          cpSync(path.join(root, 'examples/iris', name), path.join(folder, place, name));
      }
      const program = path.join(folder, `program.${language === 'cjs' ? 'cjs' : 'mjs'}`);
      writeFileSync(program, code);
      // A nested test run would report to the outer one.
      const env = { ...process.env, NODE_TEST_CONTEXT: '' };
      const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, env, encoding: 'utf8' });
      assert.equal(status, 0, `${stdout}${stderr}`);
      if (prints.length > 0) assert.deepEqual(stdout.trim().split('\n').slice(0, prints.length), prints);
    });
  }
}
