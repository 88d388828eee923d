import plugin from '../src/index.js';
import { test } from './tester.mjs';

const keep = (output) => [{ messageId: 'keep', output }];

test('no-escaping-tensor', plugin.rules['no-escaping-tensor'], {
  valid: [
    'let h: tf.Tensor; tf.tidy(() => { h = tf.keep(tf.ones([2])); });',
    'tf.tidy(() => { let h = tf.ones([2]); h = h.add(1); return h; });',
    'tf.tidy(() => { const all: tf.Tensor[] = []; all.push(tf.ones([2])); return tf.stack(all); });',
    'let x = tf.ones([2]); x = tf.tidy(() => x.add(1));',
    'tf.tidy(() => { const x = tf.ones([2]); return [1, 2].map((i) => x.mul(i)); });',
  ],
  invalid: [
    {
      code: 'let h: tf.Tensor; tf.tidy(() => { h = tf.ones([2]); });',
      errors: [
        {
          messageId: 'assigned',
          data: { target: 'h' },
          suggestions: keep('let h: tf.Tensor; tf.tidy(() => { h = tf.keep(tf.ones([2])); });'),
        },
      ],
    },
    {
      code: 'class A { last?: tf.Tensor; see() { tf.tidy(() => { const x = tf.ones([2]); this.last = x; }); } }',
      errors: [
        {
          messageId: 'assigned',
          data: { target: 'this.last' },
          suggestions: keep(
            'class A { last?: tf.Tensor; see() { tf.tidy(() => { const x = tf.ones([2]); this.last = tf.keep(x); }); } }',
          ),
        },
      ],
    },
    {
      code: 'const all: tf.Tensor[] = []; tf.tidy(() => { all.push(tf.ones([2])); });',
      tfjs: true,
      errors: [
        {
          messageId: 'pushed',
          data: { target: 'all' },
          suggestions: keep('const all: tf.Tensor[] = []; tf.tidy(() => { all.push(tf.keep(tf.ones([2]))); });'),
        },
      ],
    },
    {
      code: 'tf.tidy(() => { const x = tf.ones([2]); setTimeout(() => console.log(x.dataSync()), 10); });',
      errors: [
        {
          messageId: 'later',
          data: { name: 'x' },
          suggestions: keep(
            'tf.tidy(() => { const x = tf.keep(tf.ones([2])); setTimeout(() => console.log(x.dataSync()), 10); });',
          ),
        },
      ],
    },
  ],
});
