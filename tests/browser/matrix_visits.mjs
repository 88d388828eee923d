import assert from 'node:assert/strict';

const kWait = 90_000;
const kEvery = 50;
/** The debug build warns of these mistakes, which pages make on purpose. */
const kIntended = /was collected without dispose$|mistakes\.ts:\d+:\d+ was disposed by dispose/;

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

/** Opens a page of the demo, and returns what it shows. */
export async function showDemo(browser, { demo }, { demo: name }) {
  const page = await browser.open(`${demo.url}/${name}?manual`);
  try {
    const found = name === 'training.html' ? await until(page, lessonsOfDemo) : await showLeak(page);
    await assertNoProblems(page);
    return found;
  } finally {
    await page.close();
  }
}

/** Returns the first screen's leak, its mend, and the outcomes of the experiments. */
async function showLeak(page) {
  const leak = await until(page, leakOfDemo);
  await page.evaluate(() => document.querySelector('#mend').click());
  const mend = await until(page, mendOfDemo);
  return { leak, mend, outcomes: await until(page, outcomesOfDemo) };
}

/** Runs in the page: returns the leak once both programs have leaked as much, and a line is named. */
function leakOfDemo() {
  const { race, leak, isComplete } = globalThis.tenureDemo ?? {};
  const [first, second] = race?.runners ?? [];
  if (!isComplete || !leak || !(second?.turns >= 10) || first.turns !== second.turns) return undefined;
  const tensors = race.runners.map(({ turns, numTensors }) => numTensors - turns);
  return { named: document.querySelector('#tenure-score').textContent, tensors };
}

/** Runs in the page: returns how many tensors the programs have gained in ten frames after the mend. */
function mendOfDemo() {
  const { race } = globalThis.tenureDemo;
  const [first, second] = race.runners;
  const isFlat = document.querySelector('#tenure-score').textContent === 'No line leaks';
  if (!isFlat || first.turns !== second.turns) return undefined;
  const counts = (globalThis.countsAfterMend ??= race.runners.map(({ turns, numTensors }) => ({ turns, numTensors })));
  if (first.turns < counts[0].turns + 10) return undefined;
  return race.runners.map(({ numTensors }, i) => numTensors - counts[i].numTensors);
}

/** Runs in the page: returns the texts of the experiments once all have ended. */
function outcomesOfDemo() {
  const texts = ['await', 'dispose', 'memory'].map((name) => document.querySelector(`#${name}-outcome`).textContent);
  const goesOn = document.querySelector('#memory-since').textContent;
  return texts.includes('Not run yet.') || !/ [1-9]\d* frames/.test(goesOn) ? undefined : texts;
}

/** Runs in the page: returns the number of steps, and the first and the last loss, after twenty steps. */
function lessonsOfDemo() {
  const lessons = globalThis.tenureTraining?.learner.lessons ?? [];
  return lessons.length < 20 ? undefined : { first: lessons[0].loss, last: lessons.at(-1).loss };
}

async function assertNoProblems(page) {
  const problems = await page.problems();
  assert.deepEqual(
    problems.filter((text) => !kIntended.test(text)),
    [],
  );
}

/** Polls `body` in the page until it returns a value, and returns that. */
async function until(page, body) {
  const end = Date.now() + kWait;
  for (;;) {
    const found = await page.evaluate(body);
    if (found) return found;
    const problems = (await page.problems()).filter((text) => !kIntended.test(text));
    if (problems.length > 0 || Date.now() > end) {
      const shown = await page.evaluate(() => document.body?.innerText.slice(0, 500));
      throw new Error([`the page shows: ${shown}`, ...problems].join('\n'));
    }
    await new Promise((resolve) => setTimeout(resolve, kEvery));
  }
}
