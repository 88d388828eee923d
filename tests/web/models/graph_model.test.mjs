import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';
import { graph, load, node, placeholder } from './graphs.mjs';

const affine = (rest) =>
  graph(
    [
      placeholder('x', [-1, 2]),
      node('scaled', 'Mul', ['x', 'w']),
      node('y', 'AddV2', ['scaled', 'b']),
      node('z', 'Relu', ['y']),
    ],
    { weights: { w: { values: Float32Array.of(2, -1) }, b: { values: Float32Array.of(1, 0) } }, ...rest },
  );

/** Runs `body` with a model and an input, and checks that everything is disposed. */
function withModel(artifacts, body) {
  leavesNothing(() => {
    const model = load(artifacts);
    const x = tf.tensor2d([[1, 2]]);
    try {
      tf.tidy(() => body(model, x));
    } finally {
      x.dispose();
      model.dispose();
    }
  });
}

test('a graph model predicts, and frees everything', () => {
  withModel(affine(), (model, x) => {
    const before = tf.memory().numTensors;
    for (let i = 0; i < 3; i++) assertTensor(model.predict(x), [1, 2], [3, 0]);
    assert.equal(tf.memory().numTensors, before + 3);
    const [scaled, y] = model.execute({ x }, ['scaled', 'y:0']);
    assertTensor(scaled, [1, 2], [2, -2]);
    assertTensor(y, [1, 2], [3, -2]);
    assertTensor(model.execute(x, 'y'), [1, 2], [3, -2]);
    assertTensor(model.execute({ scaled: x }, 'z'), [1, 2], [2, 2]);
    assertTensor(model.weights.w[0], [2], [2, -1]);
    // An output that is an input or a weight is a tensor of its own.
    const [same, w] = model.execute(x, ['x', 'w']);
    tf.dispose([same, w]);
    assertTensor(x, [1, 2], [1, 2]);
    assertTensor(model.weights.w[0], [2], [2, -1]);
  });
});

test('a disposed graph model refuses calls', () => {
  const model = load(affine());
  const [w] = model.weights.w;
  model.dispose();
  model.dispose();
  assert.equal(w.isDisposed, true);
  assert.throws(() => model.execute(w), /already disposed/);
});

test('a graph model describes itself', () => {
  withModel(affine({ userDefinedMetadata: { by: 'us' } }), (model) => {
    assert.deepEqual(model.inputs, [{ name: 'x', shape: [-1, 2], dtype: 'float32' }]);
    assert.deepEqual(model.inputNodes, ['x']);
    assert.deepEqual(model.outputNodes, ['z']);
    assert.equal(model.outputs[0].name, 'z');
    assert.equal(model.modelVersion, '1.2');
    assert.deepEqual(model.metadata, { by: 'us' });
    assert.equal(model.modelSignature, undefined);
  });
});

test('a signature names inputs and outputs, and structured outputs are named', () => {
  const signature = {
    inputs: { picture: { name: 'x:0' } },
    outputs: { positive: { name: 'z:0' }, raw: { name: 'y:0' } },
  };
  const artifacts = affine({ signature, userDefinedMetadata: { structuredOutputKeys: ['a', 'b'] } });
  withModel(artifacts, (model, x) => {
    assert.deepEqual(model.inputNodes, ['picture']);
    assert.deepEqual(model.outputNodes, ['positive', 'raw']);
    assert.deepEqual(model.modelSignature, signature);
    const { a, b } = model.predict({ picture: x });
    assertTensor(a, [1, 2], [3, 0]);
    assertTensor(b, [1, 2], [3, -2]);
    assertTensor(model.execute(x, 'raw'), [1, 2], [3, -2]);
    assertTensor(model.execute({ x }, 'y'), [1, 2], [3, -2]);
  });
});

test('mismatched inputs throw, and leak nothing', () => {
  withModel(affine(), (model, x) => {
    const wide = tf.zeros([1, 3]);
    const whole = tf.zeros([1, 2], 'int32');
    const gone = tf.zeros([1, 2]);
    gone.dispose();
    const before = tf.memory().numTensors;
    assert.throws(
      () => model.predict(wide),
      /The shape of dict\['x'\] provided in model.execute\(dict\) must be \[-1,2\], but was \[1,3\]/,
    );
    assert.throws(() => model.predict(whole), /The dtype of dict\['x'\] .* must be float32, but was int32/);
    assert.throws(
      () => model.predict([x, x]),
      /Input tensor count mismatch, the graph model has 1 non-resource placeholders, while there are 2/,
    );
    assert.throws(
      () => model.predict({}),
      /Cannot compute the outputs \[z\] from the provided inputs \[\]. Missing the following inputs: \[x\]/,
    );
    assert.throws(() => model.predict({ q: x }), /keys: \[q\] that are not part of graph/);
    assert.throws(() => model.execute(x, 'q'), /The output 'q' is not found in the graph/);
    assert.throws(() => model.execute({ x: 7 }), /expects a Tensor for its input x, but got 'Number'/);
    assert.throws(() => model.predict(gone), { name: 'DisposedError' });
    assert.equal(tf.memory().numTensors, before);
    assertTensor(model.predict(x), [1, 2], [3, 0]);
  });
});

