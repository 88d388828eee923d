// The demo's first screen: one program with a leak on TensorFlow.js and on Tenure's debug build, and the experiments below.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
  if (!skip) demo = await openDemo('demo_test');
});
after(() => demo?.browser.close());

const linesOf = (name) => readFileSync(new URL(`../../web/demo/${name}`, import.meta.url), 'utf8').split('\n');
const tracker = linesOf('tracker.ts');
const mistakes = linesOf('mistakes.ts');
/** The line of the program whose tensors nobody frees. */
const kLeak = tracker.findIndex((line) => line.includes('= gray.squaredDifference(last)')) + 1;
const kMend = tracker.findIndex((line) => line.includes('tf.tidy(() => gray.squaredDifference(last)')) + 1;
/** Bytes of a grey picture, which is what the program holds, and what it leaks with each frame. */
const kGray = 360 * 360 * 4;

test('both programs leak the same from the start, TensorFlow.js as a number and Tenure with the line', { skip }, () =>
  visit({}, async (page) => {
    await leaksTogether(page);
    assert.match(await text(page, 'peer-name'), /^TensorFlow\.js \d/);
    assert.match(await text(page, 'peer-score'), /^[\d.]+ [KM]B$/);
    assert.match(await text(page, 'peer-answer'), /^Which line\?/);
    assert.equal(await text(page, 'tenure-score'), `tracker.ts:${kLeak}`);
    assert.equal(await text(page, 'tenure-answer'), 'squaredDifference: 1 tensor a frame.');
    for (const name of ['peer', 'tenure']) {
      await page
        .locator(`#${name}-facts`, { hasText: /in \d+ tensors\. Tab full in (\d+ min|\d+ min \d+ s|\d+ s)\.$/ })
        .waitFor(kWait);
    }

    const before = await shown(page);
    await page.waitForFunction((least) => tenureDemo.race.turns >= least, before.turns + 10, kWait);
    await page.click('#pause');
    const { samples, runners, turns, chart } = await shown(page);
    for (const { turns: own, numTensors, numBytes } of runners) {
      assert.equal(numTensors, 1 + own);
      assert.equal(numBytes, (1 + own) * kGray);
      assert.ok(own > before.turns && own <= turns);
    }
    assert.ok(samples.at(-1).peer > before.samples.at(-1).peer, 'the number grows');
    assert.ok(new Set(samples.map(({ tenure }) => tenure)).size > 3, 'the line of the chart rises');
    assert.match(chart, /now Tenure [\d.]+ MB, TensorFlow\.js [\d.]+ MB$/);
    await page.waitForTimeout(600);
    assert.equal((await shown(page)).turns, turns, 'the pause holds');
  }),
);

test('the line that the debug build names is the one that is highlighted, and the only one', { skip }, () =>
  visit({}, async (page) => {
    await leaksTogether(page);
    const lit = await page.locator('.program .line.leaks:visible').evaluateAll((rows) =>
      rows.map((row) => ({
        line: Number(row.dataset.line),
        code: row.firstChild.textContent,
        note: row.querySelector('.note').textContent,
        host: row.closest('pre').id,
      })),
    );
    assert.deepEqual(
      lit.map(({ line, host }) => [line, host]),
      [[kLeak, 'tenure-code']],
    );
    assert.equal(lit[0].code, tracker[kLeak - 1].trim());
    assert.match(lit[0].note, /^\d+ tensors made here are alive: [\d.]+ MB$/);
    assert.equal(await page.evaluate(() => tenureDemo.leak.line), kLeak);
  }),
);

