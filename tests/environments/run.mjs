// `npm run environments [-- --quick] [--control] [--bundles] [words]`: tests the packed package in every environment, or in those
// whose names contain one of the words, each in a project of its own. --control tests TensorFlow.js instead; --bundles measures what
// bundlers make instead. Records the results in results.json or bundles.json, and rewrites docs/environments.md.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { root, run, usePackages, useToolchain } from '../../cpp/toolchain/use.mjs';
import { environments } from './environments.mjs';
import { kBundles, kResults, writeEnvironments } from './table.mjs';

const here = path.join(root, 'tests/environments');
const folder = path.join(root, 'build/environments');
const asked = process.argv.slice(2);
const control = asked.includes('--control');
const quick = asked.includes('--quick');
const bundles = asked.includes('--bundles');
const words = asked.filter((word) => !word.startsWith('--'));
const packageName = control ? '@tensorflow/tfjs' : 'tenure';
const kWait = 1_200_000;

useToolchain('browser');
usePackages();
const { openBrowser, served, visit } = await import('../browser/chrome.mjs');
const { measureBundles } = await import('./bundles.mjs');

install();
const browser = await openBrowser();
const rows = [];
try {
  if (bundles) writeFileSync(kBundles, `${JSON.stringify(await measureBundles(folder, browser), null, 2)}\n`);
  for (const environment of bundles ? [] : environments) {
    if (quick && !environment.quick) continue;
    if (words.length > 0 && !words.some((word) => environment.name.toLowerCase().includes(word.toLowerCase())))
      continue;
    if (control && environment.own) continue;
    const start = Date.now();
    const result = await resultOf(environment);
    rows.push({ ...environment, result });
    console.log(
      `${result === 'works' ? 'ok  ' : 'FAIL'} ${environment.name} (${((Date.now() - start) / 1000).toFixed(1)} s)`,
    );
    if (result !== 'works') console.log(result.slice(0, 3000));
  }
} finally {
  await browser.close();
}
if (bundles) writeEnvironments();
else if (!quick) noteResults();
process.exitCode = bundles || (rows.length > 0 && (control || rows.every(({ result }) => result === 'works'))) ? 0 : 1;

/** Installs the tools where their projects find them, and the package as npm packs it. */
function install() {
  mkdirSync(folder, { recursive: true });
  // Install scripts would put the machine's programs where Node and these tests look for others.
  const npm = (...args) =>
    run('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true });
  if (!quick) {
    const wanted = readFileSync(path.join(here, 'package.json'), 'utf8');
    const noted = path.join(folder, 'package.json');
    if (!existsSync(noted) || readFileSync(noted, 'utf8') !== wanted) {
      writeFileSync(noted, wanted);
      npm('install', '--prefix', folder, '--legacy-peer-deps');
    }
    if (control) npm('install', '--prefix', folder, '--no-save', '--legacy-peer-deps', '@tensorflow/tfjs@4.22.0');
  }
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.tgz'))) rmSync(path.join(folder, file));
  npm('pack', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  const place = path.join(folder, 'node_modules/tenure');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  run('tar', ['-xzf', path.join(folder, tarball), '-C', place, '--strip-components=1'], { quiet: true });
}

async function resultOf({
  folder: project,
  run: command,
  serve: server,
  page,
  files = {},
  type = 'module',
  tests,
  policy,
  name,
  entry = packageName,
}) {
  const place = path.join(folder, `${project}_${name.replace(/\W+/g, '_')}`);
  rmSync(place, { recursive: true, force: true });
  cpSync(path.join(here, project), place, { recursive: true });
  cpSync(path.join(here, 'program.mjs'), path.join(place, 'program.mjs'));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ private: true, type }));
  // Without it some tools use the repository's.
  writeFileSync(path.join(place, 'tsconfig.json'), '{}');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
    writeFileSync(path.join(place, file), text);
  }
  if (entry !== 'tenure') replaceNames(place, entry);
  if (existsSync(path.join(place, 'bundle.html'))) {
    mkdirSync(path.join(place, 'built'), { recursive: true });
    cpSync(path.join(place, 'bundle.html'), path.join(place, 'built/bundle.html'));
  }
  if (page?.endsWith('.html')) symlinkSync(path.join(folder, 'node_modules/tenure'), path.join(place, 'tenure'));
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...binaries() };
  delete env.NODE_ENV;
  delete env.NODE_TEST_CONTEXT;
  try {
    if (command) {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
        cwd: place,
        env,
        encoding: 'utf8',
        timeout: kWait,
      });
      if (status !== 0) return `exit ${status}\n${stdout}${stderr}`;
      if (page === undefined)
        return tests || stdout.trim().split('\n').at(-1) === '10 0' ? 'works' : `${stdout}${stderr}`;
    }
    const found = server
      ? await visitServer(server, place, env)
      : await served(browser, { '/': place }, `/${page}`, { policy });
    return found.every((text) => text === '10 0') ? 'works' : JSON.stringify(found);
  } catch (error) {
    return error.message;
  }
}

/** Starts a server, and opens its first page. */
async function visitServer(command, place, env) {
  const PORT = String(await freePort());
  const server = spawn('bash', ['-c', `exec ${command}`], {
    cwd: place,
    env: { ...env, PORT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text));
  const url = `http://127.0.0.1:${PORT}/`;
  try {
    const end = Date.now() + kWait;
    while (
      !(await fetch(url).then(
        () => true,
        () => false,
      ))
    ) {
      if (Date.now() > end || server.exitCode !== null) throw new Error(`no server\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return await visit(browser, url);
  } catch (error) {
    throw new Error(`${error.message}\n${output}`, { cause: error });
  } finally {
    server.kill();
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

/** Returns the binaries that npm installs for this machine. */
function binaries() {
  const at = (name) => path.join(folder, 'node_modules', name);
  const nodes = Object.fromEntries([22, 24, 26].map((version) => [`NODE${version}`, at(`node${version}/bin/node`)]));
  return {
    ROOT: root,
    WORKERD: at('@cloudflare/workerd-linux-64/bin/workerd'),
    BUN: at('@oven/bun-linux-x64/bin/bun'),
    DENO: at('@deno/linux-x64-glibc/deno'),
    ...nodes,
  };
}

function replaceNames(place, entry) {
  for (const file of readdirSync(place, { recursive: true }).map(String)) {
    if (!/\.(m|c)?[jt]sx?$/.test(file)) continue;
    const text = readFileSync(path.join(place, file), 'utf8');
    writeFileSync(path.join(place, file), text.replaceAll("'tenure'", `'${entry}'`));
  }
}

function noteResults() {
  const noted = existsSync(kResults) ? JSON.parse(readFileSync(kResults, 'utf8')) : {};
  for (const { name, result } of rows) {
    noted[name] = { ...noted[name], [control ? 'tfjs' : 'tenure']: result === 'works' ? 'works' : 'fails' };
  }
  const kept = Object.fromEntries(environments.map(({ name }) => [name, noted[name] ?? {}]));
  writeFileSync(kResults, `${JSON.stringify(kept, null, 2)}\n`);
  writeEnvironments();
}
