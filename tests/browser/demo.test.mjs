// The demo's page, driven by clicks as its reader would, under its own policy and with nothing in the console.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { buildPage, servePage } from '../../web/demo/build.mjs';
import { openBrowser, skip, watch } from './chrome.mjs';

const kWait = { timeout: 60_000 };
let browser;

before(async () => {
  if (skip) return;
  await buildPage();
  await buildPage({ debug: true });
  browser = await openBrowser({ webgl: true, flags: ['--js-flags=--expose-gc'] });
});
after(() => browser?.close());

test('the leaking loop grows by one tensor a predict, the one under tidy stays flat', { skip }, () =>
  visit({}, async (page) => {
    await toggle(page, 'leaking');
    await toggle(page, 'tidy');
    await predicts(page, 'leaking', 20);
    await predicts(page, 'tidy', 20);
    await toggle(page, 'leaking');
    await toggle(page, 'tidy');

    const { samples, charts } = await shown(page);
    for (const { leaking, tidy } of samples) {
      assert.equal(leaking.tensors, leaking.predicts);
      assert.equal(leaking.bytes, leaking.predicts * 3 * 4);
      assert.deepEqual([tidy.tensors, tidy.bytes], [0, 0]);
    }
    assert.ok(samples.at(-1).leaking.tensors >= 20);
    assert.ok(new Set(samples.map(({ leaking }) => leaking.tensors)).size > 2, 'it grew between samples');
    assert.deepEqual(charts.tensors[1], samples.map(({ leaking }) => leaking.tensors));
    assert.deepEqual(charts.tensors[2], samples.map(() => 0));
    assert.deepEqual(charts.bytes[1], samples.map(({ leaking }) => leaking.bytes));
    assert.ok(Math.max(...charts.rate[1]) > 0 && Math.max(...charts.rate[2]) > 0);
    assert.match(await page.locator('#leaking-last').textContent(), /^Flower \d+ of 150: (setosa|versicolor|virginica)/);
    assert.match(await page.locator('#chart-tensors').getAttribute('aria-label'), /leaking [1-9]\d*, under tidy 0$/);

    await page.click('#collect');
    await said(page, /^Garbage is collected\. Tensors before: (\d+), after: \1\./);
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
    assert.equal(await page.locator('#leaking-tensors').textContent(), '0');
    assert.equal(await page.locator('#engine-tensors').textContent(), '0');
  }),
);

test('the irises that it classifies are the real ones', { skip }, () =>
  visit({}, async (page) => {
    await page.selectOption('#pace', 'flat-out');
    await toggle(page, 'tidy');
    await predicts(page, 'tidy', 1);
    const verdicts = new Set();
    for (const end = Date.now() + kWait.timeout; verdicts.size < 12; ) {
      assert.ok(Date.now() < end, `too few verdicts:\n${[...verdicts].join('\n')}`);
      verdicts.add(await page.locator('#tidy-last').textContent());
    }
    // Of all 150 it takes three for another species.
    const right = [...verdicts].filter((verdict) => /\(right\)$/.test(verdict));
    assert.ok(right.length >= verdicts.size - 3, [...verdicts].join('\n'));
  }),
);

test('WebGL: GPU bytes grow, and losing the context stops neither loop', { skip }, () =>
  visit({ isolated: false }, async (page) => {
    // By its key: Playwright would wait until it can be clicked.
    await page.press('#context', 'Enter');
    await said(page, /^Only the WebGL backend/);
    await page.selectOption('#backend', 'webgl');
    await said(page, /WebGL2/);
    await toggle(page, 'leaking');
    await toggle(page, 'tidy');
    await predicts(page, 'leaking', 10);
    await page.waitForFunction(() => tenureDemo.history.samples.at(-1).gpuBytes > 0, null, kWait);

    for (const round of [1, 2]) {
      await page.click('#context');
      await said(page, /is lost/);
      assert.equal(await page.locator('#context').textContent(), 'Restore the GPU context');
      await advance(page);
      assert.equal((await shown(page)).samples.at(-1).gpuBytes, 0);
      await page.click('#context');
      await said(page, /is back/);
      await advance(page);
      await page.waitForFunction(() => tenureDemo.history.samples.at(-1).gpuBytes > 0, null, kWait);
      assert.equal(await page.locator('#context').textContent(), 'Lose the GPU context', `round ${round}`);
    }

    await page.selectOption('#model', 'mobilenet');
    await page.locator('#tidy-last', { hasText: 'random weights' }).waitFor(kWait);
    await page.selectOption('#backend', 'wasm');
    await said(page, /WebAssembly/);
    await advance(page);
    const { samples } = await shown(page);
    assert.ok(samples.every(({ leaking, tidy }) => leaking.tensors === leaking.predicts && tidy.tensors === 0));
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
    assert.equal((await shown(page)).samples.at(-1).gpuBytes, 0);
  }),
);

