// Links of the documents lead to files of the repository and to headings in them. A heading must have the same anchor on GitHub
// and on the site of `npm run docs`. Addresses of the package have its version.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { findFiles, root } from '../../../cpp/toolchain/use.mjs';

const kDocuments = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'eslint-plugin/README.md',
  'examples/README.md',
  'web/BUILD.md',
  ...findFiles('docs', /\.md$/),
];
/** Pages that only the site has. */
const kGenerated = /^docs\/site\/pages\/api\//;

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const withoutCode = (text) => text.replace(/^```.*?^```$/gms, '');

/** Returns the anchor that GitHub gives a heading. */
function githubAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Returns the anchor that VitePress gives a heading. */
function siteAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^\d/, '_$&');
}

/** Returns the reason for which a link of a file leads nowhere; undefined if it leads somewhere. */
function problemWith(file, link) {
  const [target, anchor] = link.split('#');
  const to = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
  if (kGenerated.test(to)) return undefined;
  if (!existsSync(path.join(root, to))) return 'there is no such file';
  if (anchor === undefined) return undefined;
  const headings = [...withoutCode(read(to)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  if (!headings.some((heading) => githubAnchor(heading) === anchor)) return 'it has no such heading';
  return headings.some((heading) => siteAnchor(heading) === anchor) ? undefined : 'the site has another anchor for it';
}

test('links lead to files and headings', () => {
  const links = kDocuments.flatMap((file) =>
    [...withoutCode(read(file)).matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)].map(([, link]) => ({ file, link })),
  );
  assert.ok(links.length > 60, `${links.length} links`);
  const wrong = links
    .map(({ file, link }) => ({ file, link, problem: problemWith(file, link) }))
    .filter(({ problem }) => problem);
  assert.deepEqual(wrong, []);
});

test("addresses of the package have package.json's version", () => {
  const { version } = JSON.parse(read('package.json'));
  const addresses = kDocuments.flatMap((file) =>
    [...read(file).matchAll(/\btenure@([^\s/'"`)]+)/g)].map(([, found]) => ({ file, version: found })),
  );
  assert.ok(addresses.length > 4, `${addresses.length} addresses`);
  assert.deepEqual(
    addresses.filter((address) => address.version !== version),
    [],
  );
});
