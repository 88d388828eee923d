const kMissing = '-';

export function formatTime(ms) {
  if (ms === undefined) return kMissing;
  const [value, unit] = ms < 1 ? [ms * 1000, 'us'] : [ms, 'ms'];
  return `${value.toPrecision(3)} ${unit}`;
}

export function formatBytes(bytes) {
  if (bytes === undefined) return kMissing;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(0)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

/** Prints rows as they are measured: names and verdicts left-aligned, figures right-aligned. */
export class Table {
  #widths;

  constructor(heads, widths) {
    this.#widths = widths;
    this.print(heads);
    console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  }

  print(cells) {
    const last = cells.length - 1;
    const figure = (i) => i > 0 && i < last;
    const text = cells.map((cell, i) => (figure(i) ? cell.padStart(this.#widths[i]) : cell.padEnd(this.#widths[i])));
    console.log(text.join('  ').trimEnd());
  }
}
