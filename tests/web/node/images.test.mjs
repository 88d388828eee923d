// Image files in tf.node, which only the package for Node has.
import { test } from 'node:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { assert, leavesNothing, takeValues as values, tf, withFolder } from './common.mjs';

/** Returns a PNG file of scanlines, each a filter and its bytes. */
function png({ width, height, depth = 8, color = 2, interlaced = 0 }, lines, others = {}) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32 ? crc32(body) : 0);
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlaced], 8);
  const packed = deflateSync(Buffer.from(lines.flat()));
  const parts = [
    chunk('IHDR', header),
    ...Object.entries(others).map(([name, data]) => chunk(name, Buffer.from(data))),
  ];
  // In two chunks, which are one stream.
  parts.push(chunk('IDAT', packed.subarray(0, 3)), chunk('IDAT', packed.subarray(3)), chunk('IEND', Buffer.alloc(0)));
  return Uint8Array.from(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]));
}

test('PNG files of every kind are read', () =>
  leavesNothing(() => {
    const rgb = png({ width: 2, height: 2 }, [
      [1, 10, 20, 30, 1, 2, 3],
      [2, 5, 5, 5, 250, 0, 1],
    ]);
    const image = tf.node.decodePng(rgb);
    assert.deepEqual([image.shape, image.dtype], [[2, 2, 3], 'int32']);
    assert.deepEqual(values(image), [10, 20, 30, 11, 22, 33, 15, 25, 35, 5, 22, 34]);
    assert.deepEqual(values(tf.node.decodePng(rgb, 4)).slice(0, 8), [10, 20, 30, 255, 11, 22, 33, 255]);
    assert.deepEqual(values(tf.node.decodeImage(rgb, 1)).slice(0, 1), [18]);
    const average = png({ width: 2, height: 2, color: 0 }, [
      [0, 100, 50],
      [3, 10, 20],
    ]);
    assert.deepEqual(values(tf.node.decodePng(average)), [100, 50, 60, 75]);
    const paeth = png({ width: 2, height: 2, color: 0 }, [
      [0, 100, 50],
      [4, 10, 20],
    ]);
    assert.deepEqual(values(tf.node.decodePng(paeth)), [100, 50, 110, 70]);
    const bits = png({ width: 3, height: 1, depth: 2, color: 0 }, [[0, 0b00011100]]);
    assert.deepEqual(values(tf.node.decodePng(bits, 0, 'float32')), [0, 85, 255]);
    const wide = png({ width: 1, height: 1, depth: 16, color: 0 }, [[0, 200, 99]]);
    assert.deepEqual(values(tf.node.decodePng(wide)), [200]);
    const palette = png({ width: 2, height: 1, depth: 4, color: 3 }, [[0, 0x10]], {
      PLTE: [1, 2, 3, 4, 5, 6],
      tRNS: [9],
    });
    assert.deepEqual(values(tf.node.decodePng(palette)), [4, 5, 6, 255, 1, 2, 3, 9]);
    // In Adam7, an image of 3 x 3 has the passes 1, 4, 5, 6 and 7.
    const woven = png({ width: 3, height: 3, color: 0, interlaced: 1 }, [
      [0, 0],
      [0, 2],
      [0, 6, 8],
      [0, 1],
      [0, 7],
      [0, 3, 4, 5],
    ]);
    assert.deepEqual(values(tf.node.decodePng(woven)), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  }));

test('the transparent colour of grey and RGB PNG files becomes alpha if 4 channels are asked for', () =>
  leavesNothing(() => {
    const rgb = png(
      { width: 2, height: 1 },
      [[0, 1, 2, 3, 1, 2, 4]],
      // Bits above the depth have no meaning.
      { tRNS: [9, 1, 0, 2, 0, 3] },
    );
    assert.deepEqual(values(tf.node.decodePng(rgb, 4)), [1, 2, 3, 0, 1, 2, 4, 255]);
    assert.deepEqual(values(tf.node.decodePng(rgb)), [1, 2, 3, 1, 2, 4]);
    const bits = png({ width: 3, height: 1, depth: 2, color: 0 }, [[0, 0b00011100]], { tRNS: [0, 1] });
    assert.deepEqual(values(tf.node.decodePng(bits, 4)), [0, 0, 0, 255, 85, 85, 85, 0, 255, 255, 255, 255]);
    // The colours differ in the lower half only, which the result does not have.
    const wide = png({ width: 2, height: 1, depth: 16, color: 0 }, [[0, 200, 99, 200, 98]], { tRNS: [200, 99] });
    assert.deepEqual(values(tf.node.decodeImage(wide, 4)), [200, 200, 200, 0, 200, 200, 200, 255]);
    const short = png({ width: 1, height: 1 }, [[0, 1, 2, 3]], { tRNS: [0, 1] });
    assert.throws(() => tf.node.decodePng(short, 4), /tRNS of the PNG file is too short/);
  }));

/** Returns the number of components in the frame of a JPEG file. */
function componentsOf(file) {
  const at = Buffer.from(file).indexOf(Buffer.from([0xff, 0xc0]));
  return file[at + 9];
}

test('JPEG files have the components of their format', () =>
  leavesNothing(async () => {
    for (const [channels, formats] of [
      [1, ['', 'grayscale']],
      [3, ['', 'rgb']],
    ]) {
      for (const [height, width] of [
        [1, 1],
        [8, 16],
        [21, 13],
      ]) {
        const [rows, columns] = [tf.linspace(0, 100, height), tf.linspace(0, 150, width)];
        const image = tf.tidy(() =>
          tf.concat(
            [0, 1, 2].slice(0, channels).map((i) =>
              rows
                .mul(1 - i / 2)
                .reshape([-1, 1, 1])
                .add(columns.reshape([1, -1, 1])),
            ),
            -1,
          ),
        );
        for (const format of formats) {
          const file = await tf.node.encodeJpeg(image, format, 95);
          assert.equal(componentsOf(file), channels);
          const again = tf.node.decodeJpeg(file);
          assert.deepEqual(again.shape, image.shape);
          const furthest = tf.tidy(() => again.sub(image).abs().max().dataSync()[0]);
          assert.ok(furthest < 6, `${image.shape} is off by ${furthest}`);
          again.dispose();
        }
        tf.dispose([rows, columns, image]);
      }
      const wrong = tf.zeros([2, 2, channels]);
      await assert.rejects(
        tf.node.encodeJpeg(wrong, channels === 1 ? 'rgb' : 'grayscale'),
        /\[encodeJpeg\] expected \d channels, got shape \[2,2,\d\]/,
      );
      wrong.dispose();
    }
    const image = tf.zeros([2, 2, 3]);
    await assert.rejects(tf.node.encodeJpeg(image, 'cmyk'), /format must be '', 'grayscale' or 'rgb', but got 'cmyk'/);
    await assert.rejects(tf.node.encodeJpeg(image, 'rgb', 101), /quality must be from 0 to 100, but got 101/);
    image.dispose();
  }));

test('JPEG files of noise are read back at every quality, and grow with it', () =>
  leavesNothing(async () => {
    const image = tf.tidy(() => tf.randomUniform([40, 56, 3], 0, 256, 'float32', 7).floor());
    const sizes = [];
    const errors = [];
    for (const quality of [0, 10, 50, 75, 90, 100]) {
      const file = await tf.node.encodeJpeg(image, '', quality);
      const again = tf.node.decodeJpeg(file);
      sizes.push(file.length);
      errors.push(tf.tidy(() => again.sub(image).abs().mean().dataSync()[0]));
      again.dispose();
    }
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => a - b),
    );
    assert.deepEqual(
      errors,
      [...errors].sort((a, b) => b - a),
    );
    assert.ok(errors.at(-1) < 1, `${errors}`);
    image.dispose();
  }));

