import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. It differs from the others in its dashes as well as in its colour. */
export interface Line<T> {
  readonly name: string;
  /** The custom property of the style sheet that holds its colour. */
  readonly color: string;
  readonly dash?: number[];
  /** Returns the value; undefined leaves a gap. */
  readonly value: (sample: T) => number | undefined;
}

/** The x axis of a chart. */
export interface Spread<T> {
  /** A description such as "over the last minute". */
  readonly words: string;
  /** Returns a sample's position, relative to the last one. */
  readonly place: (sample: T, last: T) => number;
  /** Returns the axis's range, given samples between `start` and `end`. */
  readonly range: (end: number, start: number) => [number, number];
  readonly format: (place: number) => string;
  /** The permitted tick increments. */
  readonly increments?: number[];
}

export interface ChartOptions<T> {
  readonly name: string;
  readonly spread: Spread<T>;
  readonly lines: readonly Line<T>[];
  readonly format: (value: number) => string;
  /** The minimum upper end of the axis. */
  readonly least: number;
  /** The permitted tick increments; powers of two for bytes. */
  readonly increments?: number[];
}

const kAxisWidth = 62;
const kAxisHeight = 28;
const kHeadroom = 1.15;
const kFont = '12px system-ui, sans-serif';

/** A chart of samples that fills its host, and resizes with it. */
export class Chart<T> {
  readonly #plot: uPlot;
  readonly #host: HTMLElement;
  readonly #options: ChartOptions<T>;

  constructor(host: HTMLElement, options: ChartOptions<T>) {
    const { spread, lines, format, least, increments } = options;
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
          x: { time: false, range: (_, start, end) => spread.range(end ?? 0, start ?? 0) },
          y: { range: (_, __, highest) => [0, Math.max(least, (highest ?? 0) * kHeadroom)] },
        },
        axes: [
          {
            ...axis,
            size: kAxisHeight,
            values: (_, ticks) => ticks.map(spread.format),
            ...(spread.increments && { incrs: spread.increments }),
          },
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

  /** The chart's data: the positions of the samples, and the values of each line. */
  get data(): uPlot.AlignedData {
    return this.#plot.data;
  }

  show(samples: readonly T[]): void {
    const last = samples.at(-1);
    if (!last) return;
    const { name, spread, lines, format } = this.#options;
    this.#plot.setData([
      samples.map((sample) => spread.place(sample, last)),
      ...lines.map(({ value }) => samples.map(value)),
    ]);
    const values = lines.flatMap((line) => {
      const value = line.value(last);
      return value === undefined ? [] : [`${line.name} ${format(value)}`];
    });
    this.#host.setAttribute('aria-label', `${name} ${spread.words}; now ${values.join(', ')}`);
  }
}
