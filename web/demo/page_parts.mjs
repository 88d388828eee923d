// The common parts of the demo's pages: navigation, the card for sharing, and links.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

/** Titles of the pages by file, in navigation order; missing pages are left out. */
const kPages = { 'index.html': 'Leak', 'training.html': 'Training', 'detection.html': 'Detection' };

/** Returns a Vite plugin that fills `<!-- nav -->`, `<!-- card -->`, `<!-- links -->`, and `<!-- code FILE FUNCTION [hidden] -->`. */
export function pageParts({ pages, docs }) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const repository = manifest.repository?.url ?? manifest.repository;
  const links = {
    install: '#install',
    docs: docs ?? manifest.homepage,
    source: repository?.replace(/^git\+|\.git$/g, '') ?? '#source',
  };
  return {
    name: 'page-parts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path: url }) => {
        const page = path.posix.basename(url);
        return html
          .replace('<!-- nav -->', nav(page, pages, links))
          .replace('<!-- card -->', card(html, manifest.homepage))
          .replace('<!-- links -->', footer(links))
          .replace(/<!-- code (\S+) (\S+)( hidden)? -->/g, (_, ...parts) => listing(...parts));
      },
    },
  };
}

function nav(page, pages, { install, docs, source }) {
  const here = Object.entries(kPages)
    .filter(([file]) => pages.includes(file))
    .map(([file, name]) => `<a href="./${file}"${file === page ? ' aria-current="page"' : ''}>${name}</a>`);
  const away = Object.entries({ Install: install, Docs: docs, Source: source })
    .filter(([, url]) => url)
    .map(([name, url]) => `<a href="${url}">${name}</a>`);
  return `<nav aria-label="Pages"><a class="name" href="./index.html"><img src="./favicon.svg" alt="" width="20" height="20" />Tenure</a>
      <span>${here.join(' ')}</span><span>${away.join(' ')}</span></nav>`;
}

/** Returns the metadata of the card for sharing. Its addresses need package.json's homepage. */
function card(html, homepage) {
  const [, title] = /<title>(.*)<\/title>/.exec(html);
  const [, description] = /name="description" content="(.*)"/.exec(html);
  const image = new URL('card.png', homepage ? `${homepage.replace(/\/?$/, '/')}` : 'relative:/').href.replace(
    /^relative:\//,
    './',
  );
  return `<meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${image}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="One program with a leak on two libraries: TensorFlow.js shows 100 MB, Tenure the line of the leak" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

function footer({ docs }) {
  return `<section class="panel" aria-labelledby="install">
        <h2 id="install">Install</h2>
        <pre tabindex="0" aria-label="How to install it"><code>npm install tenure</code></pre>
        <pre tabindex="0" aria-label="How to use it"><code>import * as tf from 'tenure'; // in the place of @tensorflow/tfjs</code></pre>
        <p class="hint">${docs ? `<a href="${docs}">The documentation</a> says the rest.` : 'The README says the rest; <code>npm run docs</code> in a checkout builds the documentation.'}</p>
        <h2 id="source">Source</h2>
        <p class="hint">
          The programs, as they run on the first page: <a href="./source/tracker.ts.txt">tracker.ts</a> and
          <a href="./source/mistakes.ts.txt">mistakes.ts</a>. The page is
          <code>web/demo</code> of Tenure's repository, a small program to begin from: Vite, a strict content security
          policy, TypeScript.
        </p>
      </section>`;
}

/** Returns the body of an exported function of a file of the demo, as lines with the file's numbers. */
function listing(file, name, hidden = '') {
  const lines = readFileSync(path.join(root, 'web/demo', file), 'utf8').split('\n');
  const start = lines.findIndex((line) => new RegExp(`^export .*\\b${name}\\(`).test(line)) + 1;
  if (start === 0) throw new Error(`${file} exports no function ${name}`);
  const body = lines.slice(start, lines.indexOf('}', start));
  const indent = Math.min(...body.map((line) => line.search(/\S/)));
  const rows = body.map(
    (line, i) => `<span class="line" data-line="${start + 1 + i}">${escaped(line.slice(indent))}</span>`,
  );
  return `<code data-name="${name}"${hidden}>${rows.join('')}</code>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
