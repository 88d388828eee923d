// The examples in the docstrings of tf.node, which tests/web/docs cannot run: its package is that of pages.
import { test } from 'node:test';
import { documentedExports } from '../../../docs/examples.mjs';
import { checkExample } from '../docs/check_example.mjs';
import { assert, leavesNothing, tf, withFolder } from './common.mjs';

const documented = documentedExports().filter(({ name }) => name.startsWith('tf.node.'));

test('the documented names are those that there are', () => {
  assert.deepEqual(
    documented
      .filter(({ isType }) => !isType)
      .map(({ name }) => name.slice('tf.node.'.length))
      .sort(),
    Object.keys(tf.node).sort(),
  );
});

for (const { name, examples } of documented) {
  for (const code of examples) {
    test(name, () =>
      withFolder(async (folder) => {
        const { TMPDIR: before } = process.env;
        process.env.TMPDIR = folder;
        try {
          await leavesNothing(() => checkExample(tf, code));
        } finally {
          if (before === undefined) delete process.env.TMPDIR;
          else process.env.TMPDIR = before;
        }
      }),
    );
  }
}
