// Measures the debug build's cost of a small op, `add` and `dispose`: `node tests/bench/debug_cost.mjs`, after `npm run build`.
// --baseline FOLDER also measures another dist/, in turns, and prints the ratios; --turns sets the number of turns. --vite also
// measures in Chromium, in a page of Vite's development server, which bundles the package in advance: as most pages run, and with
// a debugger attached, as a page runs with open developer tools.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { root, useToolchain } from '../../cpp/toolchain/use.mjs';
import { median } from './timing.mjs';

const kDepths = [1, 40];
const { values: flags } = parseArgs({
  options: {
    baseline: { type: 'string' },
    turns: { type: 'string', default: '3' },
    vite: { type: 'boolean', default: false },
  },
});
const dists = [path.join(root, 'dist'), ...(flags.baseline ? [path.resolve(flags.baseline)] : [])];

await printRows('Node', measureInNode);
if (flags.vite) {
  useToolchain('browser');
  await printRows('Chromium, Vite dev', (dist) => measureInPage(dist, openProcess));
  await printRows('Chromium, Vite dev, debugger attached', (dist) => measureInPage(dist, openDebugged));
}

/** Prints the medians of the folders' measurements, which are taken in turns. */
async function printRows(where, measure) {
  const turns = [];
  for (let i = 0; i < Number(flags.turns); i++) {
    const turn = [];
    for (const dist of dists) turn.push(await measure(dist));
    turns.push(turn);
  }
  const middle = (dist, build, k) => median(turns.map((turn) => turn[dist][build][k]));
  for (const build of Object.keys(turns[0][0])) {
    for (const [k, depth] of kDepths.entries()) {
      const own = middle(0, build, k);
      const other = flags.baseline ? `, baseline ${middle(1, build, k).toFixed(2)} us` : '';
      const ratio = flags.baseline ? `, ratio ${(own / middle(1, build, k)).toFixed(2)}` : '';
      console.log(`${where}: ${build}, depth ${depth}: ${own.toFixed(2)} us${other}${ratio}`);
    }
  }
}

async function measureInNode(dist) {
  const program = `
    import { measureDepths } from ${JSON.stringify(new URL('debug_op.mjs', import.meta.url).href)};
    // CPU time, which other programs disturb less.
    const now = () => process.cpuUsage().user + process.cpuUsage().system;
    const rows = {};
    for (const [build, file] of [['release', 'index.js'], ['debug', 'debug/index.js']]) {
      rows[build] = measureDepths(await import(${JSON.stringify(`${pathToFileURL(dist).href}/`)} + file), ${JSON.stringify(kDepths)}, now);
    }
    process.stdout.write(JSON.stringify(rows));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
}

/** Measures a page of Vite's development server. `open` opens its address and returns a function that closes it. */
async function measureInPage(dist, open) {
  const { createServer } = await import('vite');
  const folder = mkdtempSync(path.join(tmpdir(), 'tenure-vite-'));
  const package_ = path.join(folder, 'node_modules/tenure');
  mkdirSync(package_, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(package_, 'package.json'));
  cpSync(dist, path.join(package_, 'dist'), { recursive: true });
  cpSync(new URL('debug_op.mjs', import.meta.url), path.join(folder, 'debug_op.mjs'));
  writeFileSync(
    path.join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  );
  writeFileSync(
    path.join(folder, 'main.js'),
    `import * as debug from 'tenure';
import * as release from 'tenure/release';
import { measureDepths } from './debug_op.mjs';
const now = () => performance.now() * 1000;
const rows = {};
await new Promise((resolve) => setTimeout(resolve, 500));
for (const [build, tf] of Object.entries({ release, debug })) {
  await tf.ready();
  rows[build] = measureDepths(tf, ${JSON.stringify(kDepths)}, now);
}
await fetch('/result', { method: 'POST', body: JSON.stringify(rows) });
`,
  );
  let take;
  const result = new Promise((resolve) => (take = resolve));
  const receive = {
    name: 'receive',
    configureServer({ middlewares }) {
      middlewares.use('/result', (request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += chunk));
        request.on('end', () => {
          response.end();
          take(JSON.parse(body));
        });
      });
    },
  };
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [receive],
    server: { host: '127.0.0.1', port: 0, hmr: false },
    optimizeDeps: { include: ['tenure', 'tenure/release'] },
  });
  await server.listen();
  const close = await open(`http://127.0.0.1:${server.httpServer.address().port}/`, folder);
  try {
    return await result;
  } finally {
    await close();
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Opens a page in a browser of its own, with no debugger. */
async function openProcess(url, folder) {
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'];
  const browser = spawn(process.env.CHROMIUM, [...flags, `--user-data-dir=${path.join(folder, 'profile')}`, url], {
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => browser.on('exit', resolve));
  return async () => {
    process.kill(-browser.pid);
    await ended;
  };
}

async function openDebugged(url) {
  const { openBrowser } = await import('../browser/chrome.mjs');
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  return () => browser.close();
}
