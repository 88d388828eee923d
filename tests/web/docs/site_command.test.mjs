// `npm run docs -- --port N` takes the given port, or says before it builds anything that the port is taken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../../cpp/toolchain/use.mjs';
import { serve } from '../../browser/server.mjs';

const docs = (...options) =>
  spawnSync(process.execPath, ['docs/site/build.mjs', ...options], { cwd: root, encoding: 'utf8', timeout: 60_000 });

test('a taken port is named', async () => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address();
  try {
    for (const options of [['--port', `${port}`], [`--port=${port}`]]) {
      const { status, stderr } = docs(...options);
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`port ${port} is taken`));
    }
  } finally {
    other.close();
  }
});

test('the given port is used', async () => {
  const free = await serve({ '/': path.join(root, 'docs') });
  const { port } = new URL(free.url);
  free.close();
  const server = await serve({ '/': path.join(root, 'docs') }, { port: Number(port) });
  assert.equal(server.url, `http://127.0.0.1:${port}`);
  server.close();
});

test('what is no port and unknown options are errors', () => {
  assert.match(docs('--port', 'x').stderr, /--port: expected a number from 0 to 65535, got x/);
  assert.match(docs('--prot', '80').stderr, /Unknown option '--prot'/);
});
