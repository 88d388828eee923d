// Writes docs/ecosystem.md from the results of the last complete run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { at } from './bundle.mjs';

const kPlace = path.join(root, 'docs/ecosystem.md');

export function writeTable(rows, upstream, programs, ort) {
  mkdirSync(path.dirname(kPlace), { recursive: true });
  const ran = rows.filter(({ found }) => found === 'runs');
  const imported = rows.filter(({ found }) => found === 'is imported');
  const inside = rows.filter(({ inside: has }) => has);
  const failed = rows.filter(({ error }) => error);
  const text = [
    readFileSync(at('introduction.md'), 'utf8'),
    '## Programs\n',
    programs,
    '## Packages that were tested\n',
    'Each package was run on Tenure and on TensorFlow.js 4.22, in Node. The results differ by at most a thousandth. The last column is the\nnumber of tensors that are left afterwards, with Tenure and (in parentheses) with TensorFlow.js.\n',
    table(
      ['package', 'version', 'what was run', 'tensors left'],
      [
        ...upstream.map(({ name, version, count, all, passed }) => [
          name,
          version,
          `${count} cases over Tenure's core, and ${passed} of the ${all} published specs that pass over TensorFlow.js's`,
          'the same, except in optimizers',
        ]),
        ...ran.map(({ name, version, what, left }) => [name, version, what, `${left[0]} (${left[1]})`]),
      ],
    ),
    'The Human library 3.3.6 is tested by `tests/conformance/human.mjs`.\n',
    '## Packages that were only imported\n',
    'These packages need a download or a device to run. Each was bundled and imported; no name of TensorFlow.js is missing.\n',
    table(
      ['package', 'version'],
      imported.map(({ name, version }) => [name, version]),
    ),
    ...(failed.length > 0
      ? [
          '## Packages that fail\n',
          table(
            ['package', 'version'],
            failed.map(({ name, version }) => [name, version]),
          ),
        ]
      : []),
    '## Packages that include TensorFlow.js\n',
    `${inside.map(({ name, version }) => `\`${name}\` ${version}`).join(', ')}: the published package includes TensorFlow.js.\n`,
    '## Packages written for ONNX Runtime\n',
    'Each package was run in Node, or in a page, on [tenure/ort](site/pages/guide/onnx.md), and on the ONNX Runtime that it installs. The\nresults differ by at most 0.0001, pixels by at most one step of 255.\n',
    table(
      ['package', 'version', 'what was run'],
      ort.map(({ name, version, what }) => [name, version, what]),
    ).trimEnd(),
    '',
  ];
  writeFileSync(kPlace, text.join('\n'));
}

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map(() => '---')),
    ...rows.map(([name, ...rest]) => line([`\`${name}\``, ...rest])),
    '',
  ].join('\n');
}

/** Replaces the text of a section of docs/ecosystem.md. */
export function replaceSection(title, text) {
  const page = readFileSync(kPlace, 'utf8');
  const start = page.indexOf(`## ${title}\n`);
  if (start < 0) throw new Error(`docs/ecosystem.md has no section "${title}"`);
  const end = page.indexOf('\n## ', start);
  writeFileSync(kPlace, `${page.slice(0, start)}## ${title}\n\n${text}${end < 0 ? '' : page.slice(end)}`);
}
