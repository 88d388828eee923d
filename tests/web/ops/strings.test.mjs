import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

test('strings are stored and read back, whatever their contents', async () => {
  await leavesNothingAsync(async () => {
    const given = [
      ['', 'a'],
      ['grüße 🌍', 'x\0y'],
      ['\ud800', 'é'.repeat(300)],
    ];
    const x = tf.tensor(given);
    assert.equal(x.dtype, 'string');
    assert.deepEqual(x.shape, [3, 2]);
    const want = given.map((row) => row.map((text) => text.replace('\ud800', '\ufffd')));
    assert.deepEqual(x.arraySync(), want);
    assert.deepEqual(await x.data(), want.flat());
    assert.deepEqual(
      (await x.bytes()).map(String),
      want.flat().map((text) => String(new TextEncoder().encode(text))),
    );
    const again = tf.tensor(x.bytesSync(), [3, 2], 'string');
    assert.deepEqual(again.arraySync(), want);
    const one = tf.scalar('a');
    assert.equal(one.toString(), 'Tensor\n    a');
    one.dispose();
    tf.dispose([x, again]);
    const none = tf.tensor([], [0, 5], 'string');
    assert.deepEqual([none.dataSync(), none.arraySync(), none.bytesSync()], [[], [], []]);
    none.dispose();
  });
});

test('strings count by their bytes, and twice with a view', () => {
  leavesNothing(() => {
    const before = tf.memory();
    const x = tf.tensor(['ab', 'ü', '']);
    const y = x.reshape([3, 1]);
    const after = tf.memory();
    assert.equal(after.numTensors - before.numTensors, 2);
    assert.equal(after.numDataBuffers - before.numDataBuffers, 1);
    assert.equal(after.numBytes - before.numBytes, 8);
    assert.equal(after.unreliable, false);
    x.dispose();
    assert.deepEqual(y.arraySync(), [['ab'], ['ü'], ['']]);
    y.dispose();
    assert.throws(() => y.dataSync(), tf.DisposedError);
  });
});

test('ops that move elements move strings', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const x = tf.tensor([
        ['a', 'b'],
        ['c', 'd'],
      ]);
      assert.deepEqual(x.transpose().arraySync(), [
        ['a', 'c'],
        ['b', 'd'],
      ]);
      assert.deepEqual(tf.concat([x, [['e', 'f']]]).arraySync(), [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ]);
      assert.deepEqual(tf.stack(['a', 'b']).arraySync(), ['a', 'b']);
      assert.deepEqual(tf.reshape(['a', 'b'], [2, 1]).arraySync(), [['a'], ['b']]);
      assert.deepEqual(tf.squeeze(tf.expandDims(['a', 'b'])).arraySync(), ['a', 'b']);
      assert.deepEqual(tf.clone(['a']).arraySync(), ['a']);
      const named = tf.variable(['a', 'b'], false);
      assert.deepEqual(named.dataSync(), ['a', 'b']);
      named.dispose();
      assert.deepEqual(x.slice([1, 0], [1, 2]).arraySync(), [['c', 'd']]);
      assert.deepEqual(x.gather([1, 1]).arraySync(), [
        ['c', 'd'],
        ['c', 'd'],
      ]);
      assert.deepEqual(x.reverse(1).arraySync(), [
        ['b', 'a'],
        ['d', 'c'],
      ]);
      assert.deepEqual(x.tile([1, 2]).arraySync(), [
        ['a', 'b', 'a', 'b'],
        ['c', 'd', 'c', 'd'],
      ]);
      assert.deepEqual(tf.where([[true], [false]], x, 'no').arraySync(), [
        ['a', 'b'],
        ['no', 'no'],
      ]);
      assert.deepEqual(x.equal('b').arraySync(), [
        [0, 1],
        [0, 0],
      ]);
      assert.deepEqual(
        tf.unstack(x).map((row) => row.arraySync()),
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      );
      assert.deepEqual(tf.fill([2, 2], 'z').arraySync(), [
        ['z', 'z'],
        ['z', 'z'],
      ]);
      assert.deepEqual(tf.fill([0, 2], 'z').shape, [0, 2]);
      assert.deepEqual(x.clone().squeeze().expandDims(0).shape, [1, 2, 2]);
    });
  });
});