test('a network learns to read digits, and no step leaves a tensor', { skip }, () =>
  visit({}, async (page) => {
    await page.click('#learn-toggle');
    await said(page, /^The training runs/);
    await page.waitForFunction(() => tenureDemo.learner.share >= 0.9, null, kWait);
    await page.click('#learn-toggle');
    await said(page, /^The training has stopped/);

    const { lessons, charts } = await lessonsOf(page);
    assert.deepEqual(lessons.map(({ step }) => step), lessons.map((_, i) => i + 1));
    const mean = (part) => part.reduce((sum, { loss }) => sum + loss, 0) / part.length;
    assert.ok(mean(lessons.slice(-10)) < 0.5 * mean(lessons.slice(0, 10)));
    assert.deepEqual(new Set(lessons.map(({ tensors }) => tensors)).size, 1);
    assert.deepEqual(charts.loss, [lessons.map(({ step }) => step), lessons.map(({ loss }) => loss)]);
    assert.deepEqual(charts['step-tensors'][1], lessons.map(({ tensors }) => tensors));
    // Until it stopped it went on from what was waited for.
    const share = await page.evaluate(() => tenureDemo.learner.share);
    assert.equal(await page.locator('#learn-share').textContent(), `${(100 * share).toFixed(0)} %`);
    assert.match(await page.locator('#learn-words').textContent(), /^It reads( \d){10}\.$/);
    assert.match(await page.locator('#chart-loss').getAttribute('aria-label'), /^Loss over the steps of training; now of a step \d\.\d$/);

    await page.click('#learn-toggle');
    await said(page, /^The training runs/);
    await page.waitForFunction((count) => tenureDemo.learner.lessons.length > count, lessons.length, kWait);
    await page.click('#dispose');
    await said(page, /numTensors is 0\.$/);
    assert.equal((await lessonsOf(page)).lessons.length, 0);
    assert.equal(await page.locator('#learn-toggle').textContent(), 'Start the training');
  }),
);

