// BMP and GIF files in tf.node.
import { test } from 'node:test';
import { assert, leavesNothing, takeValues, tf } from './common.mjs';

const uint16 = (value) => [value & 255, (value >> 8) & 255];
const uint32 = (value) => [...uint16(value), ...uint16(value >>> 16)];

/** A BMP file of rows of bytes, which are padded to a multiple of 4, in the order of the file. */
function bmp({ width, height, bits, compression = 0, colors = [], masks = [], header = 40 }, rows) {
  const palette = colors.flatMap(([r, g, b]) => (header === 12 ? [b, g, r] : [b, g, r, 0]));
  const extra = [...masks.flatMap(uint32), ...palette];
  const info =
    header === 12
      ? [...uint32(12), ...uint16(width), ...uint16(height), 1, 0, ...uint16(bits)]
      : [
          ...uint32(header),
          ...uint32(width),
          ...uint32(height),
          1,
          0,
          ...uint16(bits),
          ...uint32(compression),
          ...new Array(12).fill(0),
          ...uint32(colors.length),
          0,
          0,
          0,
          0,
        ];
  const offset = 14 + info.length + extra.length;
  const pixels = rows.flatMap((row) => [...row, ...new Array((4 - (row.length % 4)) % 4).fill(0)]);
  return Uint8Array.from([
    0x42,
    0x4d,
    ...uint32(offset + pixels.length),
    0,
    0,
    0,
    0,
    ...uint32(offset),
    ...info,
    ...extra,
    ...pixels,
  ]);
}

/** Codes of LZW for values below 2 ** minBits, in bytes; the table is cleared when it is full. */
function compress(values, minBits) {
  const clear = 1 << minBits;
  const bytes = [];
  let [table, bits, buffer, filled] = [new Map(), minBits + 1, 0, 0];
  const put = (code) => {
    buffer |= code << filled;
    for (filled += bits; filled >= 8; filled -= 8, buffer >>>= 8) bytes.push(buffer & 255);
  };
  put(clear);
  let current = '';
  const codeOf = (key) => table.get(key) ?? Number(key);
  for (const value of values) {
    const key = current === '' ? String(value) : `${current},${value}`;
    if (current === '' || table.has(key)) {
      current = key;
      continue;
    }
    put(codeOf(current));
    const next = clear + 2 + table.size;
    if (next < 4096) {
      table.set(key, next);
      if (next === 1 << bits) bits++;
    } else {
      put(clear);
      [table, bits] = [new Map(), minBits + 1];
    }
    current = String(value);
  }
  put(codeOf(current));
  // The reader's table is one entry behind, and grows with the last code.
  if (clear + 2 + table.size === 1 << bits && bits < 12) bits++;
  put(clear + 1);
  return [...bytes, buffer & 255];
}

const subBlocks = (bytes) => {
  const parts = [];
  for (let i = 0; i < bytes.length; i += 255) parts.push([Math.min(bytes.length - i, 255), ...bytes.slice(i, i + 255)]);
  return [...parts.flat(), 0];
};
const kColors = [
  [0, 0, 0],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];

/** A frame of a GIF file: its control extension, descriptor and compressed indices of colours. */
function frame(
  { left = 0, top = 0, width, height, disposal = 0, transparent = -1, interlaced = false, palette, minBits = 2, codes },
  indices,
) {
  const control = [0x21, 0xf9, 4, (disposal << 2) | (transparent >= 0 ? 1 : 0), 0, 0, Math.max(transparent, 0), 0];
  const flags = (interlaced ? 64 : 0) | (palette ? 128 | (Math.log2(palette.length) - 1) : 0);
  const descriptor = [0x2c, ...[left, top, width, height].flatMap(uint16), flags, ...(palette ?? []).flat(), minBits];
  return [...control, ...descriptor, ...subBlocks(codes ?? compress(indices, minBits))];
}

function gif(width, height, frames, { palette = kColors } = {}) {
  const flags = palette ? 128 | (Math.log2(palette.length) - 1) : 0;
  const comment = [0x21, 0xfe, 2, 104, 105, 0];
  return Uint8Array.from([
    ...Buffer.from('GIF89a'),
    ...uint16(width),
    ...uint16(height),
    flags,
    0,
    0,
    ...(palette ?? []).flat(),
    ...comment,
    ...frames.flat(),
    0x3b,
  ]);
}