test('arithmetic ops refuse strings by name, and leak nothing', () => {
  leavesNothing(() => {
    const x = tf.tensor(['a', 'b']);
    const y = tf.tensor([1, 2]);
    for (const [name, call] of Object.entries({
      add: () => x.add(1),
      sub: () => tf.sub(['a'], y),
      relu: () => x.relu(),
      sum: () => x.sum(),
      matMul: () => tf.matMul([['a']], [['b']]),
      pad: () => x.pad([[1, 1]]),
      softmax: () => x.softmax(),
      argMax: () => x.argMax(),
      oneHot: () => tf.oneHot(x, 3),
    })) {
      assert.throws(call, /tensor, but got string tensor/, name);
    }
    assert.throws(() => tf.concat([x, y]), /Can not upcast string with float32/);
    assert.throws(() => x.equal(1), /Can not upcast string with float32/);
    assert.throws(() => x.cast('float32'), /Only strings can be casted to strings/);
    assert.throws(() => tf.zerosLike(x), /zerosLike is not supported for string tensors/);
    assert.throws(() => x.gather([2]), /index value 2/);
    assert.throws(() => tf.grad((a) => a.add(1))(x), /string/);
    tf.dispose([x, y]);
  });
});

test('tf.string', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const { indices, values, shape } = tf.string.stringSplit(['a b', '', ' c'], ' ');
      assert.deepEqual(values.arraySync(), ['a', 'b', 'c']);
      assert.deepEqual(indices.arraySync(), [
        [0, 0],
        [0, 1],
        [2, 0],
      ]);
      assert.deepEqual(shape.arraySync(), [3, 2]);
      assert.throws(() => tf.string.stringSplit('a', ' '), /Input should be Tensor1D/);
      const { nGrams, nGramsSplits } = tf.string.stringNGrams(
        ['a', 'b', 'c'],
        tf.tensor1d([0, 3], 'int32'),
        '-',
        [2],
        '<',
        '>',
        1,
        false,
      );
      assert.deepEqual(nGrams.arraySync(), ['<-a', 'a-b', 'b-c', 'c->']);
      assert.deepEqual(nGramsSplits.arraySync(), [0, 4]);
      assert.deepEqual(tf.string.staticRegexReplace(['a1b22'], '[0-9]+', '#').arraySync(), ['a#b#']);
      assert.deepEqual(tf.string.staticRegexReplace(['a1b22'], '[0-9]+', '#', false).arraySync(), ['a#b22']);
      assert.throws(() => tf.string.staticRegexReplace(['a'], '(', ''), SyntaxError);
      const large = tf.string.stringToHashBucketFast(['a', 'b'], 2 ** 45);
      assert.equal(large.dtype, 'int32');
      assert.deepEqual(
        tf.string
          .stringToHashBucketFast(
            [
              ['a', 'b'],
              ['c', 'd'],
            ],
            10,
          )
          .arraySync(),
        [
          [9, 2],
          [2, 5],
        ],
      );
    });
  });
});

test('sparse and ragged tensors', () => {
  leavesNothing(() => {
    tf.tidy(() => {
      const filled = tf.sparse.sparseFillEmptyRows(
        [
          [0, 1],
          [2, 0],
        ],
        ['a', 'b'],
        [3, 2],
        'none',
      );
      assert.deepEqual(filled.outputValues.arraySync(), ['a', 'none', 'b']);
      assert.deepEqual(filled.outputIndices.arraySync(), [
        [0, 1],
        [1, 0],
        [2, 0],
      ]);
      assert.deepEqual(filled.emptyRowIndicator.arraySync(), [0, 1, 0]);
      const { outputNestedSplits, outputDenseValues } = tf.raggedGather([[0, 2, 2, 3]], ['a', 'b', 'c'], [2, 0], 1);
      assert.deepEqual(
        outputNestedSplits.map((splits) => splits.arraySync()),
        [[0, 1, 3]],
      );
      assert.deepEqual(outputDenseValues.arraySync(), ['c', 'a', 'b']);
      const dense = tf.raggedTensorToTensor(-1, ['a', 'b', 'c'], '', [[0, 2, 2, 3]], ['ROW_SPLITS']);
      assert.deepEqual(dense.arraySync(), [
        ['a', 'b'],
        ['', ''],
        ['c', ''],
      ]);
      assert.throws(() => tf.raggedTensorToTensor(-1, [1], 0, [[0, 1]], ['NONE']), /unknown row partition type 'NONE'/);
      assert.throws(() => tf.sparse.sparseReshape([[0]], [1], [2147483648]), /must be non-negative/);
    });
  });
});

test('strings are weights too, with their exact bytes', async () => {
  await leavesNothingAsync(async () => {
    const bytes = [Uint8Array.of(255, 0, 7), Uint8Array.of(), new TextEncoder().encode('ü')];
    const text = tf.tensor(bytes, [3], 'string');
    const z = tf.complex([1, 2], [3, 4]);
    const { data, specs } = await tf.io.encodeWeights({ text, z });
    const decoded = tf.io.decodeWeights(data, specs);
    assert.deepEqual(decoded.text.bytesSync(), bytes);
    assert.deepEqual([...decoded.z.dataSync()], [1, 3, 2, 4]);
    assert.throws(() => tf.io.decodeWeights(data.slice(0, 9), specs), /Weight 'text'/);
    tf.dispose([text, z, decoded]);
  });
});
