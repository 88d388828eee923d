// Every program in the README runs as it is written, and prints what its comments say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../cpp/toolchain/use.mjs';

const text = readFileSync(path.join(root, 'README.md'), 'utf8');
const programs = [...text.matchAll(/^```(js|cjs)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code }));
// Inside the repository, so that 'tenure' is this package.
const folder = path.join(root, 'build/readme');

test('the README has programs', () => assert.ok(programs.length >= 3));

for (const [i, { language, code }] of programs.entries()) {
  test(`program ${i + 1}: ${/.*\S.*/.exec(code)[0]}`, () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of ['model.json', 'weights.bin']) cpSync(path.join(root, 'examples/iris', name), path.join(folder, name));
    const file = path.join(folder, `program.${language === 'js' ? 'mjs' : language}`);
    writeFileSync(file, code);
    // A test in a test would report to the one around it.
    const env = { ...process.env, NODE_TEST_CONTEXT: '' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
    const told = [...code.matchAll(/^console\.log\(.*\); \/\/ ([^:\n]*)/gm)].map(([, value]) => value);
    if (told.length > 0) assert.deepEqual(stdout.trim().split('\n'), told);
  });
}