test('BMP files of every depth are read', () =>
  leavesNothing(() => {
    const rgb = bmp({ width: 1, height: 2, bits: 24 }, [
      [3, 2, 1],
      [6, 5, 4],
    ]);
    const image = tf.node.decodeBmp(rgb);
    assert.deepEqual([image.shape, image.dtype], [[2, 1, 3], 'int32']);
    assert.deepEqual(takeValues(image), [4, 5, 6, 1, 2, 3]);
    assert.deepEqual(takeValues(tf.node.decodeImage(rgb, 4)), [4, 5, 6, 255, 1, 2, 3, 255]);
    const topDown = bmp({ width: 1, height: -2, bits: 32 }, [
      [3, 2, 1, 9],
      [6, 5, 4, 8],
    ]);
    assert.deepEqual(takeValues(tf.node.decodeBmp(topDown)), [1, 2, 3, 9, 4, 5, 6, 8]);
    const colors = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    assert.deepEqual(
      takeValues(tf.node.decodeBmp(bmp({ width: 3, height: 1, bits: 1, colors }, [[0b01000000]]))),
      [1, 2, 3, 4, 5, 6, 1, 2, 3],
    );
    assert.deepEqual(
      takeValues(tf.node.decodeBmp(bmp({ width: 2, height: 1, bits: 4, colors }, [[0x10]]))),
      [4, 5, 6, 1, 2, 3],
    );
    const grey = tf.node.decodeBmp(
      bmp(
        {
          width: 2,
          height: 1,
          bits: 8,
          colors: [
            [7, 7, 7],
            [9, 9, 9],
          ],
        },
        [[1, 0]],
      ),
    );
    assert.deepEqual(
      [grey.shape, takeValues(grey)],
      [
        [1, 2, 1],
        [9, 7],
      ],
    );
    assert.deepEqual(
      takeValues(tf.node.decodeBmp(bmp({ width: 1, height: 1, bits: 16 }, [[0xff, 0x03]]))),
      [0, 255, 255],
    );
    const masks = [0xf800, 0x7e0, 0x1f];
    assert.deepEqual(
      takeValues(tf.node.decodeBmp(bmp({ width: 1, height: 1, bits: 16, compression: 3, masks }, [[0xe0, 0x07]]))),
      [0, 255, 0],
    );
    assert.deepEqual(
      takeValues(tf.node.decodeBmp(bmp({ width: 1, height: 1, bits: 8, header: 12, colors }, [[1]]))),
      [4, 5, 6],
    );
  }));