test('the mend makes both flat, and the leak can be brought back', { skip }, () =>
  visit({}, async (page) => {
    await leaksTogether(page);
    await page.click('#mend');
    await said(page, /^Both are mended/);
    // The programs may have to catch up with each other's leaking frames.
    await page.waitForFunction(
      () => new Set(tenureDemo.race.runners.map(({ turns }) => turns)).size === 1,
      null,
      kWait,
    );
    const before = await shown(page);
    await page.locator('#tenure-score', { hasText: 'No line leaks' }).waitFor(kWait);
    await page.waitForFunction((least) => tenureDemo.race.turns >= least, before.turns + 20, kWait);
    const { runners } = await shown(page);
    assert.equal(runners.length, 2);
    for (const [i, { numTensors, numBytes, turns }] of runners.entries()) {
      assert.ok(turns > before.runners[i].turns);
      assert.deepEqual([numTensors, numBytes], [before.runners[i].numTensors, before.runners[i].numBytes]);
      assert.ok(numTensors < 1 + turns);
    }
    const mended = await page
      .locator('.program .line.mended:visible')
      .evaluateAll((rows) => rows.map((row) => [Number(row.dataset.line), row.firstChild.textContent]));
    assert.deepEqual(mended, [
      [kMend, tracker[kMend - 1].trim()],
      [kMend, tracker[kMend - 1].trim()],
    ]);
    assert.equal(await page.locator('.program .line.leaks:visible').count(), 0);
    assert.match(await text(page, 'peer-facts'), /and no more\. Never full\.$/);

    await page.click('#leak');
    await said(page, /^Started over/);
    await leaksTogether(page);
    const { runners: again } = await shown(page);
    for (const { turns, numTensors } of again) assert.equal(numTensors, 1 + turns, 'what had leaked was freed');
  }),
);

test('the page shows the mend of its own accord, after both have leaked side by side', { skip }, () =>
  visit({ query: '' }, async (page) => {
    await said(page, /^Both are mended/);
    const { samples, seconds } = await shown(page);
    const together = samples.filter(({ peer, tenure }) => peer > 0 && tenure > 0);
    assert.ok(seconds >= 6 && together.at(-1).time - together[0].time >= 3, JSON.stringify(together));
    assert.ok(samples.filter(({ time }) => time < 5).length > 3, 'the chart has samples of its first seconds');
  }),
);

test('the leak is mended before the tab dies', { skip }, () =>
  visit({ query: '?manual&limit=16' }, async (page) => {
    await said(page, /^Mended at 16 MB/);
    await page.locator('#tenure-score', { hasText: 'No line leaks' }).waitFor(kWait);
    assert.ok((await shown(page)).samples.at(-1).tenure < 32 * 2 ** 20);
  }),
);

test('without TensorFlow.js the page argues with the release build in its place', { skip }, () => {
  const init = (page) =>
    page.route(/\/peer-.*\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export const tf = undefined;' }),
    );
  return visit({ init }, async (page) => {
    await leaksTogether(page);
    assert.equal(await text(page, 'peer-name'), 'Tenure, release build (TensorFlow.js is not installed)');
    assert.equal(await text(page, 'tenure-score'), `tracker.ts:${kLeak}`);
    assert.match(await text(page, 'peer-score'), /^[\d.]+ [KM]B$/);
    await page.locator('#speed').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => tenureDemo.speed, null, kWait);
    assert.ok((await page.evaluate(() => tenureDemo.speed)).every(({ tenure, peer }) => tenure > 0 && !peer));
  });
});

test('an async function leaks on both sides of its await, and nothing in scopeAsync', { skip }, () =>
  visit({}, async (page) => {
    await run(page, 'await');
    await page.locator('#await-outcome', { hasText: '2 lines leak. In scopeAsync, none does.' }).waitFor(kWait);
    const first = mistakes.findIndex((line) => line.includes('function unowned(')) + 1;
    const lit = await litLines(page, 'await-code');
    assert.deepEqual(
      lit.map(({ line, code }) => [line, code]),
      [
        [first + 1, 'const image = tf.browser.fromPixels(frame);'],
        [first + 3, 'const mean = image.mean();'],
      ],
    );
    assert.deepEqual(
      lit.map(({ note }) => note.replace(/\d+/, 'N')),
      ['fromPixels leaves N tensors', 'mean leaves N tensors'],
    );
  }),
);

test('use after dispose is named with the lines that made, disposed and used the tensor', { skip }, () =>
  visit({}, async (page) => {
    await run(page, 'dispose');
    const first = mistakes.findIndex((line) => line.includes('function disposed(')) + 1;
    const own = page.locator('#dispose-outcome', { hasText: 'DisposedError' });
    await own.waitFor(kWait);
    const message = await own.textContent();
    assert.match(message, new RegExp(`made by fromPixels at web/demo/mistakes\\.ts:${first + 1}:\\d+ was disposed`));
    assert.match(message, new RegExp(`by dispose at web/demo/mistakes\\.ts:${first + 2}:\\d+$`));
    assert.deepEqual(
      (await litLines(page, 'dispose-code')).map(({ line, note }) => [line, note]),
      [
        [first + 1, 'made here'],
        [first + 2, 'disposed here'],
        [first + 3, 'used here'],
      ],
    );
    assert.equal(await text(page, 'dispose-peer'), 'Error: Tensor is disposed.');
  }),
);

