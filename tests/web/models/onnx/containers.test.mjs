// Sequences and optional values as inputs and outputs of ONNX models.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import * as ort from '../../../../dist/ort/index.js';
import { onnxModel } from '../../../bench/onnx.mjs';
import { leavesNothingAsync } from '../../expect.mjs';

/** Returns the values of tensors in arrays, and null for null. */
const valuesOf = (value) => {
  if (value === null) return null;
  return Array.isArray(value) ? value.map(valuesOf) : value.arraySync();
};

const kSequence = { name: 's', shape: ['n'], container: 'sequence' };
const kOptional = { name: 'o', shape: ['n'], container: 'optional' };

/** Appends y to the sequence s: takes both, and returns the sequence, its length, and y. */
const appending = () =>
  onnxModel({
    nodes: [
      { op: 'SequenceInsert', inputs: ['s', 'y'], outputs: ['all'] },
      { op: 'SequenceLength', inputs: ['all'], outputs: ['count'] },
      { op: 'Neg', inputs: ['y'], outputs: ['negative'] },
    ],
    inputs: [kSequence, { name: 'y', shape: ['n'] }],
    outputs: [{ name: 'all', container: 'sequence' }, { name: 'count', type: 'int64' }, { name: 'negative' }],
  });

/** Splits x into a sequence of rows. */
const splitting = () =>
  onnxModel({
    nodes: [{ op: 'SplitToSequence', inputs: ['x'], outputs: ['rows'], attributes: { axis: 0 } }],
    input: { name: 'x', shape: ['n', 2] },
    output: { name: 'rows', container: 'sequence' },
  });

/** Returns an optional value as it is, and whether it has an element. */
const optional = () =>
  onnxModel({
    nodes: [
      { op: 'OptionalHasElement', inputs: ['o'], outputs: ['has'] },
      { op: 'Identity', inputs: ['o'], outputs: ['same'] },
    ],
    inputs: [kOptional],
    outputs: [
      { name: 'has', type: 'bool', shape: [] },
      { name: 'same', container: 'optional' },
    ],
    opsets: { '': 18 },
  });

test('a model takes and returns sequences as arrays of tensors, which the caller owns', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(appending());
    assert.equal(model.inputs[0].container, 'sequence');
    assert.equal(model.inputs[1].container, undefined);
    assert.equal(model.outputs[0].container, 'sequence');
    const y = tf.tensor1d([5, 6, 7]);
    for (const lengths of [[], [1], [2, 1], [1, 2, 3]]) {
      const s = lengths.map((length) => tf.ones([length]));
      const before = tf.memory().numTensors;
      const results = model.predict([s, y]);
      assert.equal(tf.memory().numTensors, before + lengths.length + 3);
      assert.deepEqual(valuesOf(results), [[...valuesOf(s), [5, 6, 7]], lengths.length + 1, [-5, -6, -7]]);
      // The results are tensors of their own.
      tf.dispose(s);
      assert.deepEqual(valuesOf(results[0]).at(-1), [5, 6, 7]);
      tf.dispose(results);
    }
    const some = [tf.ones([2])];
    const named = model.execute({ y, s: some }, ['negative', 'all']);
    const awaited = await model.executeAsync({ y, s: some }, 'all');
    const all = [
      [1, 1],
      [5, 6, 7],
    ];
    assert.deepEqual(valuesOf(named), [[-5, -6, -7], all]);
    assert.deepEqual(valuesOf(awaited), all);
    tf.dispose([named, awaited]);
    model.dispose();
    tf.dispose([y, some]);
  }));

test('a single sequence is one array, as an input and as an output', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(splitting());
    tf.tidy(() => {
      assert.deepEqual(
        valuesOf(
          model.predict(
            tf.tensor2d([
              [1, 2],
              [3, 4],
              [5, 6],
            ]),
          ),
        ),
        [[[1, 2]], [[3, 4]], [[5, 6]]],
      );
      assert.deepEqual(valuesOf(model.predict(tf.zeros([0, 2]))), []);
    });
    model.dispose();
    const length = await tf.loadOnnxModel(
      onnxModel({
        nodes: [{ op: 'SequenceLength', inputs: ['s'], outputs: ['count'] }],
        input: kSequence,
        output: { name: 'count', type: 'int64' },
      }),
    );
    tf.tidy(() => {
      assert.equal(length.predict([tf.ones([2]), tf.ones([3])]).arraySync(), 2);
      assert.equal(length.predict([[tf.ones([2])]]).arraySync(), 1);
      assert.equal(length.predict([]).arraySync(), 0);
    });
    length.dispose();
  }));

test('an optional value is a tensor or null', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(optional());
    tf.tidy(() => {
      assert.deepEqual(valuesOf(model.predict({ o: tf.tensor1d([1, 2]) })), [1, [1, 2]]);
      assert.deepEqual(valuesOf(model.predict({ o: null })), [0, null]);
      assert.deepEqual(valuesOf(model.predict(null)), [0, null]);
    });
    model.dispose();
  }));

