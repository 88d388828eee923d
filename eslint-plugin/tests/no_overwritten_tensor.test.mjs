import plugin from '../src/index.js';
import { test } from './tester.mjs';

const overwritten = (target, output) => [
  { messageId: 'overwritten', data: { target }, suggestions: output ? [{ messageId: 'dispose', output }] : [] },
];
const agent = (body) => `class Agent { state = tf.zeros([2]); last?: tf.Tensor; ${body} }`;

test('no-overwritten-tensor', plugin.rules['no-overwritten-tensor'], {
  valid: [
    // Assigned once, in a constructor or at the top level.
    'class Agent { state: tf.Tensor; constructor() { this.state = tf.zeros([2]); } }',
    'class Agent { state?: tf.Tensor; load() { this.state = tf.zeros([2]); } }',
    'let state: tf.Tensor; state = tf.zeros([2]);',
    // The former tensor is disposed, passed on, or recorded.
    agent('reset() { this.state.dispose(); this.state = tf.zeros([2]); }'),
    agent('reset() { tf.dispose([this.state, this.last!]); this.state = tf.zeros([2]); }'),
    agent('see(x: tf.Tensor) { const old = this.state; this.state = tf.tidy(() => old.add(x)); old.dispose(); }'),
    agent('see(memory: tf.TensorList) { memory.push(this.state); this.state = tf.zeros([2]); }'),
    // There was no former tensor.
    agent('see() { if (!this.last) this.last = tf.zeros([2]); }'),
    agent('see() { this.last ??= tf.zeros([2]); }'),
    // A scope owns it.
    agent('step(x: tf.Tensor) { return tf.tidy(() => { let h = x.add(1); h = h.mul(2); return h; }); }'),
    'function double(x: tf.Tensor) { let y = x.add(1); y = y.mul(2); return y; }',
    'const scope = tf.scope(); let x = scope.run(() => tf.ones([2])); for (let i = 0; i < 3; i++) x = scope.run(() => x.mul(2)); scope.close();',
    // Each iteration has its own.
    'for (let i = 0; i < 3; i++) { let x: tf.Tensor; x = tf.ones([2]); x.dispose(); }',
    // A map disposes what it replaces, and assigning to a variable writes into it.
    'const state = new tf.TensorMap(); function step() { state.set("h", tf.zeros([2])); }',
    'const w = tf.variable(tf.zeros([2])); function step() { w.assign(tf.tidy(() => w.add(1))); }',
    // Kept: disposed before, by a method of the class, or on the way to where there is nothing.
    agent('see(x: tf.Tensor) { this.last?.dispose(); this.last = tf.keep(x.add(1)); }'),
    agent('see(x: tf.Tensor) { tf.dispose(this.last!); tf.tidy(() => { this.last = tf.keep(x.add(1)); }); }'),
    agent('clear() { this.last?.dispose(); } see(x: tf.Tensor) { this.clear(); this.last = tf.keep(x.add(1)); }'),
    agent('see(x: tf.Tensor) { if (this.last) return; this.last = tf.keep(x.add(1)); }'),
    agent('see(x: tf.Tensor) { if (this.last) this.clear(); this.last = tf.keep(x.add(1)); } clear() {}'),
    agent('see(x: tf.Tensor, c: boolean) { if (c && this.last === undefined) { this.last = tf.keep(x.add(1)); } }'),
    agent(
      'see(x: tf.Tensor) { if (this.last == null) { this.last = tf.keep(x.add(1)); } else { const old = this.last; this.last = tf.keep(old.concat(x)); old.dispose(); } }',
    ),
    agent('see(x: tf.Tensor) { this.last || (this.last = tf.keep(x.add(1))); }'),
    'class Agent { xs: tf.Tensor; constructor() { this.xs = tf.keep(tf.zeros([2])); } }',
    'class Agent { xs?: tf.Tensor; async load() { this.xs = tf.keep(tf.zeros([2])); } }',
    'let xs: tf.Tensor; function run() { xs = tf.keep(tf.zeros([2])); } run();',
    'let xs: tf.Tensor; if (Math.random() > 1) xs = tf.keep(tf.zeros([2])); else xs = tf.keep(tf.ones([2]));',
    'function f(c: boolean) { let x: tf.Tensor; if (c) { x = tf.keep(tf.zeros([2])); return x; } x = tf.keep(tf.ones([2])); return x; }',
    'let x = tf.keep(tf.zeros([2])); x.dispose(); x = tf.keep(tf.ones([2])); x.dispose();',
    // Disposed at the end of each round, or of each run.
    'let x: tf.Tensor; for (let i = 0; i < 3; i++) { x = tf.keep(tf.ones([2])); x.dispose(); }',
    'let x: tf.Tensor; function frame() { x = tf.keep(tf.ones([2])); x.dispose(); requestAnimationFrame(frame); } frame();',
    'let count = 0; function step() { count = count + 1; }',
  ],
  invalid: [
    {
      code: agent('see(x: tf.Tensor) { this.state = tf.tidy(() => this.state.add(x)); }'),
      errors: overwritten(
        'this.state',
        agent(
          `see(x: tf.Tensor) { const old = this.state;\n${' '.repeat(75)}this.state = tf.tidy(() => this.state.add(x));\n${' '.repeat(75)}old.dispose(); }`,
        ),
      ),
    },
    {
      code: 'class Agent {\n  #h = tf.zeros([2]);\n  see() {\n    this.#h = this.#h.add(1);\n  }\n}',
      tfjs: true,
      errors: overwritten(
        'this.#h',
        'class Agent {\n  #h = tf.zeros([2]);\n  see() {\n    const old = this.#h;\n    this.#h = this.#h.add(1);\n    old.dispose();\n  }\n}',
      ),
    },
    {
      code: 'class Agent {\n  h = tf.zeros([2]);\n  see() {\n    tf.tidy(() => {\n      this.h = tf.keep(this.h.add(1));\n    });\n  }\n}',
      errors: overwritten(
        'this.h',
        'class Agent {\n  h = tf.zeros([2]);\n  see() {\n    tf.tidy(() => {\n      const old = this.h;\n      this.h = tf.keep(this.h.add(1));\n      old.dispose();\n    });\n  }\n}',
      ),
    },
    {
      code: 'class Agent {\n  h?: tf.Tensor;\n  a() {\n    this.h = tf.zeros([2]);\n  }\n  b() {\n    this.h = tf.ones([2]);\n  }\n}',
      errors: [
        ...overwritten(
          'this.h',
          'class Agent {\n  h?: tf.Tensor;\n  a() {\n    const old = this.h;\n    this.h = tf.zeros([2]);\n    old?.dispose();\n  }\n  b() {\n    this.h = tf.ones([2]);\n  }\n}',
        ),
        ...overwritten(
          'this.h',
          'class Agent {\n  h?: tf.Tensor;\n  a() {\n    this.h = tf.zeros([2]);\n  }\n  b() {\n    const old = this.h;\n    this.h = tf.ones([2]);\n    old?.dispose();\n  }\n}',
        ),
      ],
    },
    {
      code: 'let state = tf.zeros([2]);\nfunction step(x: tf.Tensor) {\n  state = tf.tidy(() => state.add(x));\n}',
      errors: overwritten(
        'state',
        'let state = tf.zeros([2]);\nfunction step(x: tf.Tensor) {\n  const old = state;\n  state = tf.tidy(() => state.add(x));\n  old.dispose();\n}',
      ),
    },
    {
      code: 'let frame: tf.Tensor;\nfor (let i = 0; i < 3; i++) {\n  frame = tf.fill([2], i);\n}',
      errors: overwritten(
        'frame',
        'let frame: tf.Tensor;\nfor (let i = 0; i < 3; i++) {\n  const old = frame;\n  frame = tf.fill([2], i);\n  old.dispose();\n}',
      ),
    },
    {
      code: 'let x = tf.ones([2]);\nif (x.rank === 1) {\n  x = x.reshape([1, 2]);\n}',
      errors: overwritten(
        'x',
        'let x = tf.ones([2]);\nif (x.rank === 1) {\n  const old = x;\n  x = x.reshape([1, 2]);\n  old.dispose();\n}',
      ),
    },
    {
      code: 'const o = { t: tf.ones([2]) };\nif (o.t.rank === 1) o.t = tf.zeros([2]);\nfunction reset() { void ((() => { o.t = tf.ones([2]); return 1; })() || o); }',
      errors: overwritten(
        'o.t',
        'const o = { t: tf.ones([2]) };\nif (o.t.rank === 1) o.t = tf.zeros([2]);\nfunction reset() { void ((() => { const old = o.t;\n                                  o.t = tf.ones([2]);\n                                  old.dispose(); return 1; })() || o); }',
      ),
    },
    {
      code: 'let x = tf.ones([2]);\nfor (let i = 0; i < 3; i++) x = x.add(1);',
      errors: overwritten('x'),
    },
    // Kept, and overwritten without a dispose before.
    ...[
      [
        'this.last',
        agent(
          'see(x: tf.Tensor) { if (this.last == null) { this.last = tf.keep(x.add(1)); } else { this.last = tf.keep(this.last.concat(x)); } }',
        ),
        1,
      ],
      [
        'this.last',
        agent(
          'see(x: tf.Tensor) { if (this.last) this.last = tf.keep(x.add(1)); else this.last = tf.keep(x.add(2)); }',
        ),
        0,
      ],
      [
        'this.last',
        agent('see(x: tf.Tensor) { this.last = tf.keep(x.add(1)); if (this.last) console.log(this.last.shape); }'),
        1,
      ],
      ['this.last', agent('see(x: tf.Tensor) { tf.tidy(() => { this.last = tf.keep(x.add(1)); }); }'), 1],
      ['xs', 'let xs: tf.Tensor; function see(x: tf.Tensor) { tf.tidy(() => { xs = tf.keep(x.add(1)); }); }', 1],
      ['xs', 'let xs: tf.Tensor; xs = tf.keep(tf.zeros([2])); xs = tf.keep(tf.ones([2]));', 1],
      ['x', 'function f() { let x = tf.keep(tf.zeros([2])); x = tf.keep(tf.ones([2])); x.dispose(); }', 1],
      ['x', 'for (let i = 0; i < 3; i++) { let x = tf.ones([2]); x = x.add(1); x.print(); x.dispose(); }', 1],
    ]
      .flatMap(([target, code, suggestions]) => [false, true].map((tfjs) => ({ code, tfjs, target, suggestions })))
      .map(({ code, tfjs, target, suggestions }) => ({
        code,
        tfjs,
        errors: [{ messageId: 'overwritten', data: { target }, ...(suggestions > 0 && { suggestions }) }],
      })),
  ],
});