test('out of memory names the largest tensors, and the page goes on', { skip }, () =>
  visit({}, async (page) => {
    await leaksTogether(page);
    await run(page, 'memory');
    await page.locator('#memory-outcome', { hasText: /^OutOfMemoryError: .*out of memory/ }).waitFor(kWait);
    const line = mistakes.findIndex((each) => each.includes('frames.push(')) + 1;
    const rows = await page.locator('#memory-bars li').allTextContents();
    assert.equal(rows.length, 3);
    assert.ok(
      rows.some((row) =>
        new RegExp(`^\\d+ × int32\\[360,360,3\\] from fromPixels at mistakes\\.ts:${line}:`).test(row),
      ),
      rows.join('\n'),
    );
    const { turns } = await shown(page);
    await page.waitForFunction((least) => tenureDemo.race.turns >= least, turns + 10, kWait);
    await page.locator('#memory-since', { hasText: /^The page goes on: [1-9]\d+ frames since\.$/ }).waitFor(kWait);
    const { runners } = await shown(page);
    for (const { numTensors, turns: own } of runners) assert.equal(numTensors, 1 + own, 'no frame failed');
    // The failed program has left nothing, and its budget is gone.
    await run(page, 'memory');
    await page.locator('#memory-since', { hasText: /: \d frames since\.$/ }).waitFor(kWait);
    await page.waitForFunction((least) => tenureDemo.race.turns >= least, turns + 20, kWait);
  }),
);

test('the speed of both libraries is measured, and drawn as bars', { skip }, () =>
  visit({}, async (page) => {
    await page.locator('#speed').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => tenureDemo.speed, null, kWait);
    const speed = await page.evaluate(() => tenureDemo.speed);
    assert.equal(speed.length, 4);
    const bars = await page
      .locator('#speed-bars .bar')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    for (const [i, { name, tenure, peer }] of speed.entries()) {
      const [own, other] = bars.slice(2 * i, 2 * i + 2);
      assert.ok(tenure > 0 && peer > 0, name);
      assert.ok(Math.abs(own / other - tenure / peer) < 0.05 * Math.max(1, tenure / peer), `${name}: ${own}, ${other}`);
    }
  }),
);

test('a phone needs no horizontal scrolling, and the keyboard reaches and uses every control', { skip }, () =>
  visit({ viewport: { width: 360, height: 740 } }, async (page) => {
    await leaksTogether(page);
    await assertNoScrolling(page);
    await assertReachable(page);
    await page.focus('#mend');
    await page.keyboard.press('Enter');
    await said(page, /^Both are mended/);
    await page.focus('#memory-run');
    await page.keyboard.press('Space');
    await page.locator('#memory-outcome', { hasText: /^OutOfMemoryError/ }).waitFor(kWait);
    await assertNoScrolling(page);
  }),
);

for (const width of [360, 1280]) {
  test(`the layout is stable while the programs leak and are mended, ${width} px wide`, { skip }, () =>
    visit({ viewport: { width, height: 900 } }, async (page) => {
      const before = await places(page);
      await leaksTogether(page);
      await assertPlaces(page, before);
      await page.click('#mend');
      await page.locator('#tenure-score', { hasText: 'No line leaks' }).waitFor(kWait);
      await assertPlaces(page, before);
    }),
  );
}

for (const [width, height] of [
  [1280, 800],
  [360, 740],
]) {
  test(`the numbers, the line and the mend are above the fold, ${width} x ${height}`, { skip }, () =>
    visit({ viewport: { width, height } }, async (page) => {
      await leaksTogether(page);
      const ids = ['peer-score', 'peer-facts', 'tenure-score', 'tenure-code', 'mend', 'status'];
      if (width > 1000) ids.push('chart-bytes');
      const low = await page.evaluate(
        (all) => all.filter((id) => document.getElementById(id).getBoundingClientRect().bottom > innerHeight),
        ids,
      );
      assert.deepEqual(low, []);
    }),
  );
}

