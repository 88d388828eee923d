// Checks that objects compiled by clang itself (cpp/toolchain/wasm.cmake) get the options that em++ would pass.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { root, useToolchain } from '../cpp/toolchain/use.mjs';

useToolchain('wasm');
const { EMCC, WASM_CXX, WASM_FLAGS } = process.env;
const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-toolchain-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Returns the options of a compile command: without the compiler, the files, and the precompiled header. */
function optionsOf(command) {
  const words = command
    .replace(/ -Winvalid-pch/g, '')
    .replace(/ -fpch-instantiate-templates/g, '')
    .replace(/(?: -Xclang \S+)* -Xclang \S*cmake_pch\S*(?: -x c\+\+-header)?/g, '')
    .split(/ +/);
  return words.slice(0, words.indexOf('-o'));
}

test('each set of compiler options is what em++ makes of the options that CMake gives', () => {
  const commands = JSON.parse(readFileSync(path.join(root, 'build/wasm-release/compile_commands.json'), 'utf8'));
  const ours = new Set(commands.map(({ command }) => optionsOf(command).join(' ')));
  assert.ok(ours.size >= 5, `${ours.size} sets of options`);
  const source = path.join(folder, 'x.cpp');
  writeFileSync(source, 'int x;\n');
  const start = `${WASM_CXX} ${WASM_FLAGS} `;
  for (const options of ours) {
    assert.ok(options.startsWith(start), options);
    const given = options.slice(start.length).split(' ');
    const { stderr } = spawnSync(
      EMCC.replace(/emcc$/, 'em++'),
      [...given, '-v', '-c', source, '-o', path.join(folder, 'x.o')],
      { encoding: 'utf8' },
    );
    const called = stderr.split('\n').find((line) => /clang\+\+/.test(line));
    const words = called.trim().replaceAll('"', '').split(/ +/);
    assert.equal(words.slice(0, words.indexOf('-v')).join(' '), options);
  }
});
