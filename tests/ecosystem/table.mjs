// Writes docs/ecosystem.md of what the last whole run found.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { at } from './bundle.mjs';

const kPlace = path.join(root, 'docs/ecosystem.md');

export function writeTable(rows, upstream) {
  mkdirSync(path.dirname(kPlace), { recursive: true });
  const ran = rows.filter(({ found }) => found === 'runs');
  const imported = rows.filter(({ found }) => found === 'is imported');
  const inside = rows.filter(({ inside: has }) => has);
  const failed = rows.filter(({ error }) => error);
  const text = [
    readFileSync(at('introduction.md'), 'utf8'),
    '## What was run\n',
    'Each on Tenure and on TensorFlow.js 4.22, in Node; results agree within a thousandth. The last column is how many\ntensors are alive after it that were not before: with Tenure, and in parentheses with TensorFlow.js.\n',
    table(['package', 'version', 'what was run', 'tensors left'], [
      ...upstream.map(({ name, version, count, all, passed }) => [
        name,
        version,
        `${count} cases over Tenure's core, and ${passed} of the ${all} published specs that pass over TensorFlow.js's`,
        'as many, but for optimizers',
      ]),
      ...ran.map(({ name, version, what, left }) => [name, version, what, `${left[0]} (${left[1]})`]),
    ]),
    'The Human library, 3.3.6, runs in `tests/conformance/human.mjs`.\n',
    '## What was imported\n',
    'Nothing of these runs without a download or a device. Each is bundled, misses no name of TensorFlow.js, and is imported.\n',
    table(['package', 'version'], imported.map(({ name, version }) => [name, version])),
    ...(failed.length > 0 ? ['## What fails\n', table(['package', 'version'], failed.map(({ name, version }) => [name, version]))] : []),
    '## What no alias reaches\n',
    `${inside.map(({ name, version }) => `\`${name}\` ${version}`).join(', ')}: what is published has TensorFlow.js inside.\n`,
  ];
  writeFileSync(kPlace, text.join('\n'));
}

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(([name, ...rest]) => line([`\`${name}\``, ...rest])), ''].join('\n');
}