test('GIF files are read to the frames that are shown', () =>
  leavesNothing(() => {
    const whole = frame({ width: 2, height: 2 }, [1, 2, 3, 0]);
    const image = tf.node.decodeGif(gif(2, 2, [whole]));
    assert.deepEqual([image.shape, image.dtype], [[1, 2, 2, 3], 'int32']);
    assert.deepEqual(
      takeValues(image),
      [1, 2, 3, 0].flatMap((i) => kColors[i]),
    );
    // The second frame leaves one pixel, the third is drawn over what was before the second, the fourth over a cleared pixel.
    const frames = [
      frame({ width: 2, height: 1 }, [1, 1]),
      frame({ width: 2, height: 1, transparent: 3, disposal: 3 }, [3, 2]),
      frame({ left: 1, width: 1, height: 1, disposal: 2 }, [3]),
      frame(
        {
          width: 1,
          height: 1,
          palette: [
            [9, 8, 7],
            [0, 0, 0],
          ],
        },
        [0],
      ),
    ];
    const animation = gif(2, 1, frames);
    const shown = [
      [255, 0, 0, 255, 0, 0],
      [255, 0, 0, 0, 255, 0],
      [255, 0, 0, 0, 0, 255],
      [9, 8, 7, 0, 0, 0],
    ];
    assert.deepEqual(takeValues(tf.node.decodeGif(animation)), shown.flat());
    const animated = tf.node.decodeImage(animation);
    assert.deepEqual([animated.shape, takeValues(animated)], [[4, 1, 2, 3], shown.flat()]);
    const first = tf.node.decodeImage(animation, 0, 'int32', false);
    assert.deepEqual([first.shape, takeValues(first)], [[1, 2, 3], shown[0]]);
    // Pixels outside the first frame are black.
    assert.deepEqual(
      takeValues(tf.node.decodeGif(gif(2, 1, [frame({ left: 1, width: 1, height: 1 }, [1])]))),
      [0, 0, 0, 255, 0, 0],
    );
    const rows = [0, 8, 4, 2, 6, 1, 3, 5, 7, 9];
    const palette = Array.from({ length: 16 }, (_, i) => [i, i, i]);
    const woven = gif(1, 10, [frame({ width: 1, height: 10, interlaced: true, minBits: 4 }, rows)], { palette });
    assert.deepEqual(
      takeValues(tf.node.decodeGif(woven)).filter((_, i) => i % 3 === 0),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  }));

test('LZW codes of every length are read', () =>
  leavesNothing(() => {
    const palette = Array.from({ length: 256 }, (_, i) => [i, 255 - i, 0]);
    let state = 1;
    const noise = Array.from({ length: 100 * 100 }, () => (state = (state * 48271) % 2147483647) & 255);
    const flat = noise.map((_, i) => (i < 9000 ? 7 : i & 255));
    for (const values of [noise, flat]) {
      const read = takeValues(
        tf.node.decodeGif(gif(100, 100, [frame({ width: 100, height: 100, minBits: 8 }, values)], { palette })),
      );
      assert.deepEqual(
        read.filter((_, i) => i % 3 === 0),
        values,
      );
    }
  }));

test('bad BMP files are refused, and leave nothing', () =>
  leavesNothing(() => {
    const refused = (options, rows, message) => assert.throws(() => tf.node.decodeBmp(bmp(options, rows)), message);
    const good = bmp({ width: 3, height: 2, bits: 24 }, [
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]);
    // The last three bytes are padding.
    for (let length = 0; length < good.length - 3; length++)
      assert.throws(() => tf.node.decodeBmp(good.subarray(0, length)), /^Error: \[decodeBmp\]/, `of ${length} bytes`);
    refused({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, bits: 24 }, [[0]], /cannot be read/);
    refused({ width: -1, height: 1, bits: 24 }, [[0]], /cannot be read/);
    refused({ width: 1, height: 0, bits: 24 }, [[0]], /cannot be read/);
    refused({ width: 1, height: 1, bits: 2 }, [[0]], /2 bits per pixel/);
    refused(
      { width: 1, height: 1, bits: 8, compression: 1 },
      [[0]],
      /compression 1 are not supported: save the image uncompressed/,
    );
    refused(
      { width: 1, height: 1, bits: 16, compression: 3, masks: [0, 1, 2] },
      [
        [0, 0],
        [0, 0],
      ],
      /mask of the BMP file is empty/,
    );
    refused({ width: 1, height: 1, bits: 8, colors: [[1, 2, 3]] }, [[9]], /no colour 9/);
    refused({ width: 1, height: 1, bits: 24, header: 2 ** 31 }, [[0, 0, 0]], /too short/);
    assert.throws(() => tf.node.decodeBmp(gif(1, 1, [])), /expected a BMP file/);
  }));

test('bad GIF files are refused, and leave nothing', () =>
  leavesNothing(() => {
    const refused = (bytes, message) => assert.throws(() => tf.node.decodeGif(bytes), message);
    const good = gif(2, 2, [frame({ width: 2, height: 2 }, [1, 2, 3, 0])]);
    for (let length = 0; length < good.length - 1; length++) refused(good.subarray(0, length), /^Error: \[decodeGif\]/);
    const one = { width: 1, height: 1 };
    refused(gif(65535, 65535, [frame(one, [0])]), /cannot be read/);
    refused(gif(16384, 16384, [frame({ width: 16384, height: 16384 }, [0])]), /too few bytes for 16384 x 16384 pixels/);
    refused(gif(0, 1, [frame(one, [0])]), /cannot be read/);
    refused(gif(1, 1, []), /no frames/);
    refused(gif(1, 1, [frame({ width: 2, height: 1 }, [0, 0])]), /outside its canvas/);
    refused(gif(1, 1, [frame(one, [0])], { palette: null }), /no palette/);
    refused(gif(1, 1, [frame(one, [3])], { palette: kColors.slice(0, 2) }), /no colour 3/);
    refused(gif(1, 1, [frame({ ...one, minBits: 9, codes: [0] })]), /invalid code size 9/);
    refused(gif(2, 1, [frame({ width: 2, height: 1 }, [1])]), /has 1 pixels, and needs 2/);
    // Clear, then the code that stands for the string before it, which there is not.
    refused(gif(1, 1, [frame({ ...one, codes: [0b110100] })]), /invalid code 6/);
    refused(
      gif(2, 1, [frame({ width: 2, height: 1, codes: [0b000100 | ((7 << 6) & 255), 7 >> 2] })]),
      /invalid code 7/,
    );
    refused(gif(1, 1, [[0x99]]), /unknown type 153/);
    refused(gif(1, 1, [[0x21, 0xf9, 1, 0, 0]]), /too short/);
    assert.throws(() => tf.node.decodeGif('GIF89a'), /Uint8Array/);
  }));

test('files with any byte changed are read or refused', () =>
  leavesNothing(() => {
    const files = [
      bmp({ width: 3, height: 2, bits: 4, colors: kColors }, [
        [1, 2],
        [3, 0],
      ]),
      bmp({ width: 2, height: 2, bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f] }, [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]),
      gif(4, 4, [
        frame({ width: 4, height: 4 }, [1, 2, 3, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 2, 3]),
        frame({ width: 2, height: 2, disposal: 2 }, [1, 1, 2, 2]),
      ]),
    ];
    for (const file of files) {
      for (let at = 0; at < file.length; at++) {
        for (const value of [0, 1, 2, 127, 128, 255, file[at] ^ 1, file[at] ^ 64]) {
          const changed = file.slice();
          changed[at] = value;
          try {
            takeValues(tf.node.decodeImage(changed));
          } catch (error) {
            assert.match(error.message, /^\[decode(Image|Gif)\] /, `byte ${at} as ${value}`);
          }
        }
      }
    }
  }));
