import plugin from '../src/index.js';
import { test } from './tester.mjs';

test('no-async-tidy', plugin.rules['no-async-tidy'], {
  valid: [
    'tf.tidy(() => tf.ones([2]).sum());',
    'await tf.scopeAsync(async () => { await tf.nextFrame(); });',
    'const other = { tidy: (run: () => Promise<void>) => run() }; await other.tidy(async () => {});',
  ],
  invalid: [
    {
      code: 'const x = await tf.tidy(async () => 1 as never);',
      errors: [
        {
          messageId: 'async',
          suggestions: [{ messageId: 'scopeAsync', output: 'const x = await tf.scopeAsync(async () => 1 as never);' }],
        },
      ],
    },
    {
      code: "tf.tidy('name', async () => { await tf.nextFrame(); });",
      errors: [
        {
          messageId: 'async',
          suggestions: [
            { messageId: 'scopeAsync', output: "await tf.scopeAsync('name', async () => { await tf.nextFrame(); });" },
          ],
        },
      ],
    },
    {
      code: 'const work = async () => { await tf.nextFrame(); };\nasync function run() { tf.tidy(work as never); await work(); }\ntf.tidy(work);',
      errors: [
        {
          messageId: 'async',
          suggestions: [
            {
              messageId: 'scopeAsync',
              output:
                'const work = async () => { await tf.nextFrame(); };\nasync function run() { tf.tidy(work as never); await work(); }\nawait tf.scopeAsync(work);',
            },
          ],
        },
      ],
    },
    {
      code: 'tf.tidy(async () => { await tf.nextFrame(); });',
      tfjs: true,
      errors: [{ messageId: 'async', suggestions: [] }],
    },
  ],
});
