// The pack can be made, is small enough, and its script runs on any available EGL: `node --test tests/bench/gpu`.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { root, useToolchain } from '../../../cpp/toolchain/use.mjs';
import { findings } from './report.mjs';

/** Any existing build will do: the test is only a rehearsal. */
const preset = ['native-check', 'native-release', 'native-debug'].find((name) =>
  existsSync(path.join(root, 'build', name, 'build.ninja')),
);
const skip = !preset && !process.env.CI ? 'there is no native build' : false;
const out = mkdtempSync(path.join(os.tmpdir(), 'tenure-gpu-'));
after(() => rmSync(out, { recursive: true, force: true }));

function call(command, args, env = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  assert.equal(result.status, 0, `${command} ${args.join(' ')}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

test('the pack runs by its script, and uses only the drivers of this machine', { skip }, () => {
  const archive = path.join(out, 'tenure-gpu.tar.gz');
  const made = call('node', [
    'tests/bench/gpu/pack.mjs',
    '--preset',
    preset ?? 'native-check',
    '--out',
    out,
    '--level',
    '6',
  ]);
  assert.match(made, /tenure-gpu\.tar\.gz: \d+\.\d MB/);
  const elsewhere = path.join(out, 'elsewhere');
  call('mkdir', [elsewhere]);
  call('tar', ['-xzf', archive, '-C', elsewhere]);
  const results = path.join(out, 'results');
  useToolchain('webgpu');
  call('sh', [path.join(elsewhere, 'tenure-gpu/run.sh'), '--quick', '--out', results], {
    PATH: '/usr/bin:/bin',
    NODE_OPTIONS: '',
    // The software renderer stands for the machine's driver.
    VK_ICD_FILENAMES: process.env.VK_ICD_FILENAMES,
  });

  const result = JSON.parse(readFileSync(path.join(results, 'results.json'), 'utf8'));
  assert.ok(result.card.length > 0);
  assert.deepEqual(result.incomplete, []);
  assert.equal(result.tests.failed, 0);
  assert.ok(result.tests.passed > 0);
  const kinds = new Set(result.rows.map(({ kind }) => kind));
  for (const kind of [
    'device',
    'limits',
    'probe',
    'tuning',
    'bound',
    'op',
    'model',
    'size',
    'product',
    'choice',
    'split',
    'leaving',
  ]) {
    assert.ok(kinds.has(kind), `there are no rows of ${kind}`);
  }
  assert.ok(result.webgpu.card.length > 0);
  assert.equal(result.webgpu.tests.failed, 0);
  assert.ok(result.webgpu.tests.passed > 0);
  const webgpuKinds = new Set(result.webgpu.rows.map(({ kind }) => kind));
  assert.deepEqual([...webgpuKinds].sort(), ['bound', 'device', 'limits', 'model', 'op']);
  const inNode = result.webgpu.node.map(({ kind }) => kind);
  assert.deepEqual([...new Set(inNode)], ['device', 'op', 'model']);
  assert.equal(inNode.filter((kind) => kind === 'op').length, 7);
  const text = readFileSync(path.join(results, 'results.md'), 'utf8');
  assert.ok(text.startsWith(`# ${result.card}\n`));
  assert.doesNotMatch(text, /NaN|undefined|null/);
});

test('a choice that contradicts the measurements is reported', () => {
  const tuning = {
    kind: 'tuning',
    fetches_by_lod: false,
    vertex_tiles: true,
    divides_in_float: false,
    draws_squares: false,
    prefers_cpu: false,
    busy_vertices: 16384,
  };
  const rows = [
    tuning,
    { kind: 'product', fragments_texel_ms: 1, fragments_lod_ms: 1, vertices_ms: 2, cpu_ms: 9 },
    { kind: 'choice', base_ms: 2, lod_ms: 1, float_division_ms: 2, squares_ms: 2, cpu_ms: 9 },
    { kind: 'split', vertices: 256, ms: 9, cpu_ms: 9 },
    { kind: 'split', vertices: 16384, ms: 1, cpu_ms: 9 },
    { kind: 'size', family: 'add', elements: 1024, round_trip_ms: 2, resident_ms: 0.5, cpu_ms: 1 },
    { kind: 'size', family: 'add', elements: 4096, round_trip_ms: 2, resident_ms: 0.5, cpu_ms: 4 },
  ];
  const found = Object.fromEntries(findings(rows).map((one) => [one.where, one]));
  assert.equal(found['Tuning::fetches_by_lod'].agrees, false);
  assert.equal(found['Tuning::vertex_tiles'].agrees, false);
  assert.equal(found['Tuning::draws_squares'].agrees, true);
  assert.equal(found['Tuning::busy_vertices'].agrees, true);
  assert.match(found.kMinElementsForDevice.measured, /^4096 with the way there and back, 1024 without$/);
});
