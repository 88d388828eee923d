import assert from 'node:assert/strict';

const kWait = 90_000;
const kEvery = 50;
/** What the debug build is there to warn of. */
const kCollected = /was collected without dispose$/;

/** Shows a page, and gives what it wrote into #result. Whatever the console complains of is a failure. */
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

/** Shows a page of the demo; gives what its loops did, and which line its report names. */
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

/** In the page: the loops' counts, when both have turned and the report has named a line. */
function loopsOfDemo() {
  const sample = globalThis.tenureDemo?.history.samples.at(-1);
  const named = document.querySelector('#named')?.textContent;
  if (!(sample?.leaking.turns >= 10 && sample.tidy.turns >= 10 && /:\d+$/.test(named))) return undefined;
  return { leaking: sample.leaking.tensors, tidy: sample.tidy.tensors, named };
}

/** In the page: the number of steps, and the first and the last loss, after twenty. */
function lessonsOfDemo() {
  const lessons = globalThis.tenureTraining?.learner.lessons ?? [];
  return lessons.length < 20 ? undefined : { first: lessons[0].loss, last: lessons.at(-1).loss };
}

async function assertNoProblems(page) {
  const problems = await page.problems();
  assert.deepEqual(problems.filter((text) => !kCollected.test(text)), []);
}

/** What `body` gives in the page, once it gives something. */
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
