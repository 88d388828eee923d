// Random pipeline stages, for datasets and for plain arrays.
import fc from 'fast-check';
import { pause, tf } from '../expect.mjs';

export const count = (min, max) => fc.integer({ min, max });
const stage = (kind, fields = {}) => fc.record({ kind: fc.constant(kind), ...fields });

/** A random list of stages. */
export const stages = fc.array(
  fc.oneof(
    stage('map'),
    stage('mapAsync', { parallel: fc.option(count(1, 4), { nil: undefined }), waits: count(0, 2) }),
    stage('filter', { keeps: count(1, 3) }),
    stage('take', { count: count(0, 9) }),
    stage('skip', { count: count(0, 4) }),
    stage('takeWhile', { below: count(0, 40) }),
    stage('shard', { count: count(1, 3) }),
    stage('repeat', { count: count(0, 2) }),
    stage('prefetch', { count: count(1, 5), maxBytes: fc.option(count(1, 100), { nil: undefined }) }),
    stage('concatenate'),
    stage('zip', { nested: fc.boolean() }),
    stage('interleave', { cycleLength: count(1, 3) }),
    stage('window', { size: count(1, 3), shift: count(1, 4), small: fc.boolean() }),
    stage('batch', { size: count(1, 4), small: fc.boolean() }),
    stage('rebatch', { size: count(1, 4) }),
    stage('cache'),
    stage('fail', { at: count(0, 8) }),
  ),
  { maxLength: 6 },
);

/** Elements are {v: a tensor with one number}. Each stage has a form for datasets, and one for arrays of the numbers. */
export const kStages = {
  map: () => [(d) => d.map(({ v }) => ({ v: v.add(1).mul(1) })), (a) => a.map((x) => x + 1)],
  mapAsync: ({ parallel, waits }) => [
    (d) =>
      d.mapAsync(
        async ({ v }) => {
          const doubled = v.mul(2);
          for (let i = 0; i < waits; i++) await pause();
          return { v: doubled.sub(v), same: v };
        },
        { parallel },
      ),
    (a) => a,
  ],
  filter: ({ keeps }) => [
    (d) => d.filter(({ v }) => numberIn(v.add(0)) % keeps === 0),
    (a) => a.filter((x) => x % keeps === 0),
  ],
  take: ({ count }) => [(d) => d.take(count), (a) => a.slice(0, count)],
  skip: ({ count }) => [(d) => d.skip(count), (a) => a.slice(count)],
  takeWhile: ({ below }) => [
    (d) => d.takeWhile(({ v }) => numberIn(v) < below),
    (a) => a.slice(0, a.some((x) => x >= below) ? a.findIndex((x) => x >= below) : undefined),
  ],
  shard: ({ count }) => [(d) => d.shard(count, 0), (a) => a.filter((_, i) => i % count === 0)],
  repeat: ({ count }) => [(d) => d.repeat(count), (a) => Array.from({ length: count }, () => a).flat()],
  prefetch: ({ count, maxBytes }) => [(d) => d.prefetch({ elements: count, maxBytes }), (a) => a],
  concatenate: () => [(d) => d.concatenate(source(3)), (a) => [...a, 0, 1, 2]],
  zip: ({ nested }) => [
    (d) =>
      tf.data
        .zip(nested ? { l: d, r: [source(5)] } : [d, source(5)])
        .map((x) => ({ v: x.l ? x.l.v.add(x.r[0].v) : x[0].v.add(x[1].v) })),
    (a) => a.slice(0, 5).map((x, i) => x + i),
  ],
  interleave: ({ cycleLength }) => [
    (d) =>
      d.interleave(
        ({ v }) => {
          const n = numberIn(v);
          return source(2).map((x) => ({ v: x.v.add(n) }));
        },
        { cycleLength },
      ),
    (a) =>
      interleaved(
        a.map((x) => [x, x + 1]),
        cycleLength,
      ),
  ],
  window: ({ size, shift, small }) => [
    (d) => d.window(size, { shift, smallLast: small }).map((rows) => ({ v: tf.addN(rows.map(({ v }) => v)) })),
    (a) =>
      chunks(a, size, shift)
        .filter((rows) => small || rows.length === size)
        .map((rows) => rows.reduce((x, y) => x + y, 0)),
  ],
  batch: ({ size, small }) => [
    (d) =>
      d
        .map(({ v }) => ({ v }))
        .batch(size, small)
        .map(({ v }) => ({ v: v.sum(0) })),
    (a) =>
      chunks(a, size, size)
        .filter((rows) => small || rows.length === size)
        .map((rows) => rows.reduce((x, y) => x + y, 0)),
  ],
  rebatch: ({ size }) => [
    (d) =>
      d
        .map(({ v }) => ({ v }))
        .batch(size)
        .unbatch(),
    (a) => a,
  ],
  cache: () => [(d, caches) => caches[caches.push(d.cache()) - 1], (a) => a],
  fail: ({ at }) => {
    let i = 0;
    return [
      (d) =>
        d.map((x) => {
          if (i++ === at) throw new Error('failed on purpose');
          return x;
        }),
      (a) => (a.length > at ? [...a.slice(0, at), new Error()] : a),
    ];
  },
};

export const numberIn = (tensor) => tensor.dataSync()[0];
export const source = (size) =>
  tf.data.generator(function* () {
    for (let i = 0; i < size; i++) yield { v: tf.tensor1d([i]) };
  });

function chunks(array, size, shift) {
  const result = [];
  for (let i = 0; i < array.length; i += shift) result.push(array.slice(i, i + size));
  return result;
}

function interleaved(lists, cycleLength) {
  const waiting = lists.map((list) => [...list]);
  const open = waiting.splice(0, cycleLength);
  const result = [];
  for (let turn = 0; open.length > 0; ) {
    turn %= open.length;
    if (open[turn].length > 0) result.push(open[turn++].shift());
    else if (waiting.length > 0) open[turn++] = waiting.shift();
    else open.splice(turn, 1);
  }
  return result;
}
