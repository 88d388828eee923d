import plugin from '../src/index.js';
import { test } from './tester.mjs';

const chained = (method, ...outputs) => ({
  messageId: 'chained',
  data: { method },
  suggestions: outputs.map((output) => ({ messageId: 'tidy', output })),
});
const several = (count, ...outputs) => ({
  messageId: 'several',
  data: { count },
  suggestions: outputs.map((output) => ({ messageId: 'tidy', output })),
});

test('no-unowned-tensor', plugin.rules['no-unowned-tensor'], {
  valid: [
    'const x = tf.tidy(() => tf.zeros([2]).add(1).relu());',
    'const step = (x: tf.Tensor) => x.add(1).relu();',
    'const x = tf.ones([2]); const y = x.add(1); tf.dispose([x, y]);',
    'tf.ones([2]).dispose();',
    'tf.keep(tf.ones([2]));',
    'const scope = tf.scope(); scope.run(() => { tf.ones([2]).add(1); });',
    'await tf.scopeAsync(async () => { const [y] = await tf.ones([2]).sum().data(); console.log(y); });',
    'const values = [1, 2].map((x) => x + 1).slice(1);',
    'tf.engine().startScope();\ntf.ones([2]).add(1);\ntf.engine().endScope();',
    'const list = new tf.TensorList(); list.push(tf.ones([2]));',
    { code: 'const y = tf.tidy(() => tf.zeros([2]).add(1));', tfjs: true },
    { code: 'const step = tf.grad((x) => tf.sum(x.square().add(1)));', tfjs: true },
  ],
  invalid: [
    {
      code: 'tf.ones([2]);',
      errors: [{ messageId: 'dropped', suggestions: [{ messageId: 'dispose', output: 'tf.ones([2]).dispose();' }] }],
    },
    {
      code: 'const y = tf.ones([2]).add(1);',
      errors: [chained('add', 'const y = tf.tidy(() => tf.ones([2]).add(1));')],
    },
    {
      code: 'const y = tf.ones([2]).sum().dataSync()[0];',
      errors: [several(2, 'const y = tf.tidy(() => tf.ones([2]).sum().dataSync())[0];')],
    },
    {
      code: 'async function read(x: tf.Tensor): Promise<number> { return (await x.sum().data())[0]!; }',
      errors: [chained('data')],
    },
    {
      code: 'const x = tf.ones([2]); const y = tf.add(x, tf.scalar(1));',
      errors: [
        {
          messageId: 'argument',
          suggestions: [
            { messageId: 'tidy', output: 'const x = tf.ones([2]); const y = tf.tidy(() => tf.add(x, tf.scalar(1)));' },
          ],
        },
      ],
    },
    {
      code: "document.addEventListener('click', () => { tf.ones([2]).mean().print(); });",
      errors: [
        several(2, "document.addEventListener('click', () => { tf.tidy(() => tf.ones([2]).mean().print()); });"),
      ],
    },
    {
      code: 'async function f(model: tf.GraphModel, x: tf.Tensor) { const y = ((await model.executeAsync(x)) as tf.Tensor).argMax(); y.dispose(); }',
      errors: [chained('argMax')],
    },
    {
      code: 'const y = tf.ones([2]).add(1);',
      tfjs: true,
      errors: [chained('add', 'const y = tf.tidy(() => tf.ones([2]).add(1));')],
    },
    {
      code: 'const xs = tf.concat([tf.zeros([2]), tf.ones([2])]);',
      tfjs: true,
      errors: [several(2, 'const xs = tf.tidy(() => tf.concat([tf.zeros([2]), tf.ones([2])]));')],
    },
    // One report for a chain, however long, with what is made for its arguments; two for two chains.
    {
      code: 'const step = (a: tf.Tensor) => { const y = a.mul(2).add(1).relu(); y.dispose(); };',
      errors: [
        several(2, 'const step = (a: tf.Tensor) => { const y = tf.tidy(() => a.mul(2).add(1).relu()); y.dispose(); };'),
      ],
    },
    {
      code: 'const step = (a: tf.Tensor) => { const y = a.mul(2).add(tf.scalar(1)).relu().sub(1).square().mean(); y.dispose(); };',
      errors: [
        several(
          6,
          'const step = (a: tf.Tensor) => { const y = tf.tidy(() => a.mul(2).add(tf.scalar(1)).relu().sub(1).square().mean()); y.dispose(); };',
        ),
      ],
    },
    {
      code: 'const read = async (a: tf.Tensor) => { console.log(await a.mul(2).add(1).data()); };',
      errors: [several(2)],
    },
    {
      code: 'const step = (a: tf.Tensor) => { const [x, y] = [a.mul(2).add(1), a.sub(1).relu()]; tf.dispose([x, y]); };',
      errors: [
        chained(
          'add',
          'const step = (a: tf.Tensor) => { const [x, y] = [tf.tidy(() => a.mul(2).add(1)), a.sub(1).relu()]; tf.dispose([x, y]); };',
        ),
        chained(
          'relu',
          'const step = (a: tf.Tensor) => { const [x, y] = [a.mul(2).add(1), tf.tidy(() => a.sub(1).relu())]; tf.dispose([x, y]); };',
        ),
      ],
    },
  ],
});