for (const look of kLooks) {
  const { viewport, colorScheme } = look;
  test(`axe finds no violations, ${viewport.width} px wide and ${colorScheme}`, { skip }, () =>
    visit(look, async (page) => {
      await leaksTogether(page);
      for (const name of ['await', 'dispose', 'memory']) await run(page, name);
      await page.locator('#await-code .leaks').first().waitFor(kWait);
      await assertAccessible(page);
      await page.click('#mend');
      await assertAccessible(page);
    }),
  );
}

for (const [name, program] of [
  ['', 'main'],
  ['detection.html', 'detection'],
]) {
  test(`an error while ${name || 'index.html'} starts is shown in the page`, { skip }, () =>
    assertShowsFailure(demo, name, program),
  );
}

test('the page starts with a language that Intl rejects', { skip }, () => {
  // Reproduces WebKitGTK's language with LANG=C, and Safari's missing API.
  const init = (page) =>
    page.addInitScript(() => {
      Object.defineProperty(navigator, 'language', { value: 'c', configurable: true });
      delete globalThis.requestIdleCallback;
    });
  return visit({ init }, leaksTogether);
});

test('the card for sharing and the links are correct', { skip }, () =>
  visit({}, async (page) => {
    const image = await page.locator('meta[property="og:image"]').getAttribute('content');
    for (const url of [image, ...(await page.locator('a').evaluateAll((links) => links.map(({ href }) => href)))]) {
      const { status, size } = await page.evaluate(async (address) => {
        const response = await fetch(address);
        return { status: response.status, size: (await response.arrayBuffer()).byteLength };
      }, url);
      assert.equal(status, 200, url);
      assert.ok(size < 2 ** 20, url);
      const { hash } = new URL(url, page.url());
      if (hash) assert.equal(await page.locator(hash).count(), 1, url);
    }
  }),
);

/** Opens the page, which by default mends nothing of its own accord, and runs `use` once the first program runs. */
function visit({ query = '?manual', ...options }, use) {
  return visitDemo(demo, { query, ...options }, () => globalThis.tenureDemo?.race.turns > 0, use);
}

/** Waits until both programs have leaked the same, and the debug build has named a line. */
const leaksTogether = (page) =>
  page.waitForFunction(
    () => {
      const { race, leak, samples } = tenureDemo;
      const [first, second] = race.runners;
      return leak && second && first.turns >= 20 && first.turns === second.turns && samples.at(-1).peer > 0;
    },
    null,
    kWait,
  );

/** Presses the button of an experiment, once it has been run. */
async function run(page, name) {
  await page.waitForFunction(() => tenureDemo.isComplete, null, kWait);
  await page.click(`#${name}-run`);
}

const text = (page, id) => page.locator(`#${id}`).textContent();

/** Returns the highlighted lines of a listing, with their remarks. */
const litLines = (page, id) =>
  page.locator(`#${id} .line:has(.note)`).evaluateAll((rows) =>
    rows.map((row) => ({
      line: Number(row.dataset.line),
      code: row.firstChild.textContent.trim(),
      note: row.querySelector('.note').textContent,
    })),
  );

/** Returns the programs' counts, the samples, and the chart in words. */
const shown = (page) =>
  page.evaluate(() => {
    const { race, samples } = tenureDemo;
    return {
      samples,
      turns: race.turns,
      seconds: race.seconds,
      runners: race.runners.map(({ turns, numTensors, numBytes }) => ({ turns, numTensors, numBytes })),
      chart: document.getElementById('chart-bytes').getAttribute('aria-label'),
    };
  });

/** Returns the positions and sizes of the first screen's elements, in pixels of the page. */
const places = (page) =>
  page.locator('h1, .program, .program pre, .controls, .controls button, figure, .divider').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { name: element.id || element.tagName, box: [x, y + scrollY, width, height] };
    }),
  );

/** Fails if an element has moved or grown by more than a pixel, which is rounding. */
async function assertPlaces(page, before) {
  const after = await places(page);
  const moved = after.filter(({ box }, i) => box.some((value, side) => Math.abs(value - before[i].box[side]) > 1));
  assert.deepEqual([after.length, moved], [before.length, []]);
}
