// Folders of images: the order of files, labels by folder, errors that name the file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-images-'));
after(() => rmSync(folder, { recursive: true }));
for (const [name, bytes] of Object.entries({
  'cats/b.png': [2, 2, 9],
  'cats/a.JPG': [1, 3, 7],
  'dogs/c.jpeg': [4, 4, 5],
  'dogs/notes.txt': [0],
  'birds/d.png': [1, 1, 200],
  'top.png': [1, 1, 1],
})) {
  mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(folder, name), Uint8Array.from(bytes));
}

/** Stands in for a decoder: height, width and one value. */
function decode(bytes, channels) {
  if (bytes[2] === 5) throw new Error('no image');
  return tf.fill([bytes[0], bytes[1], channels], bytes[2], 'int32');
}

async function all(dataset) {
  const found = [];
  await dataset.forEachAsync(({ xs, ys }) => void found.push([xs.dtype, xs.shape, xs.dataSync()[0], ys]));
  return found;
}

test('images are resized, and labelled by their folders', () =>
  leavesNothingAsync(async () => {
    const dataset = tf.data.imageFolder(folder, { size: [2, 3], labels: ['cats', 'birds'], decode });
    assert.deepEqual([dataset.size, dataset.classNames], [3, ['cats', 'birds']]);
    const image = (value, label) => ['float32', [2, 3, 3], value, label];
    assert.deepEqual(await all(dataset), [image(7, 0), image(9, 0), image(200, 1)]);
    const batches = await dataset.batch(3).toArray();
    assert.deepEqual(
      batches.map(({ xs, ys }) => [xs.shape, ys.arraySync()]),
      [
        [
          [3, 2, 3, 3],
          [0, 0, 1],
        ],
      ],
    );
    tf.dispose(batches);
    assert.deepEqual(tf.data.imageFolder(folder, { size: [1, 1], decode }).classNames, ['birds', 'cats', 'dogs']);
  }));

test('errors name the file', () =>
  leavesNothingAsync(async () => {
    const file = path.join(folder, 'dogs/c.jpeg');
    await assert.rejects(all(tf.data.imageFolder(folder, { size: [2, 2], decode })), {
      message: `[imageFolder] ${file}: no image`,
    });
    assert.throws(
      () => tf.data.imageFolder(folder, { size: [2, 2], labels: ['cows'], decode }),
      /has no folder 'cows'; it has birds, cats, dogs/,
    );
    // The builds for Node contain a decoder.
    if (!/node/.test(process.env.TENURE_BUILD ?? ''))
      assert.throws(
        () => tf.data.imageFolder(folder, { size: [2, 2] }),
        /expected \{decode\}, such as tf\.node\.decodeImage/,
      );
    assert.throws(() => tf.data.imageFolder(path.join(folder, 'none'), { size: [2, 2], decode }), /ENOENT/);
  }));
