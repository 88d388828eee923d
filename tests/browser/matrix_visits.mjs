import assert from 'node:assert/strict';

const kWait = 90_000;
const kEvery = 50;
/** The debug build warns of these on purpose. */
const kCollected = /was collected without dispose$/;

/** Opens a page, and returns the result that it writes into #result. Any error or warning on the console is a failure. */
export async function showPage(browser, { pages }, { page: address, isInlined }, name) {
  const page = await browser.open(`${pages.url}/${address}${isInlined && name === 'Chromium 102' ? '?ready' : ''}`);
  try {
    const text = await until(page, () => document.querySelector('#result')?.textContent);
    await assertNoProblems(page);
    return JSON.parse(text);
  } finally {
    await page.close();
  }
}

/** Opens a page of the demo; returns its loops' counts, and the line that its report names. */
export async function showDemo(browser, { demo }, { demo: name }) {
  const page = await browser.open(`${demo.url}/${name}`);
  try {
    const isReady = () => /^Ready/.test(document.querySelector('#status')?.textContent ?? '');
    await until(page, isReady);
    const found = await until(page, name === 'index.html' ? loopsOfDemo : lessonsOfDemo);
    await assertNoProblems(page);
    return found;
  } finally {
    await page.close();
  }
}

/** Runs in the page: returns the loops' counts once both have turned and the report names a line. */
function loopsOfDemo() {
  const sample = globalThis.tenureDemo?.history.samples.at(-1);
  const named = document.querySelector('#named')?.textContent;
  if (!(sample?.leaking.turns >= 10 && sample.tidy.turns >= 10 && /:\d+$/.test(named))) return undefined;
  return { leaking: sample.leaking.tensors, tidy: sample.tidy.tensors, named };
}

/** Runs in the page: returns the number of steps, and the first and the last loss, after twenty steps. */
function lessonsOfDemo() {
  const lessons = globalThis.tenureTraining?.learner.lessons ?? [];
  return lessons.length < 20 ? undefined : { first: lessons[0].loss, last: lessons.at(-1).loss };
}

async function assertNoProblems(page) {
  const problems = await page.problems();
  assert.deepEqual(
    problems.filter((text) => !kCollected.test(text)),
    [],
  );
}

/** Polls `body` in the page until it returns a value, and returns that. */
async function until(page, body) {
  const end = Date.now() + kWait;
  for (;;) {
    const found = await page.evaluate(body);
    if (found) return found;
    const problems = (await page.problems()).filter((text) => !kCollected.test(text));
    if (problems.length > 0 || Date.now() > end) {
      const shown = await page.evaluate(() => document.body?.innerText.slice(0, 500));
      throw new Error([`the page shows: ${shown}`, ...problems].join('\n'));
    }
    await new Promise((resolve) => setTimeout(resolve, kEvery));
  }
}
