// Each op and each allocation of a model with a loop fails once, also in registered ops that return promises.
import { test } from 'node:test';
import * as tf from '../../../dist/debug/index.js';
import { counts, inUse } from '../common.mjs';
import { assert, pause } from '../expect.mjs';
import { graph, node, placeholder } from './graphs.mjs';

const frame = { frame_name: { s: Buffer.from('loop').toString('base64') } };
const constant = { ...frame, is_constant: { b: true } };

/** x doubles in a JavaScript op, and i counts, while i < n. */
const loop = () =>
  graph(
    [
      placeholder('x', [2]),
      node('n', 'Placeholder', [], { dtype: { type: 'DT_INT32' } }),
      node('enter_i', 'Enter', ['zero'], frame),
      node('enter_x', 'Enter', ['x'], frame),
      node('enter_n', 'Enter', ['n'], constant),
      node('merge_i', 'Merge', ['enter_i', 'next_i']),
      node('merge_x', 'Merge', ['enter_x', 'next_x']),
      node('less', 'Less', ['merge_i', 'enter_n']),
      node('cond', 'LoopCond', ['less']),
      node('switch_i', 'Switch', ['merge_i', 'cond']),
      node('switch_x', 'Switch', ['merge_x', 'cond']),
      node('body_i', 'Identity', ['switch_i:1']),
      node('add', 'AddV2', ['body_i', 'one']),
      node('double', 'Double', ['switch_x:1']),
      node('next_i', 'NextIteration', ['add']),
      node('next_x', 'NextIteration', ['double']),
      node('exit_x', 'Exit', ['switch_x']),
      node('places', 'Where', ['exit_x']),
      node('y', 'Neg', ['exit_x']),
    ],
    {
      weights: {
        zero: { values: Int32Array.of(0), shape: [] },
        one: { values: Int32Array.of(1), shape: [] },
      },
    },
  );

async function runAll(model, given, keeps) {
  const results = await model.executeAsync(given, ['y', 'places']);
  try {
    if (keeps) assert.ok(model.getIntermediateTensors().y);
    return results.flatMap((tensor) => [...tensor.dataSync()]);
  } finally {
    tf.dispose(results);
  }
}

test('a failure anywhere in executeAsync leaks no tensors and no memory', async (t) => {
  tf.registerOp('Double', async ({ inputs: [x] }) => {
    await pause();
    return x.mul(2).add(0);
  });
  t.after(() => {
    tf.deregisterOp('Double');
    tf.debug.fail();
    tf.env().set('KEEP_INTERMEDIATE_TENSORS', false);
  });
  for (const keeps of [false, true]) {
    tf.env().set('KEEP_INTERMEDIATE_TENSORS', keeps);
    const model = tf.loadGraphModelSync(loop());
    const given = { x: tf.tensor1d([1, -2]), n: tf.scalar(3, 'int32') };
    assert.deepEqual(await runAll(model, given, keeps), [-8, 16, 0, 1]);
    model.disposeIntermediateTensors();
    for (const what of ['afterOps', 'afterAllocations']) {
      tf.trim();
      const before = { ...counts(tf), inUse: inUse(tf) };
      let failures = 0;
      for (let values; !values; failures++) {
        assert.ok(failures < 500);
        try {
          tf.debug.fail({ [what]: failures });
          values = await runAll(model, given, keeps);
          assert.deepEqual(values, [-8, 16, 0, 1]);
        } catch (error) {
          assert.match(error.message, /injected failure|[Oo]ut of memory|[Cc]annot allocate/);
        }
        tf.debug.fail();
        model.disposeIntermediateTensors();
        tf.trim();
        assert.deepEqual({ ...counts(tf), inUse: inUse(tf) }, before, `${what}: ${failures}`);
      }
      assert.ok(failures > 5, `${what}: ${failures}`);
    }
    tf.dispose([model, given]);
  }
});
