// Kernels with several code paths by shape: all of them against loops over every element.
import test from 'node:test';
import fc from 'fast-check';
import { assert, assertClose, leavesNothing, tf } from '../expect.mjs';

const size = (shape) => shape.reduce((product, extent) => product * extent, 1);
const numbers = (count, from = 1) =>
  Float32Array.from({ length: count }, (_, i) => ((i * 37 + from * 11) % 101) / 50 - 1);
const check = (arbitrary, property) =>
  fc.assert(
    fc.property(arbitrary, (given) => leavesNothing(() => property(given))),
    { numRuns: 150, seed: 7 },
  );

/** Returns the taps of a window that lie inside the image, along an axis with 'same' padding, and the number of windows. */
function axis(extent, { window, stride, dilation }) {
  const out = Math.ceil(extent / stride);
  const pad = Math.max(0, (out - 1) * stride + (window - 1) * dilation + 1 - extent);
  const taps = (o) =>
    Array.from({ length: window }, (_, tap) => ({ tap, at: o * stride - Math.floor(pad / 2) + tap * dilation })).filter(
      ({ at }) => at >= 0 && at < extent,
    );
  return { out, taps };
}

const images = fc.record({
  batch: fc.integer({ min: 1, max: 2 }),
  height: fc.integer({ min: 1, max: 20 }),
  width: fc.integer({ min: 1, max: 20 }),
  channels: fc.integer({ min: 1, max: 11 }),
  window: fc.integer({ min: 1, max: 6 }),
  step: fc.constantFrom(
    { stride: 1, dilation: 1 },
    { stride: 2, dilation: 1 },
    { stride: 3, dilation: 1 },
    { stride: 1, dilation: 2 },
    { stride: 1, dilation: 3 },
  ),
  multiplier: fc.integer({ min: 1, max: 3 }),
});

/** Calls visit(n, y, x, rows, columns) for each window. */
function eachWindow({ batch, height, width, window, step }, visit) {
  const rows = axis(height, { window, ...step });
  const columns = axis(width, { window, ...step });
  for (let n = 0; n < batch; ++n) {
    for (let y = 0; y < rows.out; ++y) for (let x = 0; x < columns.out; ++x) visit(n, rows.taps(y), columns.taps(x));
  }
}

test('depthwise convolutions of any window, stride and multiplier', async () => {
  await tf.ready();
  check(images, (given) => {
    const { batch, height, width, channels, window, step, multiplier } = given;
    const x = numbers(batch * height * width * channels);
    const filter = numbers(window * window * channels * multiplier, 2);
    const expected = [];
    eachWindow(given, (n, rows, columns) => {
      for (let c = 0; c < channels * multiplier; ++c) {
        const from = Math.floor(c / multiplier);
        let sum = 0;
        for (const row of rows) {
          for (const column of columns)
            sum +=
              x[((n * height + row.at) * width + column.at) * channels + from] *
              filter[(row.tap * window + column.tap) * channels * multiplier + c];
        }
        expected.push(sum);
      }
    });
    const y = tf.tidy(() =>
      tf
        .depthwiseConv2d(
          tf.tensor(x, [batch, height, width, channels]),
          tf.tensor(filter, [window, window, channels, multiplier]),
          step.stride,
          'same',
          'NHWC',
          step.dilation,
        )
        .dataSync(),
    );
    assertClose([...y], expected, 1e-4);
  });
});

for (const [name, combine] of [
  ['maxPool', (values) => Math.max(...values)],
  ['avgPool', (values) => values.reduce((sum, value) => sum + value, 0) / values.length],
]) {
  test(`${name} of any window and stride`, async () => {
    await tf.ready();
    check(images, (given) => {
      const { batch, height, width, channels, window, step } = given;
      const x = numbers(batch * height * width * channels);
      const expected = [];
      eachWindow(given, (n, rows, columns) => {
        for (let c = 0; c < channels; ++c) {
          expected.push(
            combine(
              rows.flatMap((row) =>
                columns.map((column) => x[((n * height + row.at) * width + column.at) * channels + c]),
              ),
            ),
          );
        }
      });
      const y = tf.tidy(() =>
        tf
          .pool(
            tf.tensor(x, [batch, height, width, channels]),
            window,
            name === 'maxPool' ? 'max' : 'avg',
            'same',
            step.dilation,
            step.stride,
          )
          .dataSync(),
      );
      assertClose([...y], expected, 1e-5);
    });
  });
}

