// Graph ops of strings, complex numbers, and sparse and ragged tensors: each against the op itself.
import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';
import { graph, load, node } from './graphs.mjs';

const kTypes = { float32: 'DT_FLOAT', int32: 'DT_INT32', string: 'DT_STRING', complex64: 'DT_COMPLEX64' };
const base64 = (s) => ({ s: Buffer.from(s).toString('base64') });
const words = (...list) => ({ list: { s: list.map((s) => base64(s).s) } });
const ints = (...list) => ({ list: { i: list.map(String) } });
const described = (tensor) => ({ shape: tensor.shape, dtype: tensor.dtype, values: tensor.arraySync() });

/** Checks that a node on placeholders returns what the op returns. */
async function same(op, attr, inputs, expected) {
  await leavesNothingAsync(async () => {
    const given = inputs();
    const wanted = [tf.tidy(() => expected(...given))].flat();
    const names = given.map((_, i) => `x${i}`);
    const placeholders = given.map(({ dtype }, i) =>
      node(names[i], 'Placeholder', [], { dtype: { type: kTypes[dtype] } }),
    );
    const model = load(graph([...placeholders, node('y', op, names, attr)]));
    const feed = Object.fromEntries(names.map((name, i) => [name, given[i]]));
    const outputs = wanted.map((_, i) => `y:${i}`);
    for (const results of [model.execute(feed, outputs), await model.executeAsync(feed, outputs)]) {
      const list = [results].flat();
      const read = (tensor) =>
        tensor.dtype === 'complex64'
          ? tf.tidy(() => [tf.real(tensor), tf.imag(tensor)].map(described))
          : described(tensor);
      assert.deepEqual(list.map(read), wanted.map(read));
      tf.dispose(list);
    }
    tf.dispose([given, wanted]);
    model.dispose();
  });
}

const complexNumbers = () =>
  tf.tidy(() =>
    tf.complex(
      tf.tensor2d([
        [1, 2, 3],
        [4, 5, 6],
      ]),
      tf.tensor2d([
        [0, 1, 0],
        [2, 0, -1],
      ]),
    ),
  );

test('complex numbers are composed, decomposed and transformed', async () => {
  await same(
    'Complex',
    {},
    () => [tf.tensor1d([1, 2]), tf.tensor1d([3, 4])],
    (a, b) => tf.complex(a, b),
  );
  await same(
    'Real',
    {},
    () => [complexNumbers()],
    (x) => tf.real(x),
  );
  await same(
    'Imag',
    {},
    () => [complexNumbers()],
    (x) => tf.imag(x),
  );
  await same(
    'ComplexAbs',
    {},
    () => [complexNumbers()],
    (x) => tf.abs(x),
  );
  await same(
    'FFT',
    {},
    () => [complexNumbers()],
    (x) => tf.spectral.fft(x),
  );
  await same(
    'IFFT',
    {},
    () => [complexNumbers()],
    (x) => tf.spectral.ifft(x),
  );
  await same(
    'IRFFT',
    {},
    () => [complexNumbers()],
    (x) => tf.spectral.irfft(x),
  );
});

test('lengths of Fourier transforms are honoured', async () => {
  const real = () =>
    tf.tensor2d([
      [1, 2, 3, 4],
      [0, -1, 1, 0],
    ]);
  await same(
    'RFFT',
    {},
    () => [real()],
    (x) => tf.spectral.rfft(x),
  );
  for (const length of [2, 4, 6])
    await same(
      'RFFT',
      {},
      () => [real(), tf.tensor1d([length], 'int32')],
      (x) => tf.spectral.rfft(x, length),
    );
  await same(
    'IRFFT',
    {},
    () => [complexNumbers(), tf.tensor1d([4], 'int32')],
    (x) => tf.spectral.irfft(x),
  );
  await same(
    'IRFFT',
    {},
    () => [complexNumbers(), tf.tensor1d([2], 'int32')],
    (x) => tf.spectral.irfft(tf.slice(x, [0, 0], [2, 2])),
  );
  await assert.rejects(
    same(
      'IRFFT',
      {},
      () => [complexNumbers(), tf.tensor1d([5], 'int32')],
      (x) => tf.spectral.irfft(x),
    ),
    /expected an even fft_length of at most 4, got 5/,
  );
});