test('WebGL: a training that loses its context begins anew', { skip }, () =>
  visit({}, async (page) => {
    const learnsOn = async () => {
      const count = await page.evaluate(() => tenureDemo.learner.lessons.length);
      await page.waitForFunction((least) => tenureDemo.learner.lessons.length >= least, count + 5, kWait);
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

test('the leaking loop is stopped before the tab dies', { skip }, () =>
  visit({ query: '?most-tensors=100' }, async (page) => {
    await page.selectOption('#pace', 'flat-out');
    await page.click('#leaking-toggle');
    await said(page, /^Stopped the leaking loop at 100 tensors/);
    assert.equal(await page.locator('#leaking-toggle').textContent(), 'Start the leaking loop');
    const { predicts: before } = (await shown(page)).samples.at(-1).leaking;
    await page.waitForTimeout(600);
    assert.equal((await shown(page)).samples.at(-1).leaking.predicts, before);
  }),
);

test('the debug build names the line that leaks', { skip }, () =>
  visit({ debug: true }, async (page) => {
    await toggle(page, 'leaking');
    await toggle(page, 'tidy');
    const row = page.locator('#site-rows tr').first();
    await row.filter({ hasText: /predict at web\/demo\/loop\.js:\d+:\d+ \(float32\[1,3\]\)/ }).waitFor(kWait);
    await row.filter({ hasText: '▲' }).waitFor(kWait);
    assert.equal(await page.locator('#site-rows tr', { hasText: 'predict' }).count(), 1);
  }),
);

test('a phone shows it without scrolling sideways, and Tab reaches every control', { skip }, () =>
  visit({ viewport: { width: 360, height: 740 } }, async (page) => {
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} px in ${clientWidth}`);

    const wanted = await page.locator('button, select').evaluateAll((controls) => controls.map(({ id }) => id));
    const reached = new Set();
    for (let i = 0; i < wanted.length + 5; i++) {
      await page.keyboard.press('Tab');
      const { id, outline } = await page.evaluate(() => {
        const { id } = document.activeElement;
        return { id, outline: getComputedStyle(document.activeElement).outlineStyle };
      });
      if (!wanted.includes(id)) continue;
      reached.add(id);
      assert.equal(outline, 'solid', `the focus on #${id} is to be seen`);
    }
    assert.deepEqual([...reached], wanted);

    await page.focus('#leaking-toggle');
    await page.keyboard.press('Enter');
    await predicts(page, 'leaking', 1);
  }),
);

for (const width of [360, 1280]) {
  test(`nothing moves while it works, ${width} px wide`, { skip }, () =>
    visit({ viewport: { width, height: 900 } }, async (page) => {
      const before = await places(page);
      await toggle(page, 'leaking');
      await toggle(page, 'tidy');
      await predicts(page, 'leaking', 10);
      await page.click('#collect');
      await said(page, /^Garbage/);
      assert.deepEqual(await places(page), before);
      await page.selectOption('#backend', 'webgl');
      await said(page, /WebGL2/);
      await page.click('#context');
      await said(page, /is lost/);
      assert.deepEqual(await places(page), before);
    }),
  );
}

for (const width of [360, 800, 1280]) {
  test(`ten million tensors have room, ${width} px wide`, { skip }, () =>
    visit({ viewport: { width, height: 900 } }, async (page) => {
      const crowded = await page.locator('.loop dd').evaluateAll((figures) => {
        for (const figure of figures) figure.textContent = '10,000,000';
        return figures.filter((figure) => figure.scrollWidth > figure.clientWidth).map(({ id }) => id);
      });
      assert.deepEqual(crowded, []);
    }),
  );
}

/** Opens the page, lets `use` work with it, and fails where the console had something to say. */
async function visit({ debug, isolated, query = '', viewport = { width: 1280, height: 900 } }, use) {
  const server = await servePage({ debug, isolated });
  const page = await browser.newPage({ viewport });
  const problems = watch(page);
  try {
    await page.goto(server.url + query);
    await said(page, /^Ready/);
    assert.equal(await page.evaluate(() => crossOriginIsolated), isolated ?? true);
    await use(page);
    assert.deepEqual(problems, []);
  } catch (error) {
    const status = await page.locator('#status').textContent({ timeout: 1000 }).catch(() => 'no #status to read');
    throw new Error([error.message, status, ...problems].join('\n'), { cause: error });
  } finally {
    await page.close();
    await server.close();
  }
}

const kSpoken = { leaking: 'The leaking loop', tidy: 'The loop under tidy' };

/** Starts or stops a loop, and waits until the page has said so of this loop. */
const toggle = async (page, name) => {
  const button = page.locator(`#${name}-toggle`);
  const starts = (await button.textContent()).startsWith('Start');
  await button.click();
  await said(page, new RegExp(`^${kSpoken[name]} ${starts ? 'runs' : 'has stopped'}`));
};

const said = (page, pattern) => page.locator('#status').filter({ hasText: pattern }).waitFor(kWait);

/** Where everything is, in pixels of the page. */
const places = (page) =>
  page.locator('h1, article, figure, section, button, select').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.id || element.tagName, x, y + scrollY, width, height].map((n) => (n.toFixed ? Math.round(n) : n)).join(' ');
    }),
  );

/** Waits until a loop has predicted so often. */
const predicts = (page, name, count) =>
  page.waitForFunction(
    ([loop, least]) => tenureDemo.history.samples.at(-1)[loop].predicts >= least,
    [name, count],
    kWait,
  );

/** Waits until both loops have predicted some more. */
async function advance(page) {
  const { leaking, tidy } = (await shown(page)).samples.at(-1);
  await predicts(page, 'leaking', leaking.predicts + 5);
  await predicts(page, 'tidy', tidy.predicts + 5);
}

/** The steps of training, and what the charts made of them. */
const lessonsOf = (page) =>
  page.evaluate(() => {
    const { learner, charts } = tenureDemo;
    const of = (name) => [name, charts[name].data.map((line) => [...line])];
    return { lessons: [...learner.lessons], charts: Object.fromEntries(['loss', 'step-tensors'].map(of)) };
  });

/** The samples, and what the charts made of them. */
const shown = (page) =>
  page.evaluate(() => ({
    samples: tenureDemo.history.samples,
    charts: Object.fromEntries(Object.entries(tenureDemo.charts).map(([name, { data }]) => [name, data.map((line) => [...line])])),
  }));
