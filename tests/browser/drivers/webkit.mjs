import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

const kStart = 30_000;

/**
 * Starts WebKitGTK's MiniBrowser, driven by plain WebDriver requests. Isolated pages have SharedArrayBuffer, as in Safari,
 * unless `threads` is false: by default WebKitGTK does not enable it.
 */
export async function openWebkit({ display, threads = true, language = 'en_US.UTF-8' }) {
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: display.name,
    GDK_BACKEND: 'x11',
    LANG: language,
    NO_AT_BRIDGE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    ...(threads ? { JSC_useSharedArrayBuffer: '1' } : {}),
  };
  delete env.LC_ALL;
  const driver = spawn(process.env.WEBKIT_DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
  process.on('exit', () => driver.kill());
  const send = (method, path, body) => request(`http://127.0.0.1:${port}${path}`, method, body);
  await untilReady(driver, send);
  const options = { binary: process.env.MINIBROWSER, args: ['--automation'] };
  const { sessionId, capabilities } = await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  });
  const session = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
  await session('POST', '/timeouts', { script: 120_000, pageLoad: 120_000 });
  return {
    version: capabilities.browserVersion,
    open: (url) => openPage(session, url),
    async close() {
      await session('DELETE', '').catch(() => {});
      driver.kill();
    },
  };
}

/** Opens one page at a time, in the window's only tab: background tabs are hidden, and may wait for ever. */
async function openPage(send, url) {
  await send('POST', '/url', { url });
  const evaluate = async (body, ...args) => {
    const result = await send('POST', '/execute/async', { script: scriptOf(body), args: [args] });
    if (result.failed === undefined) return result.value ?? undefined;
    throw new Error(result.failed);
  };
  return {
    // WebDriver has no request for the console; the page server's recorder.js records it.
    problems: () => evaluate(() => globalThis.recordedProblems ?? ['the page has no recorder']),
    evaluate,
    screenshot: async () => Buffer.from(await send('GET', '/screenshot'), 'base64'),
    close: () => send('POST', '/url', { url: 'about:blank' }),
  };
}

function scriptOf(body) {
  return `const [args, done] = arguments;
    Promise.resolve().then(() => (${body})(...args)).then((value) => done({ value }), (error) => done({ failed: String(error?.stack ?? error) }));`;
}

async function request(url, method, body) {
  const response = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`);
  return value;
}

async function untilReady(driver, send) {
  const end = Date.now() + kStart;
  while (!(await send('GET', '/status').catch(() => undefined))) {
    if (driver.exitCode !== null || Date.now() > end) throw new Error(`${process.env.WEBKIT_DRIVER} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