test('strings are split, joined, hashed and replaced', async () => {
  const texts = () => tf.tensor1d(['Ab c', 'd', '', 'e  f'], 'string');
  for (const skip of [true, false]) {
    await same(
      'StringSplit',
      { skip_empty: { b: skip } },
      () => [texts(), tf.scalar(' ', 'string')],
      (x, by) => {
        const { indices, values, shape } = tf.string.stringSplit(x, by, skip);
        return [indices, values, shape];
      },
    );
  }
  const attr = {
    separator: base64('|'),
    ngram_widths: ints(1, 2),
    left_pad: base64('LP'),
    right_pad: base64('RP'),
    pad_width: { i: '-1' },
    preserve_short_sequences: { b: false },
  };
  await same(
    'StringNGrams',
    attr,
    () => [texts(), tf.tensor1d([0, 3, 4], 'int32')],
    (x, splits) => {
      const { nGrams, nGramsSplits } = tf.string.stringNGrams(x, splits, '|', [1, 2], 'LP', 'RP', -1, false);
      return [nGrams, nGramsSplits];
    },
  );
  await same(
    'StringToHashBucketFast',
    { num_buckets: { i: '10' } },
    () => [texts()],
    (x) => tf.string.stringToHashBucketFast(x, 10),
  );
  const replace = { pattern: base64('([A-Z]) ?'), rewrite: base64('<\\1$>'), replace_global: { b: true } };
  await same(
    'StaticRegexReplace',
    { ...replace, pattern: base64('([Ace])') },
    () => [texts()],
    () => tf.tensor1d(['<A$>b <c$>', 'd', '', '<e$>  f'], 'string'),
  );
  await same(
    'StaticRegexReplace',
    { pattern: base64(' '), rewrite: base64('é'), replace_global: { b: false } },
    () => [texts()],
    () => tf.tensor1d(['Abéc', 'd', '', 'eé f'], 'string'),
  );
});

test('sparse tensors are filled, reshaped and summed', async () => {
  const places = () =>
    tf.tensor2d(
      [
        [0, 0],
        [1, 0],
        [3, 1],
      ],
      [3, 2],
      'int32',
    );
  await same(
    'SparseFillEmptyRows',
    {},
    () => [places(), tf.tensor1d([0, 10, 20]), tf.tensor1d([5, 6], 'int32'), tf.scalar(-1)],
    (indices, values, shape, missing) => Object.values(tf.sparse.sparseFillEmptyRows(indices, values, shape, missing)),
  );
  await same(
    'SparseReshape',
    {},
    () => [places(), tf.tensor1d([4, 2], 'int32'), tf.tensor1d([2, -1], 'int32')],
    (indices, from, to) => Object.values(tf.sparse.sparseReshape(indices, from, to)),
  );
  const rows = () => [
    tf.tensor2d([
      [1, 2],
      [-1, -2],
      [6, 7],
    ]),
    tf.tensor1d([0, 1, 2], 'int32'),
    tf.tensor1d([0, 0, 2], 'int32'),
  ];
  await same('SparseSegmentSum', {}, rows, (...x) => tf.sparse.sparseSegmentSum(...x));
  await same('SparseSegmentMean', {}, rows, (...x) => tf.sparse.sparseSegmentMean(...x));
});

test('ragged tensors are gathered, created and padded', async () => {
  const splits = () => tf.tensor1d([0, 3, 3, 7, 9], 'int32');
  const values = () => tf.tensor1d([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
  await same(
    'RaggedGather',
    {},
    () => [splits(), values(), tf.tensor1d([2, 1, 0, 3], 'int32')],
    (rows, dense, indices) => {
      const { outputNestedSplits, outputDenseValues } = tf.raggedGather([rows], dense, indices, 1);
      return [...outputNestedSplits, outputDenseValues];
    },
  );
  await same(
    'RaggedRange',
    {},
    () => [tf.tensor1d([0, 5]), tf.tensor1d([3, 1]), tf.tensor1d([1, -2])],
    (...x) => Object.values(tf.raggedRange(...x)),
  );
  const types = { row_partition_types: words('FIRST_DIM_SIZE', 'ROW_SPLITS') };
  const dense = () => [tf.tensor1d([4, 4], 'int32'), values(), tf.scalar(1.5), tf.scalar(4, 'int32'), splits()];
  await same('RaggedTensorToTensor', types, dense, (shape, given, missing, ...partitions) =>
    tf.raggedTensorToTensor(shape, given, missing, partitions, ['FIRST_DIM_SIZE', 'ROW_SPLITS']),
  );
  await assert.rejects(
    same('RaggedTensorToTensor', { row_partition_types: words('NONE', 'ROW_SPLITS') }, dense, () => tf.scalar(0)),
    /unknown row partition type 'NONE' \(in the node "y", op RaggedTensorToTensor\)/,
  );
});

test('constants may be strings', async () => {
  const texts = ['a', '', 'é'].map((text) => Buffer.from(text));
  const bytes = Buffer.concat(texts.flatMap((text) => [Buffer.from(Uint32Array.of(text.length).buffer), text]));
  await leavesNothingAsync(async () => {
    const model = load({
      ...graph([
        node('words', 'Const'),
        node('y', 'StringToHashBucketFast', ['words'], { num_buckets: { i: '1000' } }),
      ]),
      weightSpecs: [{ name: 'words', shape: [3], dtype: 'string' }],
      weightData: Uint8Array.from(bytes).buffer,
    });
    assert.deepEqual(model.weights.words[0].arraySync(), ['a', '', 'é']);
    const y = model.predict({});
    const expected = tf.string.stringToHashBucketFast(['a', '', 'é'], 1000);
    assert.deepEqual(y.arraySync(), expected.arraySync());
    tf.dispose([y, expected]);
    model.dispose();
  });
});
