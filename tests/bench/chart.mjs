// Charts as SVG, readable on light and dark pages.

const kHues = {
  'tfjs wasm': '#e8710a',
  'tfjs webgl': '#e8710a',
  'tfjs cpu': '#9a6700',
  'ort wasm': '#8250df',
  litert: '#0b8043',
};
const kStyle =
  `text{font:12px system-ui,sans-serif;fill:#24292f}line,.frame{stroke:#8c959f66;fill:none}.one{stroke:#24292f}.curve{fill:none;stroke:#0969da;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.one{stroke:#e6edf3}}`.replaceAll('\n', '');

const escape = (text) => String(text).replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
const label = (x, y, words, anchor = 'start') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escape(words)}</text>`;
const line = (x1, y1, x2, y2, kind = '') =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"${kind && ` class="${kind}"`}/>`;
const document = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}"><style>${kStyle}</style>\n${parts.join('\n')}\n</svg>\n`;

/**
 * Returns a chart with a row for each workload, which shows Tenure's time as a fraction of each peer's: left of 1, Tenure is
 * faster. `rows`: { work, parts }.
 */
export function ratioChart(title, rows) {
  const peers = [...new Set(rows.flatMap(({ parts }) => Object.keys(parts)))];
  const [left, right, top, step] = [250, 700, 50, 20];
  const ticks = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4];
  const place = (part) =>
    left +
    ((Math.log(Math.min(Math.max(part, ticks[0]), 4)) - Math.log(ticks[0])) / Math.log(4 / ticks[0])) * (right - left);
  const bottom = top + rows.length * step;
  const parts = peers.map(
    (peer, i) =>
      `<circle cx="${left + i * 110}" cy="14" r="5" fill="${kHues[peer] ?? '#57606a'}"/>${label(left + i * 110 + 10, 18, peer)}`,
  );
  for (const tick of ticks) {
    const x = place(tick).toFixed(1);
    parts.push(line(x, top - 8, x, bottom, tick === 1 ? 'one' : ''), label(x, top - 12, tick, 'middle'));
  }
  for (const [i, row] of rows.entries()) {
    const y = top + i * step + step / 2;
    parts.push(label(left - 10, y + 4, row.work, 'end'));
    for (const [peer, part] of Object.entries(row.parts)) {
      const title = `<title>${escape(`${row.work}: ${part.toFixed(2)} of ${peer}`)}</title>`;
      parts.push(
        `<circle cx="${place(part).toFixed(1)}" cy="${y}" r="5" fill="${kHues[peer] ?? '#57606a'}">${title}</circle>`,
      );
    }
  }
  return document(720, bottom + 10, title, parts);
}

/** Returns small charts with logarithmic axes, side by side. `curves`: { title, unit, points: [x, milliseconds][] }. */
export function curveChart(title, curves) {
  const [width, height, columns] = [240, 170, 3];
  const parts = curves.map(({ title: name, unit, points }, i) => {
    const [left, top] = [(i % columns) * width + 50, Math.floor(i / columns) * height + 30];
    const [w, h] = [width - 70, height - 70];
    const scale =
      ([low, high]) =>
      (value) =>
        high > low ? Math.log(value / low) / Math.log(high / low) : 0.5;
    const [xs, ys] = [points.map(([x]) => x), decades(points.map(([, y]) => y))];
    const [across, up] = [scale([xs[0], xs.at(-1)]), scale(ys)];
    const path = points
      .map(([x, y]) => `${(left + across(x) * w).toFixed(1)},${(top + h - up(y) * h).toFixed(1)}`)
      .join(' ');
    return [
      label(left, top - 10, name),
      `<rect class="frame" x="${left}" y="${top}" width="${w}" height="${h}"/><polyline class="curve" points="${path}"/>`,
      label(left - 4, top + h, time(ys[0]), 'end') + label(left - 4, top + 10, time(ys[1]), 'end'),
      label(left, top + h + 16, short(xs[0])) + label(left + w, top + h + 16, `${short(xs.at(-1))} ${unit}`, 'end'),
    ].join('');
  });
  return document(width * columns, Math.ceil(curves.length / columns) * height, title, parts);
}

/** Axes span whole powers of ten, so that a nearly constant curve looks flat. */
const decades = (values) =>
  [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)) + 1e-9)].map(
    (power) => 10 ** power,
  );

const short = (count) => (count >= 1e6 ? `${count / 1e6}M` : count >= 1e4 ? `${count / 1e3}k` : String(count));
const kUnits = [
  [1000, 's'],
  [1, 'ms'],
  [1e-3, 'µs'],
  [1e-6, 'ns'],
];
function time(ms) {
  const [size, unit] = kUnits.find(([least]) => ms >= least * 0.999) ?? kUnits.at(-1);
  return `${Number((ms / size).toPrecision(2))} ${unit}`;
}