test('gradients flow through sequences', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(appending());
    tf.tidy(() => {
      const loss = (y) =>
        model
          .predict([[tf.ones([2])], y])[0][1]
          .square()
          .sum();
      assert.deepEqual(
        tf
          .grad(loss)(tf.tensor1d([1, 2, 3]))
          .arraySync(),
        [2, 4, 6],
      );
    });
    model.dispose();
  }));

test('errors name the input and what it should be, and leave nothing', () =>
  leavesNothingAsync(async () => {
    const [model, other] = await Promise.all([tf.loadOnnxModel(appending()), tf.loadOnnxModel(optional())]);
    const y = tf.ones([3]);
    const disposed = tf.ones([3]);
    disposed.dispose();
    const run = (s) => () => model.execute({ s, y }, 'all');
    assert.throws(run(y), /expects an array of Tensors for its input s, but got .*Tensor/);
    assert.throws(run([y, 3]), /expects an array of Tensors for its input s, but got an array with/);
    assert.throws(run(null), /expects an array of Tensors for its input s, but got 'null'/);
    assert.throws(run([y, disposed]), { name: 'DisposedError' });
    assert.throws(() => model.execute({ s: [], y: [y] }, 'all'), /expects a Tensor for its input y, but got 'Array'/);
    assert.throws(() => other.execute({ o: [] }, 'has'), /expects a Tensor or null for its input o/);
    tf.tidy(() => {
      const wrong = tf.ones([2, 2]);
      assert.throws(
        run([wrong]),
        /The shape of dict\['s'\] provided in model\.execute\(dict\) must be \[-1\], but was \[2,2\]/,
      );
      assert.throws(run([tf.ones([2], 'int32')]), /The dtype of dict\['s'\].* must be float32, but was int32/);
    });
    y.dispose();
    model.dispose();
    other.dispose();
  }));

test('intermediate tensors of a model with sequences are refused', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(appending());
    const y = tf.ones([3]);
    tf.env().set('KEEP_INTERMEDIATE_TENSORS', true);
    try {
      const message =
        /KEEP_INTERMEDIATE_TENSORS is not supported for a model that takes or returns sequences or optional/;
      assert.throws(() => tf.tidy(() => model.predict([[], y])), message);
      await assert.rejects(model.executeAsync({ s: [], y }, 'all').then(tf.dispose), message);
      // A program without the sequences keeps them.
      tf.dispose(model.execute({ y }, 'negative'));
      assert.deepEqual(Object.keys(model.getIntermediateTensors()).sort(), ['negative', 'y']);
      model.disposeIntermediateTensors();
    } finally {
      tf.env().set('KEEP_INTERMEDIATE_TENSORS', false);
    }
    y.dispose();
    model.dispose();
  }));

test('an input that is no tensor is refused, and a null too if the model takes none', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(appending());
    for (const [value, type] of [
      [null, 'null'],
      [undefined, 'null'],
      [3, 'Number'],
    ]) {
      const message = new RegExp(
        `The graph model expects a Tensor, an array of inputs or inputs by name, but got .*${type}`,
        'i',
      );
      assert.throws(() => model.predict(value), message);
      assert.throws(() => model.execute(value, 'all'), message);
      await assert.rejects(model.predictAsync(value), message);
      await assert.rejects(model.executeAsync(value, 'all'), message);
    }
    model.dispose();
  }));

test('predictAsync() and executeAsync() take the values of predict()', () =>
  leavesNothingAsync(async () => {
    const model = await tf.loadOnnxModel(optional());
    const results = await model.predictAsync(null);
    const same = await model.executeAsync({ o: null }, 'same');
    assert.deepEqual([valuesOf(results), valuesOf(same)], [[0, null], null]);
    tf.dispose(results);
    model.dispose();
  }));

test('a sequence of sequences is refused by its name', () =>
  leavesNothingAsync(() =>
    assert.rejects(
      tf.loadOnnxModel(
        onnxModel({
          nodes: [{ op: 'Identity', inputs: ['s'], outputs: ['t'] }],
          input: { ...kSequence, container: 'sequence sequence' },
          output: { name: 't', container: 'sequence' },
        }),
      ),
      /the input "s": it is a map, a sparse tensor or a sequence of other than tensors/,
    ),
  ));

test('sessions of tenure/ort refuse values that are no tensors, as onnxruntime-web has none', () =>
  leavesNothingAsync(() =>
    assert.rejects(
      ort.InferenceSession.create(appending()),
      /The input "s" is a sequence, not a tensor\. Sessions take and return only tensors, as in onnxruntime-web; tf\.loadOnnx/,
    ),
  ));