test('scans along any axis, forward and reverse, inclusive and exclusive', async () => {
  await tf.ready();
  const scans = fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
    axis: fc.nat(2),
    exclusive: fc.boolean(),
    reverse: fc.boolean(),
    name: fc.constantFrom('cumsum', 'cumprod'),
  });
  check(scans, ({ shape, axis: any, exclusive, reverse, name }) => {
    const along = any % shape.length;
    const inner = size(shape.slice(along + 1));
    const x = numbers(size(shape));
    const expected = [...x].map((_, i) => {
      const place = Math.floor(i / inner) % shape[along];
      const line = Array.from({ length: shape[along] }, (_, k) => x[i + (k - place) * inner]);
      const before = reverse ? line.slice(place + (exclusive ? 1 : 0)) : line.slice(0, place + (exclusive ? 0 : 1));
      return before.reduce(
        (so_far, value) => (name === 'cumsum' ? so_far + value : so_far * value),
        name === 'cumsum' ? 0 : 1,
      );
    });
    assertClose(
      [...tf.tidy(() => tf[name](tf.tensor(x, shape), along, exclusive, reverse).dataSync())],
      expected,
      1e-5,
    );
  });
});

test('scalar, row, column and combined broadcast operands', async () => {
  await tf.ready();
  const extent = fc.constantFrom(1, 2, 3, 5, 17, 63, 64, 65, 130, 300);
  const shapes = fc.tuple(extent, extent);
  const pairs = fc.record({
    shape: shapes,
    first: fc.tuple(fc.boolean(), fc.boolean()),
    second: fc.tuple(fc.boolean(), fc.boolean()),
    name: fc.constantFrom('add', 'sub', 'mul', 'div', 'maximum', 'squaredDifference', 'greater', 'logicalXor'),
  });
  const exact = {
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    maximum: Math.max,
    squaredDifference: (a, b) => (a - b) ** 2,
    greater: (a, b) => Number(a > b),
    logicalXor: (a, b) => Number(a !== b),
  };
  check(pairs, ({ shape, first, second, name }) => {
    const isLogical = name === 'logicalXor';
    const operands = [first, second].map((repeats, k) => {
      const own = shape.map((whole, i) => (repeats[i] ? 1 : whole));
      const values = Array.from(numbers(size(own), k + 1), (value) => (isLogical ? Number(value > 0) : value + 1.5));
      return { own, values, at: (r, c) => values[(own[0] === 1 ? 0 : r) * own[1] + (own[1] === 1 ? 0 : c)] };
    });
    const [a, b] = operands;
    const rows = Math.max(a.own[0], b.own[0]);
    const columns = Math.max(a.own[1], b.own[1]);
    const expected = Array.from({ length: rows * columns }, (_, i) =>
      exact[name](a.at(Math.floor(i / columns), i % columns), b.at(Math.floor(i / columns), i % columns)),
    );
    const y = tf.tidy(() =>
      tf[name](...operands.map(({ own, values }) => tf.tensor(values, own, isLogical ? 'bool' : 'float32'))).dataSync(),
    );
    assertClose([...y], expected, 1e-5);
  });
});

test('few planes are transposed to channels, and one channel is tiled', async () => {
  await tf.ready();
  check(
    fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 40 })),
    ([batch, planes, pixels]) => {
      const x = numbers(batch * planes * pixels);
      const turned = tf.tidy(() => tf.transpose(tf.tensor(x, [batch, planes, pixels]), [0, 2, 1]).dataSync());
      assert.deepEqual(
        [...turned],
        [...turned].map(
          (_, i) =>
            x[(Math.floor(i / planes / pixels) * planes + (i % planes)) * pixels + (Math.floor(i / planes) % pixels)],
        ),
      );
      const grey = numbers(batch * pixels);
      const tiled = tf.tidy(() => tf.tile(tf.tensor(grey, [batch, pixels, 1]), [1, 1, planes]).dataSync());
      assert.deepEqual(
        [...tiled],
        [...tiled].map((_, i) => grey[Math.floor(i / planes)]),
      );
    },
  );
});
