// Measures what the same program gets from each bundler: its download, its first op, and the time of a model, beside the
// package's own file for pages and TensorFlow.js. `node tests/environments/run.mjs --bundles` runs it.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, run } from '../../cpp/toolchain/use.mjs';
import { serve } from '../browser/server.mjs';
import { visit } from '../browser/chrome.mjs';
import { kOwnPage, kPeer } from './bundle_table.mjs';

const kRounds = 5;
/** Files that lie beside every program. */
const kShared = ['mobilenet.mjs', 'random.mjs'].map((name) => `tests/bench/${name}`);
/** Next.js and Parcel write scripts into the page; scripts with all wasm inside start threads from blobs, as TensorFlow.js does. */
const kPolicy = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self' blob:";
const tool = (file) => `node ../node_modules/${file}`;
const vite = (version) => ({ run: `${tool(`${version}/bin/vite.js`)} build` });
const withPage = (command) => `${command} && cp index.html built`;

const kPrograms = {
  [kOwnPage]: { page: 'map.html' },
  'Vite 8': vite('vite8'),
  'Vite 7': vite('vite7'),
  'Vite 5': vite('vite5'),
  'webpack 5': {
    run: withPage(`${tool('webpack/bin/webpack.js')} --mode production --entry ./main.js -o built`),
  },
  'Next.js 16': {
    run: `${tool('next/dist/bin/next')} build`,
  },
  'Rollup 4': { run: withPage(`${tool('rollup/dist/bin/rollup')} -c --silent`) },
  esbuild: {
    run: withPage(`${tool('esbuild/bin/esbuild')} main.js --bundle --minify --format=esm --outfile=built/main.js`),
  },
  'Parcel 2': {
    run: `${tool('parcel/lib/bin.js')} build index.html --public-url ./ --dist-dir built --no-cache --no-autoinstall --cache-dir .cache`,
  },
  [kPeer]: { ...vite('vite8'), entry: './tfjs.js' },
};

/** Builds and measures all programs; returns their figures by title. `folder` has the bundlers and the package. */
export async function measureBundles(folder, browser) {
  const pages = Object.entries(kPrograms).map(([title, program]) => ({
    title,
    ...program,
    ...buildProgram(folder, title, program),
  }));
  const found = {};
  for (let round = 0; round < kRounds; round++) {
    for (const isolated of [false, true]) {
      for (const { title, place, page } of pages) {
        // TensorFlow.js's threads fail to load there: its script makes a worker from an address that it has revoked.
        if (title === kPeer && isolated) continue;
        const server = await serve({ '/': place }, { policy: kPolicy, isolated });
        try {
          const result = await visit(browser, `${server.url}/${page}`);
          const files = result.files.filter((url) => !url.endsWith('/favicon.ico'));
          const bytes = files.reduce((sum, url) => sum + gzippedBytes(place, new URL(url).pathname), 0);
          ((found[title] ??= {})[isolated ? 'isolated' : 'alone'] ??= []).push({ ...result, bytes });
        } finally {
          server.close();
        }
      }
    }
  }
  for (const kinds of Object.values(found)) {
    for (const [kind, results] of Object.entries(kinds)) kinds[kind] = summarize(results);
  }
  return found;
}

/** Writes a program's project, and builds it; returns the folder to serve and its page. */
function buildProgram(folder, title, { run: command, page = 'index.html', entry }) {
  const place = path.join(folder, `bundle_${title.replace(/\W+/g, '_')}`);
  rmSync(place, { recursive: true, force: true });
  cpSync(path.join(root, 'tests/environments/bundle'), place, { recursive: true });
  for (const file of kShared) cpSync(path.join(root, file), path.join(place, path.basename(file)));
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Without it some tools use the repository's.
  writeFileSync(path.join(place, 'tsconfig.json'), '{}');
  const program = path.join(place, 'measure.js');
  if (entry) writeFileSync(program, readFileSync(program, 'utf8').replace("'tenure'", `'${entry}'`));
  if (!command) {
    symlinkSync(path.join(folder, 'node_modules/tenure'), path.join(place, 'tenure'));
    return { place, page };
  }
  // Next.js takes the folder for its pages, and other bundlers do not.
  if (!/next/.test(command)) rmSync(path.join(place, 'app'), { recursive: true });
  run('bash', ['-c', `cd '${place}' && ${command}`], { quiet: true, env: { NEXT_TELEMETRY_DISABLED: '1' } });
  const built = path.join(place, 'built');
  if (entry) copyPeerFiles(folder, built);
  return { place: built, page };
}

/** Copies TensorFlow.js's wasm to where its script looks for it. */
function copyPeerFiles(folder, built) {
  const from = path.join(folder, 'node_modules/@tensorflow/tfjs-backend-wasm/dist');
  mkdirSync(built, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.wasm')))
    cpSync(path.join(from, file), path.join(built, file));
}

function gzippedBytes(place, name) {
  return gzipSync(readFileSync(path.join(place, decodeURIComponent(name))), { level: 9 }).length;
}

/** Returns the medians of a program's results. */
function summarize(results) {
  const median = (key) => results.map((result) => result[key]).sort((a, b) => a - b)[Math.floor(results.length / 2)];
  const [{ relaxedSimd, threads }] = results;
  return {
    kilobytes: Math.round(median('bytes') / 1024),
    firstOpMs: Math.round(median('firstOpMs')),
    modelMs: Number(median('modelMs').toFixed(1)),
    relaxedSimd,
    threads,
  };
}
