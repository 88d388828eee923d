import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { kSpan, type Sample } from './history.js';

/** A line of a chart. It differs from the others in its dashes as well as in its colour. */
export interface Line {
  readonly name: string;
  /** The custom property of the style sheet that holds its colour. */
  readonly color: string;
  readonly dash?: number[];
  readonly value: (sample: Sample) => number;
}

export interface ChartOptions {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** How high the axis reaches at least. */
  readonly least: number;
  /** The steps that the axis may have; of bytes they are powers of two. */
  readonly increments?: number[];
}

const kAxisWidth = 62;
const kAxisHeight = 28;
const kHeadroom = 1.15;
const kFont = '12px system-ui, sans-serif';

/** A chart of the last minute that fills its host, and keeps filling it. */
export class Chart {
  readonly #plot: uPlot;
  readonly #host: HTMLElement;
  readonly #options: ChartOptions;

  constructor(host: HTMLElement, options: ChartOptions) {
    const { lines, format, least, increments } = options;
    this.#host = host;
    this.#options = options;
    const color = (name: string) => () => getComputedStyle(host).getPropertyValue(name).trim();
    const axis = {
      stroke: color('--muted'),
      grid: { stroke: color('--grid'), width: 1 },
      ticks: { show: false },
      font: kFont,
    };
    this.#plot = new uPlot(
      {
        width: host.clientWidth,
        height: host.clientHeight,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-kSpan, 0] },
          y: { range: (_, __, highest) => [0, Math.max(least, (highest ?? 0) * kHeadroom)] },
        },
        axes: [
          { ...axis, size: kAxisHeight, incrs: [kSpan / 4], values: (_, ticks) => ticks.map(ago) },
          {
            ...axis,
            size: kAxisWidth,
            values: (_, ticks) => ticks.map(format),
            ...(increments && { incrs: increments }),
          },
        ],
        series: [
          {},
          ...lines.map(({ color: name, dash }) => ({
            stroke: color(name),
            width: 2.5,
            points: { show: false },
            ...(dash && { dash }),
          })),
        ],
      },
      [[], ...lines.map(() => [])],
      host,
    );
    new ResizeObserver(() => {
      this.#plot.setSize({ width: host.clientWidth, height: host.clientHeight });
    }).observe(host);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw());
  }

  /** What it shows: the times, in seconds from now, and the values of each line. */
  get data(): uPlot.AlignedData {
    return this.#plot.data;
  }

  show(samples: readonly Sample[]): void {
    const last = samples.at(-1);
    if (!last) return;
    const { name, lines, format } = this.#options;
    this.#plot.setData([
      samples.map(({ time }) => time - last.time),
      ...lines.map(({ value }) => samples.map(value)),
    ]);
    const values = lines.map((line) => `${line.name} ${format(line.value(last))}`);
    this.#host.setAttribute('aria-label', `${name} over the last minute; now ${values.join(', ')}`);
  }
}

function ago(seconds: number): string {
  return seconds === 0 ? 'now' : `${seconds} s`;
}
