import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { kGuides } from '../guides.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = path.join(root, 'build/site_pages');
const base = process.env.DOCS_BASE ?? '/';
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const repository = manifest.repository?.url ?? manifest.repository;

const guides = kGuides.map(([text, file]) => ({ text, link: `/guide/${file}` }));

const reference = [
  { text: 'Loading', link: '/loading' },
  { text: 'Environments', link: '/environments' },
  { text: 'What is implemented', link: '/coverage' },
  { text: 'Compatibility', link: '/compatibility' },
  { text: 'Differences', link: '/differences' },
  { text: 'Ecosystem', link: '/ecosystem' },
  { text: 'ESLint plugin', link: '/eslint' },
  { text: 'Performance', link: '/performance' },
  { text: 'Accuracy', link: '/accuracy' },
  { text: 'Ops of the engine', link: '/ops' },
  { text: 'How it works', link: '/contributing' },
  { text: 'Changelog', link: '/changelog' },
].filter(({ link }) => existsSync(path.join(pages, `${link}.md`)));

export default defineConfig({
  base,
  srcDir: pages,
  // Pages include these.
  srcExclude: ['generated/**'],
  outDir: path.join(root, 'build/site'),
  cacheDir: path.join(root, 'build/site_cache'),
  title: 'Tenure',
  description: manifest.description,
  router: { prefetchLinks: false },
  // The build copies the demo beside the pages.
  ignoreDeadLinks: [/\/demo\//],
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    ['meta', { property: 'og:title', content: 'Tenure' }],
    ['meta', { property: 'og:description', content: manifest.description }],
    [
      'meta',
      {
        property: 'og:image',
        content: manifest.homepage ? new URL('card.png', manifest.homepage).href : `${base}card.png`,
      },
    ],
  ],
  vite: { publicDir: path.join(pages, 'public'), build: { chunkSizeWarningLimit: 3000 } },
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    logo: '/favicon.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: `/guide/${kGuides[0][1]}`, activeMatch: '/guide/' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Demo', link: `${base}demo/index.html`, target: '_self', noIcon: true },
    ],
    sidebar: {
      '/api/': [
        { text: 'API', link: '/api/', items: JSON.parse(readFileSync(path.join(pages, 'api/sidebar.json'), 'utf8')) },
      ],
      '/': [
        { text: 'Guide', items: guides },
        { text: 'Reference', items: [...reference, { text: 'API', link: '/api/' }] },
      ],
    },
    outline: { level: [2, 3] },
    ...(repository && { socialLinks: [{ icon: 'github', link: repository.replace(/^git\+|\.git$/g, '') }] }),
  },
  transformHtml: (html) => withPolicy(html),
});

/**
 * Returns a page with a policy of its own. It allows the scripts that the generator puts into the page by their hashes, wasm,
 * and blobs, as which the playground runs programs. Syntax colours are style attributes.
 */
function withPolicy(html) {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code);
  const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' blob: ${[...new Set(hashes)].join(' ')}`,
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    // The debug build fetches the source of playground lines.
    "connect-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace(
    /<meta charset="utf-8">/,
    (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
