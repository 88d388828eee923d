// `npm run docs [-- --base=/tenure/] [--serve] [--port=8080]`: builds the documentation into build/site, for any static host,
// and serves it with --serve or --port.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { modified, root, run, usePackages } from '../../cpp/toolchain/use.mjs';
import { serve } from '../../tests/browser/server.mjs';
import { buildPage } from '../../web/demo/build.mjs';
import { ensurePackage } from '../../web/ensure_package.mjs';
import { kGuides } from './guides.mjs';
import { writePictures } from './pictures.mjs';
import { programsIn } from './programs.mjs';

const at = (...parts) => path.join(root, ...parts);
const kPages = at('build/site_pages');
const kSite = at('build/site');
/** Documents of the repository that are published unchanged, by page. */
const kDocuments = {
  'coverage.md': 'docs/coverage.md',
  'compatibility.md': 'docs/compatibility.md',
  'differences.md': 'docs/differences.md',
  'loading.md': 'docs/loading.md',
  'environments.md': 'docs/environments.md',
  'accuracy.md': 'docs/accuracy.md',
  'performance.md': 'docs/performance.md',
  'ops.md': 'docs/ops.md',
  'ecosystem.md': 'docs/ecosystem.md',
  'eslint.md': 'eslint-plugin/README.md',
  'contributing.md': 'CONTRIBUTING.md',
  'changelog.md': 'CHANGELOG.md',
};

/** Installs VitePress. Throws if it cannot be installed. */
export function prepareSite() {
  if (modified(at('docs/site/node_modules/.package-lock.json')) >= modified(at('docs/site/package-lock.json'))) return;
  // `npm ci` also asks for the packages of other platforms, which private registries may lack.
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['install', '--prefix', 'docs/site', ...quiet], { quiet: true });
}

/** Builds the site, including the demo, and returns its folder. */
export async function buildSite({ base = '/', demo = true } = {}) {
  prepareSite();
  rmSync(kPages, { recursive: true, force: true });
  cpSync(at('docs/site/pages'), kPages, { recursive: true });
  for (const [, name] of kGuides) {
    const file = path.join(kPages, 'guide', `${name}.md`);
    writeFileSync(file, asGuide(readFileSync(file, 'utf8')));
  }
  const documents = Object.entries(kDocuments).filter(([, file]) => existsSync(at(file)));
  for (const [page, file] of documents) writeFileSync(path.join(kPages, page), asPage(readFileSync(at(file), 'utf8')));
  for (const name of readdirSync(at('docs')).filter((file) => file.endsWith('.svg')))
    cpSync(at('docs', name), path.join(kPages, name));
  // These import what prepareSite() and usePackages() install.
  const [{ writeApi }, { writeSizes }] = await Promise.all([import('./api.mjs'), import('./sizes.mjs')]);
  await writeApi(path.join(kPages, 'api'));
  await writeSizes(path.join(kPages, 'generated'));
  writePictures(path.join(kPages, 'pictures'));
  copyPackage(path.join(kPages, 'public'));
  const programs = kGuides.flatMap(([, name]) =>
    programsIn(readFileSync(at('docs/site/pages/guide', `${name}.md`), 'utf8')),
  );
  writeFileSync(path.join(kPages, 'programs.json'), JSON.stringify(programs.filter(({ inPage }) => inPage)));

  process.env.DOCS_BASE = base;
  // With NODE_ENV=development, VitePress would build a development site.
  process.env.NODE_ENV = 'production';
  run('node', ['docs/site/node_modules/vitepress/bin/vitepress.js', 'build', 'docs/site'], { quiet: true });
  if (demo) await buildPage({ folder: path.join(kSite, 'demo'), docs: '../' });
  return kSite;
}

/** Returns a guide whose links to documents of the repository lead to their pages. */
function asGuide(text) {
  return Object.entries(kDocuments).reduce(
    (guide, [page, file]) =>
      guide.replaceAll(`](${path.posix.relative('docs/site/pages/guide', file)}`, `](../${page}`),
    text,
  );
}

/** Copies the engine as pages without a bundler load it, and the data that examples read. */
function copyPackage(folder) {
  mkdirSync(path.join(folder, 'tenure/debug'), { recursive: true });
  const files = readdirSync(at('dist')).filter((name) =>
    /^(index\.js|memory\.js|tenure\.worker\.js|tenure(?!\.whole)[\w.-]*\.wasm)$/.test(name),
  );
  for (const name of files) cpSync(at('dist', name), path.join(folder, 'tenure', name));
  for (const name of readdirSync(at('dist/debug')).filter((file) =>
    /^(index\.js|shared-\w+\.js|tenure\.wasm)$/.test(file),
  ))
    cpSync(at('dist/debug', name), path.join(folder, 'tenure/debug', name));
  for (const name of ['model.json', 'weights.bin', 'iris.csv'])
    cpSync(at('examples/iris', name), path.join(folder, 'iris', name));
  cpSync(at('web/demo/public/favicon.svg'), path.join(folder, 'favicon.svg'));
  cpSync(at('web/demo/public/card.png'), path.join(folder, 'card.png'));
}

/**
 * Returns a document as a page: links that lead out of docs/ point to the repository, which a reader of the site may not have.
 */
function asPage(text) {
  return text
    .replace(/\]\((?:\.\.\/)+(?!docs\/)([^)#]+)(#[^)]*)?\)/g, (_, file) => `](#) (\`${file}\`)`)
    .replace(/\[([^\]]+)\]\(#\) \(`([^`]+)`\)/g, (_, name, file) =>
      name.includes(file) ? `\`${file}\`` : `${name} (\`${file}\`)`,
    )
    .replace(/\]\((?:docs\/)?site\/pages\//g, '](./')
    .replace(/\]\(docs\//g, '](');
}

if (process.argv[1] === import.meta.filename) {
  const options = { base: { type: 'string' }, serve: { type: 'boolean' }, port: { type: 'string' } };
  const { values } = parseArgs({ options });
  // Before the build, which takes a minute: the port may be taken.
  const server =
    (values.serve || values.port) && (await serve({ '/': kSite }, { port: portNumber(values.port ?? '0') }));
  try {
    usePackages();
    ensurePackage({ debug: true });
    const folder = await buildSite({ base: values.base });
    console.log(`${path.relative(root, folder)}: copy it to a static host`);
    if (server) console.log(`${server.url}/index.html   Ctrl+C ends it`);
  } catch (error) {
    if (server) server.close();
    throw error;
  }
}

/** Throws if a text is no port. 0 is any free port. */
function portNumber(text) {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new Error(`--port: expected a number from 0 to 65535, got ${text}`);
}
