const kNamespace = 'http://www.w3.org/2000/svg';
const kWidth = 120;
const kHeight = 24;

/** A small chart of the last values, from zero to their maximum. */
export class Sparkline {
  readonly element = document.createElementNS(kNamespace, 'svg');
  readonly #path = document.createElementNS(kNamespace, 'path');
  readonly #name: string;
  readonly #format: (value: number) => string;
  readonly #most: number;

  constructor(name: string, format: (value: number) => string, most: number) {
    this.#name = name;
    this.#format = format;
    this.#most = most;
    this.element.setAttribute('viewBox', `0 -1 ${kWidth} ${kHeight + 2}`);
    this.element.setAttribute('preserveAspectRatio', 'none');
    this.element.setAttribute('role', 'img');
    this.element.append(this.#path);
  }

  /** Draws values, with the last one at the right edge. */
  show(values: readonly number[]): void {
    const highest = Math.max(...values, 1);
    const step = kWidth / (this.#most - 1);
    const first = kWidth - (values.length - 1) * step;
    const points = values.map(
      (value, i) => `${(first + i * step).toFixed(1)} ${(kHeight * (1 - value / highest)).toFixed(1)}`,
    );
    this.#path.setAttribute('d', `M${points.join('L')}`);
    const now = this.#format(values.at(-1) ?? 0);
    this.element.setAttribute(
      'aria-label',
      `${this.#name} over the last minute: now ${now}, at most ${this.#format(Math.max(...values, 0))}`,
    );
  }
}
