import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. It differs from the others in its dashes as well as in its colour. */
export interface Line<T> {
  readonly name: string;
  /** The custom property of the style sheet that holds its colour. */
  readonly color: string;
  readonly dash?: number[];
  /** Its width in pixels. */
  readonly width?: number;
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

const kLineWidth = 2.5;
const kAxisWidth = 62;
const kAxisHeight = 28;
const kHeadroom = 1.15;
const kFont = '12px system-ui, sans-serif';

/** A chart of samples that fills its host, and resizes with it. */
export class Chart<T> {
  readonly #plot: uPlot;
  readonly #host: HTMLElement;
  readonly #options: ChartOptions<T>;
  /** The positions of the last sample and of the first. */
  #ends: [number, number] = [0, 0];
  #mark: { readonly at: number; readonly label: string } | undefined;

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
          x: { time: false, range: () => spread.range(...this.#ends) },
          y: { range: (_, __, highest) => [0, Math.max(least, (highest ?? 0) * kHeadroom)] },
        },
        hooks: { draw: [(plot) => this.#drawMark(plot)] },
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
          ...lines.map(({ color: name, dash, width = kLineWidth }) => ({
            stroke: color(name),
            width,
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

  /** Draws a vertical line with a label at a position of the x axis; removes it if `at` is undefined. */
  mark(at: number | undefined, label = ''): void {
    this.#mark = at === undefined ? undefined : { at, label };
  }

  show(samples: readonly T[]): void {
    const last = samples.at(-1);
    if (!last) return;
    const { name, spread, lines, format } = this.#options;
    const places = samples.map((sample) => spread.place(sample, last));
    // uPlot's own range is wide for a single sample.
    this.#ends = [places.at(-1) ?? 0, places[0] ?? 0];
    this.#plot.setData([places, ...lines.map(({ value }) => samples.map(value))]);
    const values = lines.flatMap((line) => {
      const value = line.value(last);
      return value === undefined ? [] : [`${line.name} ${format(value)}`];
    });
    this.#host.setAttribute('aria-label', `${name} ${spread.words}; now ${values.join(', ')}`);
  }

  #drawMark(plot: uPlot): void {
    if (!this.#mark) return;
    const { ctx: context, bbox } = plot;
    const x = Math.round(plot.valToPos(this.#mark.at, 'x', true));
    context.save();
    context.strokeStyle = context.fillStyle = getComputedStyle(this.#host).getPropertyValue('--muted').trim();
    context.font = `${Math.round(12 * devicePixelRatio)}px system-ui, sans-serif`;
    context.textAlign = 'left';
    context.textBaseline = 'bottom';
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(x, bbox.top);
    context.lineTo(x, bbox.top + bbox.height);
    context.stroke();
    context.fillText(this.#mark.label, x + 6 * devicePixelRatio, bbox.top + bbox.height - 6 * devicePixelRatio);
    context.restore();
  }
}
