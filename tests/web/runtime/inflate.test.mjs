// Decompression of the wasm that scripts inline: what it gives for each kind of block, and that it refuses what zlib refuses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { transform } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';

const source = readFileSync(path.join(root, 'web/src/runtime/inflate.ts'), 'utf8');
const { code } = await transform(source, { loader: 'ts', format: 'esm' });
const { inflate } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const kDamaged = { message: 'its deflate stream is damaged' };

/** Returns what inflate() expects: the number of decompressed bytes, and the stream. */
function framed(stream, length) {
  const bytes = Buffer.alloc(4 + stream.length);
  bytes.writeUInt32LE(length);
  bytes.set(stream, 4);
  return bytes;
}

/** Returns a stream of numbers of bits, as pairs `[value, count]`, the lowest bit first. */
function fromBits(...pairs) {
  const bits = pairs.flatMap(([value, count]) => Array.from({ length: count }, (_, i) => (value >> i) & 1));
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => (bytes[i >> 3] |= bit << (i & 7)));
  return bytes;
}

/** Returns pseudorandom numbers from 0 to below `limit`. */
function randomNumbers(seed) {
  return (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
}

const random = randomNumbers(1);
const noise = Uint8Array.from({ length: 70_000 }, () => random(256));
const text = Buffer.from(Array.from({ length: 4000 }, () => ['tensor', ' ', 'of', '\n', 'ops'][random(5)]).join(''));
const contents = {
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from([7]),
  'a run': Buffer.alloc(100_000, 'a'),
  'noise, in stored blocks': noise,
  words: text,
  'words and noise': Buffer.concat([text, noise.subarray(0, 5000), text]),
  // Distances up to the greatest.
  'far copies': Buffer.concat([text.subarray(0, 300), noise.subarray(0, 32_000), text.subarray(0, 300)]),
};

for (const [name, bytes] of Object.entries(contents)) {
  test(`${name}: decompressed as by zlib, from stored, fixed and dynamic blocks`, () => {
    for (const options of [
      { level: 0 },
      { level: 1 },
      { level: 9 },
      { level: 9, strategy: constants.Z_FIXED },
      { level: 9, strategy: constants.Z_HUFFMAN_ONLY },
      { level: 9, memLevel: 1 },
    ]) {
      const stream = deflateRawSync(bytes, options);
      const given = framed(stream, bytes.length);
      assert.ok(Buffer.from(bytes).equals(inflate(given)), JSON.stringify(options));
      // A view that begins inside of its buffer.
      const view = new Uint8Array(given.length + 3).subarray(3);
      view.set(given);
      assert.ok(Buffer.from(bytes).equals(inflate(view)));
      assert.throws(() => inflate(framed(stream, bytes.length + 1)), kDamaged);
      if (bytes.length > 0) assert.throws(() => inflate(framed(stream, bytes.length - 1)), kDamaged);
    }
  });
}

test('streams that end early are refused', () => {
  for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED]) {
    const bytes = text.subarray(0, 500);
    const given = framed(deflateRawSync(bytes, { strategy }), bytes.length);
    for (let end = 0; end < given.length; end++)
      assert.throws(() => inflate(given.subarray(0, end)), kDamaged, `${end} of ${given.length} bytes`);
  }
  const stored = framed(deflateRawSync(noise.subarray(0, 300), { level: 0 }), 300);
  for (let end = 0; end < stored.length; end++) assert.throws(() => inflate(stored.subarray(0, end)), kDamaged);
});

test('damaged streams are refused where zlib refuses them', () => {
  let refused = 0;
  for (const options of [{ level: 0 }, { level: 9 }, { level: 9, strategy: constants.Z_FIXED }]) {
    const bytes = Buffer.concat([text.subarray(0, 400), noise.subarray(0, 100)]);
    const stream = deflateRawSync(bytes, options);
    for (let bit = 0; bit < stream.length * 8; bit++) {
      const flipped = Buffer.from(stream);
      flipped[bit >> 3] ^= 1 << (bit & 7);
      let expected;
      try {
        expected = inflateRawSync(flipped);
      } catch {
        // Refused.
      }
      if (expected?.length === bytes.length)
        assert.ok(expected.equals(inflate(framed(flipped, bytes.length))), `bit ${bit} of ${JSON.stringify(options)}`);
      else {
        assert.throws(
          () => inflate(framed(flipped, bytes.length)),
          kDamaged,
          `bit ${bit} of ${JSON.stringify(options)}`,
        );
        refused++;
      }
    }
  }
  assert.ok(refused > 1000, `${refused} refused`);
});

test('what no encoder writes is refused', () => {
  const last = [1, 1];
  const [fixed, dynamic] = [
    [1, 2],
    [2, 2],
  ];
  /** The lengths of the codes of code lengths, of 16, 17, 18, 0, 8, 7, 9 ... */
  const lengths = (...all) => all.map((length) => [length, 3]);
  const streams = {
    'an unknown kind of block': fromBits(last, [3, 2]),
    'a stored block whose length is not repeated': Buffer.from([1, 0, 0, 0, 0]),
    // Fixed codes: literal "a", then a copy of length 3 (0000001) from distance code 30 (01111, with its first bit lowest).
    'a distance without meaning': fromBits(last, fixed, [0b10001001, 8], [0b1000000, 7], [0b01111, 5], [0, 7]),
    // 11000110 is symbol 286.
    'a length without meaning': fromBits(last, fixed, [0b10001001, 8], [0b01100011, 8], [0, 5], [0, 7]),
    'a copy from before the start': fromBits(last, fixed, [0b1000000, 7], [0, 5], [0, 7]),
    'more literals than there are': fromBits(last, dynamic, [30, 5], [0, 5], [0, 4], ...lengths(1, 1, 0, 0)),
    'a repetition of no length': fromBits(
      last,
      dynamic,
      [0, 5],
      [0, 5],
      [0, 4],
      ...lengths(1, 1, 0, 0),
      [0, 1],
      [0, 2],
    ),
    'lengths beyond the last': fromBits(
      last,
      dynamic,
      ...[[0, 5], [0, 5], [0, 4], ...lengths(0, 1, 1, 0)],
      ...Array.from({ length: 3 }, () => [0b11111111, 8]),
    ),
    'too many codes': fromBits(last, dynamic, [0, 5], [0, 5], [0, 4], ...lengths(1, 1, 1, 0)),
    'too few codes': fromBits(last, dynamic, [0, 5], [0, 5], [0, 4], ...lengths(2, 2, 2, 0)),
  };
  for (const [name, stream] of Object.entries(streams)) {
    const padded = Buffer.concat([stream, Buffer.alloc(64)]);
    assert.throws(() => inflateRawSync(padded), `zlib: ${name}`);
    for (const length of [0, 1, 4]) assert.throws(() => inflate(framed(padded, length)), kDamaged, name);
  }
  assert.throws(() => inflate(Buffer.from([255, 255, 255, 255, 3, 0])), kDamaged);
});
