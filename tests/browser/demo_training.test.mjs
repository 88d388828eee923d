// The demo's training page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { skip } from './chrome.mjs';
import {
  assertAccessible,
  assertNoScrolling,
  assertReachable,
  assertShowsFailure,
  kLooks,
  kWait,
  openDemo,
  said,
  visitDemo,
} from './demo_visit.mjs';

let demo;
before(async () => {
  if (!skip) demo = await openDemo('demo_training_test');
});
after(() => demo?.browser.close());

test('a network starts learning to read digits, and no step leaks a tensor', { skip }, () =>
  visit({ query: '' }, async (page) => {
    await page.waitForFunction(() => tenureTraining.learner.share >= 0.9, null, kWait);
    await page.click('#learn-toggle');
    await said(page, /^The training has stopped/);

    const { lessons, charts } = await lessonsOf(page);
    assert.deepEqual(
      lessons.map(({ step }) => step),
      lessons.map((_, i) => i + 1),
    );
    const mean = (part) => part.reduce((sum, { loss }) => sum + loss, 0) / part.length;
    assert.ok(mean(lessons.slice(-10)) < 0.5 * mean(lessons.slice(0, 10)));
    assert.deepEqual(new Set(lessons.map(({ tensors }) => tensors)).size, 1);
    assert.deepEqual(charts.loss, [lessons.map(({ step }) => step), lessons.map(({ loss }) => loss)]);
    assert.deepEqual(
      charts['step-tensors'][1],
      lessons.map(({ tensors }) => tensors),
    );
    // The loop continues until its pending reads are done.
    const share = await page.evaluate(() => tenureTraining.learner.share);
    assert.equal(await page.locator('#learn-share').textContent(), `${(100 * share).toFixed(0)} %`);
    assert.match(await page.locator('#learn-words').textContent(), /^It reads( \d){10}\.$/);
    assert.match(
      await page.locator('#chart-loss').getAttribute('aria-label'),
      /^Loss over the steps of training; now of a step \d\.\d$/,
    );

    await page.click('#learn-toggle');
    await said(page, /^The training runs/);
    await page.waitForFunction((count) => tenureTraining.learner.lessons.length > count, lessons.length, kWait);
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
    assert.equal((await lessonsOf(page)).lessons.length, 0);
    assert.equal(await page.locator('#learn-toggle').textContent(), 'Start the training');
  }),
);

test('WebGL: a training that loses its context restarts', { skip }, () =>
  visit({}, async (page) => {
    const learnsOn = async () => {
      const count = await page.evaluate(() => tenureTraining.learner.lessons.length);
      await page.waitForFunction((least) => tenureTraining.learner.lessons.length >= least, count + 5, kWait);
    };
    await page.selectOption('#backend', 'webgl');
    await said(page, /WebGL2/);
    await page.click('#learn-toggle');
    await said(page, /^The training runs/);
    await learnsOn();
    await page.click('#context');
    await page.locator('#learn-words', { hasText: 'begins anew' }).waitFor(kWait);
    await learnsOn();
    await page.click('#context');
    await said(page, /is back/);
    await learnsOn();
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
  }),
);

test('a phone needs no horizontal scrolling, and Tab reaches every control', { skip }, () =>
  visit({ viewport: { width: 360, height: 740 } }, async (page) => {
    await assertNoScrolling(page);
    await assertReachable(page);
  }),
);

for (const look of kLooks) {
  const { viewport, colorScheme } = look;
  test(`axe finds no violations, ${viewport.width} px wide and ${colorScheme}`, { skip }, () =>
    visit({ query: '', ...look }, assertAccessible),
  );
}

test('an error while the page starts is shown in the page', { skip }, () =>
  assertShowsFailure(demo, 'training.html', 'training'),
);

/** Opens the page, with the training stopped by default, and runs `use` on it. */
function visit({ query = '?wait', ...options }, use) {
  const isReady = () => /^Ready/.test(document.querySelector('#status')?.textContent ?? '');
  return visitDemo(demo, { name: 'training.html', query, ...options }, isReady, use);
}

/** Returns the training steps, and the charts' data of them. */
const lessonsOf = (page) =>
  page.evaluate(() => {
    const { learner, charts } = tenureTraining;
    const of = (name) => [name, charts[name].data.map((line) => [...line])];
    return { lessons: [...learner.lessons], charts: Object.fromEntries(['loss', 'step-tensors'].map(of)) };
  });
