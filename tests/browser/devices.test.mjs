// tf.data.webcam, microphone and workers in Chromium, with fake devices.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { openBrowser, skip, visit } from './chrome.mjs';
import { projectOf } from './packed.mjs';
import { serve } from './server.mjs';

// The only permission that workers of data pipelines need beyond what the engine needs in any case.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:";
const flags = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

test('cameras, microphones and web workers', { skip }, async () => {
  const project = projectOf({ 'tests/browser/page': '.' });
  const browser = await openBrowser({ flags });
  try {
    const folders = { '/': project, '/tenure/': path.join(project, 'node_modules/tenure') };
    const server = await serve(folders, { policy });
    const found = await visit(browser, `${server.url}/devices.html`).finally(() => server.close());
    assert.equal(found.failed, undefined);
    const { dtype, shape, min, max } = found.cropped;
    assert.deepEqual([dtype, shape], ['float32', [48, 64, 3]]);
    assert.ok(min >= 0 && max <= 255.001 && max > min, JSON.stringify(found.cropped));
    assert.deepEqual(found.stopped, [true, null, null]);
    assert.equal(found.frames.length, 2);
    for (const frame of found.frames)
      assert.deepEqual([frame.dtype, frame.shape.length, frame.shape[0], frame.shape[3]], ['int32', 4, 2, 3]);
    assert.equal(found.released, true);
    assert.deepEqual(found.audio, [[5, 100, 1], [5 * 256, 1], true]);
    assert.equal(found.silent, true);
    assert.deepEqual(found.doubled, [2, 4, 6]);
    assert.match(
      found.error,
      /^TypeError: .*at doubles \(.*doubles\.js:3:\d+\)[^]*in a worker of http:.*doubles\.js$/s,
    );
    assert.deepEqual(found.after, found.before);
  } finally {
    await browser.close();
  }
});
