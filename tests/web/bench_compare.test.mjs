// The benchmark times only engines with the same result: a different result must not pass its comparison.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { missedThresholds } from '../bench/thresholds.mjs';
import { curveChart, ratioChart } from '../bench/chart.mjs';
import { difference, mismatches, partOf, ratioToBest } from '../bench/compare.mjs';
import { openResults } from '../bench/results_file.mjs';
import { assert } from './expect.mjs';

test('differences are relative to the reference’s root mean square', () => {
  assert.equal(difference([3, 4], [3, 4]), 0);
  assert.equal(difference([3, 4.5], [3, 4]), 0.5 / Math.sqrt(12.5));
  assert.equal(difference([1, 2, 3], [1, 2]), Infinity);
});

test('NaN always counts as a difference', () => {
  for (const bad of [NaN, Infinity, -Infinity]) {
    for (const i of [0, 1, 2]) {
      const values = [1, 2, 3];
      values[i] = bad;
      assert.equal(difference(values, [1, 2, 3]), Infinity);
      assert.equal(difference([1, 2, 3], values), Infinity);
      assert.equal(difference(values, values), Infinity);
    }
  }
  assert.equal(difference([0, 0], [0, 0]), Infinity);
});

test('an engine whose results differ from the first peer’s is named', () => {
  assert.deepEqual(mismatches({ tenure: [1, 2], a: [1, 2], b: [1, 2.0001] }), []);
  assert.deepEqual(
    mismatches({ tenure: [NaN, 2], a: [1, 2], b: [1, 2.1] }).map(({ name }) => name),
    ['tenure', 'b'],
  );
  assert.deepEqual(
    mismatches({ tenure: [1, 2], a: [NaN, 2], b: [1, 2] }).map(({ name }) => name),
    ['tenure', 'a', 'b'],
  );
});

const row = (work, rounds) => ({
  work,
  rounds,
  median: Object.fromEntries(Object.entries(rounds).map(([name, times]) => [name, times[0]])),
});

test('the ratio of times is the median of the ratios within each round', () => {
  const one = row('matmul 256', { tenure: [1, 2, 9], 'tfjs wasm': [2, 4, 9], litert: [1, 1, 1] });
  assert.equal(partOf(one, 'tfjs wasm'), 0.5);
  assert.equal(partOf(one, 'ort wasm'), undefined);
  assert.deepEqual(ratioToBest(one), { peer: 'litert', ratio: 0.5 });
  assert.equal(ratioToBest(row('x', { tenure: [1] })), undefined);
});

test('a ratio that misses its threshold is named, with the peer and the threshold', () => {
  const rows = [
    row('matmul 256', { tenure: [8], 'tfjs wasm': [10], litert: [10] }),
    row('one small op', { tenure: [0.0002] }),
  ];
  assert.deepEqual(missedThresholds('wasm', rows), [
    'MISSED matmul 256: 0.80 of tfjs wasm, at most 0.72',
    'MISSED one small op: 0.20 us, at most 0.15',
  ]);
  assert.deepEqual(missedThresholds('wasm', [row('matmul 256', { tenure: [7], 'tfjs wasm': [10], litert: [10] })]), []);
  const slow = [row('add 4M', { tenure: [9], 'tfjs webgl': [10] })];
  assert.deepEqual(missedThresholds('webgl', slow), ['MISSED geometric mean: 0.90, at most 0.35']);
});

test('charts have a mark for each ratio, and a line for each curve', () => {
  const ratios = ratioChart('<ratios>', [{ work: 'a & b', parts: { 'tfjs wasm': 0.5, litert: 0.01 } }]);
  assert.equal(ratios.match(/<circle/g).length, 4);
  assert.ok(!/NaN|Infinity|<ratios>|a & b/.test(ratios));
  const curves = curveChart('curves', [
    { title: 'one point', unit: 'n', points: [[1, 1]] },
    {
      title: 'two',
      unit: 'n',
      points: [
        [1, 1],
        [10, 2],
      ],
    },
  ]);
  assert.equal(curves.match(/<polyline/g).length, 2);
  assert.ok(!/NaN|Infinity/.test(curves));
});

test('a file of results is continued by the same build with the same settings only', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-results-'));
  try {
    const file = path.join(folder, 'results.json');
    const settings = { backend: 'webgl', threads: 1, gpuOnly: false, rounds: 5, budgetMs: 250, build: 'a' };
    const first = openResults(file, settings);
    assert.equal(first.get('add'), undefined);
    assert.equal(existsSync(file), false);
    first.add({ work: 'add', problems: [] });
    first.add({ work: 'sum', problems: [] });
    assert.equal(openResults(file, settings).get('sum').work, 'sum');
    for (const [name, value] of Object.entries({ backend: 'wasm', threads: 2, gpuOnly: true, rounds: 2, build: 'b' })) {
      assert.throws(() => openResults(file, { ...settings, [name]: value }), {
        message: `${file} has results with ${name} ${settings[name]}, expected ${value}: continue into another file`,
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
