// The module of `tenure/engine` in a page with a strict content security policy, driven by its Embind exports alone.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { openBrowser, skip, watch } from './chrome.mjs';
import { projectOf } from './packed.mjs';
import { serve } from './server.mjs';

const kTimes = 1000;
let project;
let browser;
let server;

before(async () => {
  if (skip) return;
  project = projectOf({ 'tests/browser/page': '.' });
  browser = await openBrowser();
  const packaged = path.join(project, 'node_modules/tenure');
  server = await serve({
    '/': project,
    '/iris/': path.join(import.meta.dirname, '../../examples/iris'),
    '/tenure/': packaged,
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('nested scopes, exceptions, stack overflows and time limits leak nothing', { skip }, async () => {
  const page = await browser.newPage();
  await page.route('**/favicon.ico', (route) => route.fulfill());
  const problems = watch(page);
  await page.goto(`${server.url}/engine.html`);
  const { nested, throwing, stack, ended } = JSON.parse(
    await page.locator('#result').textContent({ timeout: 120_000 }),
  );
  for (const { start, end } of [nested, throwing, stack]) assert.deepEqual(end, start);
  assert.ok(ended > kTimes / 4, `the stack ended ${ended} times`);

  const devtools = await page.context().newCDPSession(page);
  const evaluate = (expression, timeout) =>
    devtools.send('Runtime.evaluate', { expression, returnByValue: true, timeout });
  const valueOf = async (expression) => (await evaluate(expression)).result.value;
  let audited = 0;
  for (let i = 0; i < kTimes; i++) {
    await assert.rejects(evaluate(`spin(${1 + (i % 4)})`, 1), /terminated/i);
    if (i % 10 === 0) assert.equal(await valueOf('classify()'), 0);
    const { now, expected, early } = await valueOf('audit()');
    assert.deepEqual(now, expected);
    if (!early) audited++;
  }
  assert.ok(audited > kTimes / 2, `${audited} times`);
  const { before, after } = await valueOf('finish()');
  assert.deepEqual({ ...after, inUse: before.inUse }, before);
  // A call interrupted by stack overflow or by an early time limit keeps its references to the flower and to its own results.
  const lost = after.inUse - before.inUse;
  assert.ok(lost >= 0 && lost < 1024 * (1 + kTimes - audited), `${lost} bytes`);
  assert.deepEqual(problems, []);
  await page.close();
});