test('written images are read back', () =>
  leavesNothing(async () => {
    for (const channels of [1, 3, 4]) {
      const image = tf.tidy(() => tf.randomUniform([7, 5, channels], 0, 256, 'float32', 3).floor().toInt());
      const file = await tf.node.encodePng(image);
      assert.ok(file instanceof Uint8Array);
      const again = tf.node.decodeImage(file);
      assert.deepEqual(again.arraySync(), image.arraySync());
      tf.dispose([image, again]);
    }
    const smooth = tf.tidy(() => tf.linspace(0, 255, 16).reshape([1, 16, 1]).tile([16, 1, 3]));
    const file = await tf.node.encodeJpeg(smooth, 'rgb', 100);
    const again = tf.node.decodeJpeg(file);
    assert.deepEqual([again.shape, again.dtype], [[16, 16, 3], 'int32']);
    const furthest = tf.tidy(() => again.sub(smooth).abs().max().dataSync()[0]);
    assert.ok(furthest < 4, `off by ${furthest}`);
    assert.deepEqual(values(tf.node.decodeImage(file, 1)).length, 256);
    tf.dispose([smooth, again]);
  }));

test('invalid files and pictures are refused, and leak nothing', () =>
  leavesNothing(async () => {
    const good = png({ width: 2, height: 2 }, [
      [0, 1, 2, 3, 4, 5, 6],
      [0, 1, 2, 3, 4, 5, 6],
    ]);
    for (let length = 0; length < good.length - 12; length++) {
      assert.throws(() => tf.node.decodePng(good.subarray(0, length)), /^Error: \[decodePng\]/, `of ${length} bytes`);
    }
    assert.throws(
      () => tf.node.decodePng(png({ width: 2, height: 2 }, [[0, 1]])),
      /has 2 bytes of pixels, and needs 14/,
    );
    assert.throws(() => tf.node.decodePng(png({ width: 1, height: 1, color: 0 }, [[7, 1]])), /filter 7/);
    assert.throws(() => tf.node.decodePng(png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, [[0]])), /cannot be read/);
    assert.throws(() => tf.node.decodePng(png({ width: 1, height: 1, color: 5 }, [[0]])), /colour type 5/);
    assert.throws(
      () => tf.node.decodePng(png({ width: 1, height: 1, color: 3 }, [[0, 9]], { PLTE: [1, 2, 3] })),
      /no colour 9/,
    );
    assert.throws(() => tf.node.decodeImage(new Uint8Array([71, 73, 70])), /expected a PNG, JPEG, BMP or GIF file/);
    assert.throws(() => tf.node.decodeJpeg(new Uint8Array([255, 216, 255, 224, 0])), /\[decodeJpeg\]/);
    assert.throws(() => tf.node.decodePng(good, 2), /channels must be 0, 1, 3 or 4/);
    const none = tf.zeros([0, 2, 3]);
    await assert.rejects(tf.node.encodeJpeg(none), /expected pixels/);
    none.dispose();
  }));

test('a folder of images is read without a custom decoder', () =>
  leavesNothing(() =>
    withFolder(async (folder) => {
      const [red, gray] = [
        [200, 10, 30],
        [90, 90, 90],
      ].map((color) => tf.tidy(() => tf.tile(tf.tensor3d([[color]], [1, 1, 3], 'int32'), [8, 8, 1])));
      for (const [name, bytes] of [
        ['a/red.png', await tf.node.encodePng(red)],
        ['b/gray.jpg', await tf.node.encodeJpeg(gray)],
      ]) {
        mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
        writeFileSync(path.join(folder, name), bytes);
      }
      tf.dispose([red, gray]);
      const found = [];
      for await (const { xs, ys } of tf.data.imageFolder(folder, { size: [2, 2] })) {
        found.push([ys, xs.shape, Array.from(xs.dataSync().slice(0, 3), (one) => Math.round(one / 5) * 5)]);
        xs.dispose();
      }
      assert.deepEqual(found, [
        [0, [2, 2, 3], [200, 10, 30]],
        [1, [2, 2, 3], [90, 90, 90]],
      ]);
    }),
  ));
