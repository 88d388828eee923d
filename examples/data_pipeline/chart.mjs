// Draws two lines over time as SVG.
const kWidth = 800;
const kHeight = 360;
const kLeft = 70;
const kBottom = 40;
const kTop = 50;
const kLines = [
  { key: 'rss', name: 'resident set', color: '#1f6feb' },
  { key: 'ahead', name: 'bytes ahead', color: '#d9480f' },
];

/** Returns an SVG of `samples` of {time, rss, ahead}, in milliseconds and bytes, and of a limit if there is one. */
export function chart(title, samples, limit) {
  const last = Math.max(1, samples.at(-1).time);
  const most = 1.1 * Math.max(limit ?? 0, ...samples.map(({ rss }) => rss));
  const x = (time) => kLeft + (time / last) * (kWidth - kLeft - 20);
  const y = (bytes) => kHeight - kBottom - (bytes / most) * (kHeight - kBottom - kTop);
  const points = (key) =>
    thinned(samples)
      .map((sample) => `${x(sample.time).toFixed(1)},${y(sample[key]).toFixed(1)}`)
      .join(' ');
  const marks = Array.from({ length: 5 }, (_, i) => (most / 4) * i).map(
    (bytes) =>
      `<line x1="${kLeft}" x2="${kWidth - 20}" y1="${y(bytes)}" y2="${y(bytes)}" stroke="#ddd"/>` +
      `<text x="${kLeft - 8}" y="${y(bytes) + 4}" text-anchor="end">${(bytes / 1e6).toFixed(0)} MB</text>`,
  );
  const lines = kLines.map(
    ({ key, name, color }, i) =>
      `<polyline points="${points(key)}" fill="none" stroke="${color}" stroke-width="2"/>` +
      `<text x="${kLeft + 140 * i}" y="42" fill="${color}">${name}</text>`,
  );
  const bound = limit
    ? `<line x1="${kLeft}" x2="${kWidth - 20}" y1="${y(limit)}" y2="${y(limit)}" stroke="#666" stroke-dasharray="6 4"/>` +
      `<text x="${kWidth - 20}" y="${y(limit) - 6}" text-anchor="end">1.3 x (budget + baseline)</text>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${kHeight}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${kLeft}" y="22" font-size="15">${title}</text>
${marks.join('\n')}
${lines.join('\n')}
${bound}
<text x="${kLeft}" y="${kHeight - 14}">0 s</text>
<text x="${kWidth - 20}" y="${kHeight - 14}" text-anchor="end">${(last / 1000).toFixed(1)} s</text>
</svg>
`;
}

/** Thins the samples out to a thousand groups, and returns the one with the highest RSS of each. */
function thinned(samples) {
  const each = Math.ceil(samples.length / 1000);
  const kept = [];
  for (let i = 0; i < samples.length; i += each)
    kept.push(samples.slice(i, i + each).reduce((a, b) => (b.rss > a.rss ? b : a)));
  return kept;
}
