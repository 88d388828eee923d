import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { modelsFolder } from '../../golden_models.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const kPictures = ['portrait.jpg', 'three_people.jpg'];
const images = path.join(modelsFolder, '../images');
const missing = [path.join(modelsFolder, 'blazeface'), ...kPictures.map((name) => path.join(images, name))].find(
  (file) => !existsSync(file),
);
const missingFaces = missing && `there is no ${missing}`;

/** Returns the lines that a program prints; rejects if it fails. */
async function run(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout.trim().split('\n');
}

test('iris: the leaking loop leaks two tensors a row, the others none', async () => {
  const lines = await run('examples/iris/main.mjs');
  const counted = (way) => {
    const from = lines.indexOf(`${way}:`) + 1;
    assert.equal(lines[from + 150], '  accuracy 98.0 %, 304 tensors, 4532 bytes');
    return lines.slice(from, from + 150).map((line) => Number(/# of tensors: (\d+)$/.exec(line)[1]));
  };
  const kWeights = 4;
  const kLeft = kWeights + 2 * 150;
  assert.deepEqual(
    counted('leaking'),
    Array.from({ length: 150 }, (_, i) => kWeights + 2 * (i + 1)),
  );
  assert.deepEqual(counted('under tidy'), Array(150).fill(kLeft));
  assert.deepEqual(counted('with dispose'), Array(150).fill(kLeft));
  assert.equal(lines.at(-1), 'after model.dispose(): 300 tensors, all of them from the leaking loop');
});

test('replay_memory: 10,000 steps with as many tensors as the formula says', async () => {
  const lines = await run('examples/replay_memory/main.mjs');
  assert.match(lines[0], /^10000 steps, \d+ episodes, 1000 steps remembered, the last surprise \d/);
  assert.match(lines[1], /^2005 tensors = 4 weights \+ 1 state \+ 2 x 1000 remembered/);
  assert.equal(lines[2], '0 tensors at the end');
});

test('cart_pole: learns to balance, and owns its memory', async () => {
  const lines = await run('examples/cart_pole/main.mjs');
  const [, mean] = /^mean of the last 20 of \d+ episodes: ([\d.]+) of 200 steps$/.exec(lines.at(-2));
  assert.ok(Number(mean) >= 150, lines.at(-2));
  for (const line of lines.slice(0, -2)) {
    const [tensors, remembered] = /, (\d+) tensors, (\d+) steps remembered$/.exec(line).slice(1).map(Number);
    // Two networks of six weights; and, once it trains, two optimizer slots for each weight of one.
    assert.equal(tensors, 12 + (remembered >= 1000 ? 12 : 0) + 2 * remembered);
  }
  assert.equal(lines.at(-1), '0 tensors at the end');
});

test('iris_training: 96 of a hundred irises are classified correctly', async () => {
  const lines = await run('examples/iris_training/main.mjs');
  const shares = /^([\d.]+) % of 120 flowers, ([\d.]+) % of 30 that it has not seen$/
    .exec(lines.at(-2))
    .slice(1)
    .map(Number);
  assert.ok(
    shares.every((share) => share >= 96),
    lines.at(-2),
  );
  assert.equal(lines.at(-1), '0 tensors at the end');
});

test('digits: most unseen digits are read', async () => {
  const lines = await run('examples/digits/main.mjs');
  const [, share] = /^epoch 4: loss [\d.]+, ([\d.]+) % of unseen digits read$/.exec(lines.at(-2));
  assert.ok(Number(share) >= 90, lines.at(-2));
  assert.equal(lines.at(-1), '0 tensors at the end');
});

test('embedding_scopes: 10,000 batches beside a capped model, and the bug throws', async () => {
  const lines = await run('examples/embedding_scopes/main.mjs');
  assert.match(lines[0], /^10000 batches, mean score 0\.\d+; the model has its 2 tensors, 32064 bytes$/);
  assert.match(lines[1], /^the buggy variant, at its first batch: scope 'model' is capped: it takes no more tensors$/);
  assert.equal(lines.at(-1), '0 tensors at the end');
});

test('data_pipeline: a byte bound keeps the process small, as the charts show', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-charts-'));
  try {
    const lines = await run('examples/data_pipeline/main.mjs', '100', folder);
    const numbers = (line) =>
      /: (\d+) elements, RSS at most (\d+) MB over a baseline of (\d+) MB, bytes ahead at most (\d+) MB, (\d+) tensors left$/
        .exec(line)
        .slice(1)
        .map(Number);
    const [count, peak, baseline, ahead, left] = numbers(lines[0]);
    assert.deepEqual([count, left], [100, 0]);
    assert.ok(ahead <= 100 && ahead >= 80 && peak <= 1.3 * (100 + baseline), lines[0]);
    assert.match(lines[1], /^ {2}1\.3 x \(budget \+ baseline\) is \d+ MB: kept$/);
    const [, unbounded, , unboundedAhead] = numbers(lines[3]);
    assert.ok(unboundedAhead > 300 && unbounded > peak + 150, lines[3]);
    for (const name of ['bounded', 'unbounded']) {
      const svg = readFileSync(path.join(folder, `${name}.svg`), 'utf8');
      assert.match(svg, /^<svg [^]*<polyline points="[\d., ]+" [^]*<polyline points="[\d., ]+" [^]*<\/svg>\n$/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('detection: results own their tensors, and wrong inputs reject', async () => {
  const lines = await run('examples/detection/main.mjs', '100');
  const numbers = (line) => /at most (\d+) tensors handed out, (\d+) at the end$/.exec(line).slice(1).map(Number);
  assert.deepEqual(lines.slice(0, 4).map(numbers), [
    [0, 0],
    [0, 0],
    [2, 0],
    [2, 2],
  ]);
  assert.equal(lines.filter((line) => line.startsWith('found 2 faces')).length, 3);
  assert.equal(lines.filter((line) => line.startsWith('rejected: expected a tensor of an image')).length, 2);
  assert.equal(lines.at(-1), '0 tensors at the end');
});

test('detection: without models or pictures the real faces are skipped', async () => {
  assert.match(
    (await run('examples/detection/faces.mjs', 'nowhere', 'nobody.jpg'))[0],
    /^skipped: there is no nowhere/,
  );
});

test('detection: real faces are found, drawn, and leak nothing', { skip: missingFaces }, async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-faces-'));
  try {
    const pictures = kPictures.map((name) => path.join(images, name));
    const lines = await run(
      'examples/detection/faces.mjs',
      modelsFolder,
      ...pictures,
      '--detections',
      '3',
      '--out',
      folder,
    );
    const found = (name) => {
      const from = lines.findIndex((line) => line.startsWith(name));
      const [faces, first, most] = /: (\d+) faces, (\d+) tensors after the first of 3 detections, at most (\d+)/
        .exec(lines[from])
        .slice(1)
        .map(Number);
      assert.equal(most, first);
      return lines
        .slice(from + 1, from + 1 + faces)
        .map((line) => /, (\d+) pixels at (-?\d+), (-?\d+)$/.exec(line).slice(1).map(Number));
    };
    // Recorded from MediaPipe's models on TensorFlow.js, with a tolerance of a pixel.
    const expected = [
      [[347, 227, 62]],
      [
        [190, 780, 68],
        [204, 81, 48],
        [262, 267, 337],
      ],
    ];
    for (const [i, name] of kPictures.entries()) {
      const boxes = found(name);
      assert.equal(boxes.length, expected[i].length);
      for (const [k, box] of boxes.entries())
        box.forEach((at, d) => assert.ok(Math.abs(at - expected[i][k][d]) <= 1, `${box}`));
      assert.deepEqual(
        [...readFileSync(path.join(folder, `${path.parse(name).name}.png`)).subarray(1, 4)],
        [...Buffer.from('PNG')],
      );
    }
    assert.equal(lines.at(-1), '0 tensors at the end');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const returned = { face: { detector: { return: true } } };
const settings = [
  { config: {} },
  { config: { async: false } },
  { config: returned },
  { config: { ...returned, async: false } },
  { config: { ...returned, deallocate: true }, ignores: true },
];
for (const { config, ignores } of settings) {
  const soak = (options) => ['tests/web/examples/detection_soak.mjs', JSON.stringify({ config, ignores, ...options })];
  const name = `detections with ${JSON.stringify(config)} are flat`;
  test(`detection: 10,000 ${name}`, async () => {
    const [line] = await run(...soak({ detections: 10_000 }));
    assert.deepEqual(JSON.parse(line), { found: 20_000, failed: 0 });
  });
  // Five concurrent detections have some hundred ops together, each of which fails once.
  test(`detection: 10,000 ${name}, each op failing in turn`, async () => {
    const [line] = await run('--conditions=development', ...soak({ detections: 10_000, faults: true }));
    const { found, failed } = JSON.parse(line);
    assert.equal(found, 2 * (10_000 - failed));
    assert.ok(failed > 1_500, String(failed));
  });
}