test('an invalid file throws an error that names the node, and leaks nothing', () => {
  leavesNothing(() => {
    assert.throws(
      () => load(graph([node('a', 'Relu', ['b'])])),
      /the node "a" \(Relu\) cannot be connected: there is no node "b"/,
    );
    assert.throws(
      () => load(graph([placeholder('x'), node('odd', 'NoSuchOp', ['x'])])),
      /the op NoSuchOp is not supported: the node "odd" needs it/,
    );
    assert.throws(
      () => load(graph([node('a', 'Relu', ['a'])])),
      /the node "a" is its own input: the graph has a cycle/,
    );
    assert.throws(
      () => load(graph([node('c', 'Const'), node('y', 'Relu', ['c'])])),
      /the node "c" \(Const\) has no weight of its name/,
    );
    assert.throws(() => load({ ...affine(), weightData: new ArrayBuffer(9) }), /weight "b" .* ends after 1 of them/);
    assert.throws(() => load({ modelTopology: {} }), /no nodes/);
    assert.throws(() => load({}), /Unknown model format/);
    assert.throws(() => load(null), /cannot be null/);
  });
});

test('a graph model is loaded from every kind of source, and saved', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-graph-'));
  try {
    await leavesNothingAsync(async () => {
      const artifacts = affine();
      const { weightSpecs, weightData, ...description } = artifacts;
      const json = { ...description, weightsManifest: [{ paths: ['w.bin'], weights: weightSpecs }] };
      const models = [
        await tf.loadGraphModel({ load: async () => artifacts }),
        await tf.loadGraphModel(tf.io.fromMemory(artifacts)),
        tf.loadGraphModelSync([json, weightData]),
        tf.loadGraphModelSync(tf.io.fromMemorySync(artifacts)),
      ];
      await models[0].save(`file://${folder}`);
      models.push(await tf.loadGraphModel(`file://${folder}/model.json`));
      const x = tf.tensor2d([[1, 2]]);
      for (const model of models) {
        const y = await model.predictAsync(x);
        assertTensor(y, [1, 2], [3, 0]);
        y.dispose();
        model.dispose();
      }
      x.dispose();
      await assert.rejects(tf.loadGraphModel(null), /cannot be null/);
      await assert.rejects(models[0].executeAsync(x), /already disposed/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('gradients propagate through a graph model', () => {
  withModel(affine(), (model, x) => {
    const g = tf.grad((x) => model.predict(x).square().sum())(x);
    assertTensor(g, [1, 2], [12, 0]);
  });
});

test('interleaved scopes own their own predictions', async () => {
  await leavesNothingAsync(async () => {
    const model = load(affine());
    const x = tf.tensor2d([[1, 2]]);
    const run = (name) =>
      tf.scopeAsync(async () => {
        const y = await model.executeAsync(x);
        await null;
        return [name, ...(await y.data())];
      });
    assert.deepEqual(await Promise.all([run('a'), run('b')]), [
      ['a', 3, 0],
      ['b', 3, 0],
    ]);
    x.dispose();
    model.dispose();
  });
});

test('a loop with a data-dependent length leaks nothing, whatever fails', async () => {
  const frame = { frame_name: { s: btoa('f') } };
  const nodes = [
    placeholder('x'),
    placeholder('n'),
    node('e_i', 'Enter', ['zero'], frame),
    node('e_x', 'Enter', ['x'], frame),
    node('e_n', 'Enter', ['n'], { ...frame, is_constant: { b: true } }),
    node('m_i', 'Merge', ['e_i', 'n_i']),
    node('m_x', 'Merge', ['e_x', 'n_x']),
    node('less', 'Less', ['m_i', 'e_n']),
    node('cond', 'LoopCond', ['less']),
    node('s_i', 'Switch', ['m_i', 'cond']),
    node('s_x', 'Switch', ['m_x', 'cond']),
    node('more', 'AddV2', ['s_i:1', 'one']),
    node('product', 'MatMul', ['s_x:1', 'w']),
    node('n_i', 'NextIteration', ['more']),
    node('n_x', 'NextIteration', ['product']),
    node('y', 'Exit', ['s_x']),
  ];
  const weights = {
    zero: { values: Float32Array.of(0), shape: [] },
    one: { values: Float32Array.of(1), shape: [] },
    w: { values: Float32Array.of(2, 0, 0, 2), shape: [2, 2] },
  };
  await leavesNothingAsync(async () => {
    const model = load(graph(nodes, { weights }));
    const x = tf.tensor2d([[1, 2]]);
    const wrong = tf.tensor2d([[1, 2, 3]]);
    const before = tf.memory().numTensors;
    for (const n of [0, 1, 4]) {
      const count = tf.scalar(n);
      const y = await model.executeAsync({ x, n: count });
      assertTensor(y, [1, 2], [2 ** n, 2 * 2 ** n]);
      tf.dispose([y, count]);
    }
    const count = tf.scalar(3);
    await assert.rejects(model.executeAsync({ x: wrong, n: count }), /\(in the node "product", op MatMul\)/);
    count.dispose();
    assert.equal(tf.memory().numTensors, before);
    tf.dispose([x, wrong]);
    model.dispose();
  });
});

test('lookup tables are filled by an initializer', () => {
  const table = { key_dtype: { type: 'DT_INT32' }, value_dtype: { type: 'DT_FLOAT' } };
  const weights = {
    keys: { values: Int32Array.of(3, -1) },
    values: { values: Float32Array.of(30, -10) },
    none: { values: Float32Array.of(0.5), shape: [] },
  };
  const modelInitializer = {
    node: [
      node('keys', 'Const'),
      node('values', 'Const'),
      node('table', 'HashTableV2', [], table),
      node('fill', 'LookupTableImportV2', ['table', 'keys', 'values']),
    ],
  };
  const nodes = [placeholder('x'), node('y', 'LookupTableFindV2', ['table', 'x', 'none'])];
  nodes[0].attr.dtype.type = 'DT_INT32';
  const own = graph([...nodes, node('table', 'HashTableV2', [], table), node('n', 'LookupTableSizeV2', ['table'])], {
    weights,
    modelInitializer,
  });
  const captured = graph([...nodes, node('table', 'Placeholder', [], { dtype: { type: 'DT_RESOURCE' } })], {
    weights,
    modelInitializer,
    signature: {
      inputs: { x: { name: 'x:0' }, t: { name: 'table:0', resourceId: 7 } },
      outputs: { y: { name: 'y:0' } },
    },
    initializerSignature: { outputs: { made: { name: 'table:0', resourceId: 7 } } },
  });
  for (const artifacts of [own, captured]) {
    leavesNothing(() => {
      const model = load(artifacts);
      const x = tf.tensor2d([[3, 4, -1]], undefined, 'int32');
      const y = model.execute(x, 'y');
      assertTensor(y, [1, 3], [30, 0.5, -10]);
      tf.dispose([x, y]);
      model.dispose();
    });
  }
});

test('a GraphModel constructed directly is loaded in steps', async () => {
  await leavesNothingAsync(async () => {
    const artifacts = affine();
    let loads = 0;
    const model = new tf.GraphModel({ load: async () => (loads++, artifacts) });
    assert.equal(model.executor, undefined);
    assert.throws(() => model.inputs, /not loaded: call and await its load\(\) first/);
    model.findIOHandler();
    assert.equal(model.loadSync(await model.handler.load()), true);
    assert.equal(loads, 1);
    assert.deepEqual(model.inputNodes, ['x']);
    assert.equal(model.executor.graph.nodes.scaled.op, 'Mul');
    assert.equal(model.artifacts.weightData, undefined);
    const x = tf.tensor2d([[1, 2]]);
    const y = model.predict(x);
    assertTensor(y, [1, 2], [3, 0]);
    tf.dispose([x, y]);
    model.dispose();

    const sync = new tf.GraphModel({ load: () => artifacts });
    assert.equal(sync.load(), true);
    // Another load replaces the first, and a failed one keeps it.
    assert.equal(sync.loadSync(artifacts), true);
    assert.throws(() => sync.loadSync({ ...artifacts, modelTopology: {} }), /no nodes/);
    assert.deepEqual(sync.outputNodes, ['z']);
    sync.dispose();
    assert.throws(() => new tf.GraphModel('nowhere://model.json').findIOHandler(), /Cannot find any load handlers/);
    await assert.rejects(
      new tf.GraphModel({ load: async () => ({}) }).load(),
      /The model from the IO handler has no modelTopology/,
    );
  });
});

test('intermediate tensors are available on request', async () => {
  const flag = 'KEEP_INTERMEDIATE_TENSORS';
  await leavesNothingAsync(async () => {
    const model = load(affine());
    const x = tf.tensor2d([[1, 2]]);
    const call = async (way) => tf.dispose(await model[way]({ x }));
    await call('execute');
    assert.deepEqual(model.getIntermediateTensors(), {});
    tf.env().set(flag, true);
    try {
      const before = tf.memory().numTensors;
      for (const way of ['execute', 'executeAsync', 'execute']) {
        await call(way);
        const found = model.getIntermediateTensors();
        assert.deepEqual(Object.keys(found).sort(), ['b', 'scaled', 'w', 'x', 'y', 'z']);
        assertTensor(found.scaled[0], [1, 2], [2, -2]);
        assertTensor(found.z[0], [1, 2], [3, 0]);
        // The tensors of the previous call have been disposed.
        assert.equal(tf.memory().numTensors, before + 6);
      }
      const { x: kept } = model.getIntermediateTensors();
      model.disposeIntermediateTensors();
      assert.equal(kept[0].isDisposed, true);
      assert.equal(tf.memory().numTensors, before);
      assert.deepEqual(model.getIntermediateTensors(), {});
      tf.tidy(() => void model.execute({ x }));
      assertTensor(model.getIntermediateTensors().y[0], [1, 2], [3, -2]);
    } finally {
      tf.env().set(flag, false);
    }
    x.dispose();
    model.dispose();
  });
});
