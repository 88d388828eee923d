// The table of what bundlers make of the import, in docs/environments.md.

/** Title of the page without a bundler, to which the others are compared. */
export const kOwnPage = 'no bundler: `dist/index.js`';
export const kPeer = 'TensorFlow.js 4.22 on WebAssembly, Vite 8';

/** Rows of README.md's table: what the programs of these titles have in common. */
const kGroups = {
  'Vite 5 to 8, webpack 5': ['Vite 8', 'Vite 7', 'Vite 5', 'webpack 5'],
  'Next.js 16, with React': ['Next.js 16'],
  'Rollup, esbuild, Parcel, with every part of the engine': ['Rollup 4', 'esbuild', 'Parcel 2'],
};

/** Returns the lines of README.md's table. */
export function importLines(figures) {
  const range = (values) => [...new Set([Math.min(...values), Math.max(...values)])].join(' to ');
  const rows = Object.entries(kGroups).map(([group, titles]) => {
    const all = titles.map((title) => figures[title]);
    const kilobytes = range(all.map(({ alone }) => alone.kilobytes));
    const kernels = all.every(({ alone }) => alone.relaxedSimd) ? 'relaxed SIMD' : 'SIMD';
    const threads = all.every(({ isolated }) => isolated.threads > 1) ? ', and threads in isolated pages' : '';
    return `| ${group} | ${kilobytes} KB | ${kernels}${threads} |`;
  });
  return ['| built by | before the first op, gzipped | computes with |', '| --- | --- | --- |', ...rows];
}

/** Returns the lines of docs/environments.md about figures of measureBundles(). */
export function bundleLines(figures) {
  if (!figures) return [];
  const own = figures[kOwnPage];
  const rows = Object.entries(figures).map(([title, { alone, isolated }]) => {
    const simd = title === kPeer ? 'SIMD' : undefined;
    const variant = ({ relaxedSimd, threads }) =>
      `${simd ?? (relaxedSimd ? 'relaxed SIMD' : 'SIMD')}, ${threads} thread${threads === 1 ? '' : 's'}`;
    const ratio = (kind) => (figures[title][kind].modelMs / own[kind].modelMs).toFixed(2);
    const inIsolation = isolated ? [variant(isolated), ratio('isolated')] : ['', ''];
    const cells = [`${alone.kilobytes} KB`, `${alone.firstOpMs} ms`, variant(alone), ratio('alone'), ...inIsolation];
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return [
    '',
    '## Downloads and times by bundler',
    '',
    'The program of [tests/environments/bundle](../tests/environments/bundle), built for production without configuration: an op at the top',
    'of the module, and MobileNetV1 as a layers model. The download is everything that was fetched before the first op, gzipped. The',
    `model's times are divided by that of the first row (${own.alone.modelMs} ms; ${own.isolated.modelMs} ms in a page with cross-origin isolation), and were`,
    'measured in turns, in Chromium on a machine with two cores. `npm run environments -- --bundles` measures them.',
    '',
    '| built by | download | first op after | computes with | model | isolated: computes with | model |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
}
