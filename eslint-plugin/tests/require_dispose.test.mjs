import plugin from '../src/index.js';
import { test } from './tester.mjs';

const never = (...suggestions) => ({ messageId: 'never', suggestions });
const using = (output) => ({ messageId: 'using', output });
const dispose = (output) => ({ messageId: 'dispose', output });

test('require-dispose', plugin.rules['require-dispose'], {
  valid: [
    'function f() { const x = tf.ones([2]); x.print(); x.dispose(); }',
    'function f() { const x = tf.ones([2]); const y = tf.zeros([2]); tf.dispose([x, y]); }',
    'function f() { const x = tf.ones([2]); return x; }',
    'function f() { const x = tf.ones([2]); return { x, size: 2 }; }',
    'function f() { using x = tf.ones([2]); x.print(); }',
    'function f() { const x = tf.ones([2]); try { if (Math.random() > 1) return 1; return 2; } finally { x.dispose(); } }',
    'function f(flag: boolean) { const x = tf.ones([2]); if (flag) { x.dispose(); return; } tf.dispose(x); }',
    'tf.tidy(() => { const x = tf.ones([2]); x.print(); });',
    'class A { x: tf.Tensor; constructor() { const x = tf.ones([2]); this.x = x; } }',
    'function f() { const x = tf.ones([2]); document.onclick = () => x.dispose(); }',
    'function f(give: (x: tf.Tensor) => void) { const x = tf.ones([2]); give(x); }',
    'export const weights = tf.ones([2]);',
    'function f() { const w = tf.variable(tf.keep(tf.ones([2]))); w.print(); }',
    {
      code: 'async function f() { for (let i = 0; i < 3; i++) { const x = tf.ones([2]); await x.data(); x.dispose(); } }',
      tfjs: true,
    },
    'const camera = await tf.data.webcam(); for await (const image of camera) image.dispose();',
    'const camera = await tf.data.webcam(); for (;;) { const { value, done } = await camera.next(); if (done) break; value.dispose(); }',
    'async function f(data: tf.data.Dataset<tf.Tensor>) { for await (const batch of data) console.log(batch.shape); }',
    'for (let i = 0; i < 3; i++) { const [a, b] = tf.split(tf.tidy(() => tf.ones([4])), 2); a!.dispose(); tf.dispose(b); }',
    'function f() { let x: tf.Tensor | undefined; try { x = tf.ones([2]); x.print(); } finally { if (x) x.dispose(); } }',
    'function f(flag: boolean) { let x: tf.Tensor; if (flag) x = tf.ones([2]); else x = tf.zeros([2]); return x; }',
    'async function f(camera: any) { for (;;) { const image = await camera.capture(); image.dispose(); } }',
    'async function f(camera: { capture(): Promise<number> }) { const image = await camera.capture(); console.log(image); }',
  ],
  invalid: [
    // Captures of a webcam, also of one whose type is not known.
    ...[false, true].map((tfjs) => ({
      code: 'async function f(camera: any) {\n  for (;;) {\n    const image = await camera.capture();\n    if (image.size === 0) break;\n  }\n}',
      tfjs,
      errors: [
        never(
          dispose(
            'async function f(camera: any) {\n  for (;;) {\n    const image = await camera.capture();\n    if (image.size === 0) break;\n    image.dispose();\n  }\n}',
          ),
        ),
      ],
    })),
    {
      code: 'const camera = await tf.data.webcam();\nfor await (const image of camera) console.log(image.shape);',
      errors: [never()],
    },
    {
      code: 'const camera = await tf.data.webcam();\nfor (;;) { const { value, done } = await camera.next(); console.log(value.shape); if (done) break; else continue; }',
      errors: [
        {
          ...never(
            dispose(
              'const camera = await tf.data.webcam();\nfor (;;) { const { value, done } = await camera.next(); console.log(value.shape); if (done) break; else continue;\n                                                                                  value.dispose(); }',
            ),
          ),
          data: { name: 'value' },
        },
      ],
    },
    {
      code: 'const camera = await tf.data.webcam();\nfor (;;) {\n  let image: tf.Tensor;\n  image = await camera.capture();\n  console.log(image.shape);\n  continue;\n}',
      errors: [{ ...never(), data: { name: 'image' } }],
    },
    {
      code: 'const x = tf.keep(tf.ones([4])); for (;;) { const [a, b] = tf.split(x, 2); a!.print(); tf.dispose(b); continue; }',
      errors: [{ ...never(), data: { name: 'a' } }],
    },
    {
      code: 'const camera = await tf.data.webcam();\nfor (;;) {\n  const image = await camera.capture();\n  if (image.size === 0) continue;\n  image.dispose();\n}',
      errors: [{ messageId: 'path', data: { name: 'image' } }],
    },
    {
      code: 'function f() {\n  const x = tf.ones([2]);\n  x.print();\n}',
      errors: [
        never(
          using('function f() {\n  using x = tf.ones([2]);\n  x.print();\n}'),
          dispose('function f() {\n  const x = tf.ones([2]);\n  x.print();\n  x.dispose();\n}'),
        ),
      ],
    },
    {
      code: 'function f() {\n  const x = tf.ones([2]);\n  x.print();\n}',
      tfjs: true,
      errors: [never(dispose('function f() {\n  const x = tf.ones([2]);\n  x.print();\n  x.dispose();\n}'))],
    },
    {
      code: 'function f(flag: boolean) { const x = tf.ones([2]); if (flag) return; x.dispose(); }',
      errors: [{ messageId: 'path', data: { name: 'x' } }],
    },
    {
      code: 'function f(flag: boolean) { const x = tf.ones([2]); if (flag) x.dispose(); }',
      errors: [{ messageId: 'path' }],
    },
    {
      code: 'async function f() { for (let i = 0; i < 3; i++) { const x = tf.ones([2]); if (i > 1) continue; x.dispose(); } }',
      tfjs: true,
      errors: [{ messageId: 'path' }],
    },
    {
      code: 'function f(flag: boolean) { const x = tf.ones([2]); if (flag) throw new Error("no"); x.dispose(); }',
      errors: [{ messageId: 'path' }],
    },
    {
      code: 'async function f(model: tf.LayersModel) {\n  const x = tf.ones([2]);\n  const y = model.predict(x) as tf.Tensor;\n  console.log(y.shape);\n}',
      tfjs: true,
      errors: [
        never(
          dispose(
            'async function f(model: tf.LayersModel) {\n  const x = tf.ones([2]);\n  const y = model.predict(x) as tf.Tensor;\n  console.log(y.shape);\n  x.dispose();\n}',
          ),
        ),
        never(
          dispose(
            'async function f(model: tf.LayersModel) {\n  const x = tf.ones([2]);\n  const y = model.predict(x) as tf.Tensor;\n  console.log(y.shape);\n  y.dispose();\n}',
          ),
        ),
      ],
    },
  ],
});
