import puppeteer from 'puppeteer-core';

// Without a GPU, Firefox refuses WebGL unless it is forced, in a process of its own.
const kPreferences = { 'webgl.force-enabled': true, 'webgl.out-of-process': true };

/** Starts Firefox, driven over WebDriver BiDi. Not headless, because headless Firefox has no WebGL. */
export async function openFirefox({ display }) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX,
    headless: false,
    extraPrefsFirefox: kPreferences,
    env: { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  const version = (await browser.version()).replace(/^firefox\//i, '');
  return { version, open: (url) => openPage(browser, url), close: () => browser.close() };
}

async function openPage(browser, url) {
  const page = await browser.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warn', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  return {
    problems: () => problems,
    evaluate: (body, ...args) => page.evaluate(body, ...args),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}
