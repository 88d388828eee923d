import { countText, sizeText } from '../debug/records.js';
import { openReport } from './report_window.js';
import { SiteRows } from './site_rows.js';
import { Sparkline } from './sparkline.js';
import { styleSheet } from './style.js';
import { read, reportOf, type Reading, type Watched } from './watched.js';

const kEvery = 500;
const kMost = 120;
/** Readings, one after the other, in which the bytes only grew: that looks like a leak. */
const kGrowing = 10;

// Importing it where there is no page, to render one say, does no harm.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<tenure-memory>`: tensors, bytes and GPU bytes as live charts, and in the debug build the lines that made what is alive.
 * It watches the engine that its property `tf` is given, else the global `tf` of a classic script. The attribute `place` is a
 * corner, as in "top left", or "here", and `open` unfolds it.
 */
export class TenureMemory extends Base {
  static readonly observedAttributes = ['open'];

  readonly #charts = {
    tensors: new Sparkline('Tensors', String, kMost),
    bytes: new Sparkline('Bytes', sizeText, kMost),
    gpuBytes: new Sparkline('GPU bytes', sizeText, kMost),
  };
  readonly #values = new Map<string, HTMLElement>();
  readonly #head = make('button', { type: 'button', className: 'head' });
  readonly #title = make('b');
  readonly #mark = make('span', { textContent: '▸' });
  readonly #body = make('div', { className: 'body', hidden: true });
  readonly #sites = new SiteRows();
  readonly #told = make('p');
  readonly #readings: Reading[] = [];
  #tf: Watched | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet()];
    this.#mark.setAttribute('aria-hidden', 'true');
    this.#told.setAttribute('role', 'status');
    this.#head.append(this.#title, this.#mark);
    this.#head.addEventListener('click', () => this.toggleAttribute('open'));
    const section = make('section');
    section.setAttribute('aria-label', 'Memory of tensors');
    const actions = make('div', { className: 'actions' });
    actions.append(this.#button('Copy report', () => this.#copy()), this.#button('Open report', () => this.#open()), this.#told);
    this.#body.append(this.#figures(), this.#sites.element, actions);
    section.append(this.#head, this.#body);
    root.append(section);
    this.attributeChangedCallback();
  }

  /** What it watches. */
  get tf(): Watched | undefined {
    return this.#tf ?? (globalThis as { tf?: Watched }).tf;
  }
  set tf(tf: Watched | undefined) {
    this.#tf = tf;
    this.#readings.length = 0;
    if (this.isConnected) this.refresh();
  }

  /** @internal */
  connectedCallback(): void {
    // Set before the element was known, `tf` would hide the property.
    if (Object.hasOwn(this, 'tf')) {
      const { tf } = this;
      delete (this as { tf?: Watched | undefined }).tf;
      this.tf = tf;
    }
    this.refresh();
    this.#timer = setInterval(() => {
      if (!document.hidden) this.refresh();
    }, kEvery);
  }
  /** @internal */
  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }
  /** @internal */
  attributeChangedCallback(): void {
    const open = this.hasAttribute('open');
    this.#head.setAttribute('aria-expanded', String(open));
    this.#mark.textContent = open ? '▾' : '▸';
    this.#body.hidden = !open;
    if (open && this.isConnected) this.refresh();
  }

  /** Counts now, and shows it; it does so by itself twice a second. */
  refresh(): void {
    const { tf } = this;
    if (!tf) {
      setText(this.#title, 'Tenure: set the property tf');
      return;
    }
    const reading = read(tf);
    if (this.#readings.push(reading) > kMost) this.#readings.shift();
    setText(this.#title, `${countText(reading.tensors)}, ${sizeText(reading.bytes)}`);
    this.#head.classList.toggle('grows', this.#grows());
    if (this.#body.hidden) return;
    for (const [name, chart] of Object.entries(this.#charts)) chart.show(this.#readings.map((one) => one[name as keyof Reading]));
    setText(this.#values.get('tensors')!, String(reading.tensors));
    setText(this.#values.get('bytes')!, sizeText(reading.bytes));
    setText(this.#values.get('gpuBytes')!, sizeText(reading.gpuBytes));
    this.#sites.show(tf);
  }

  #grows(): boolean {
    const last = this.#readings.slice(-kGrowing);
    return last.length === kGrowing && last.every(({ bytes }, i) => i === 0 || bytes > last[i - 1]!.bytes);
  }

  #figures(): HTMLElement {
    const list = make('dl');
    const names = { tensors: 'Tensors', bytes: 'Bytes', gpuBytes: 'GPU bytes' };
    for (const [name, text] of Object.entries(names)) {
      const value = make('dd');
      const chart = make('dd');
      chart.append(this.#charts[name as keyof Reading].element);
      this.#values.set(name, value);
      list.append(make('dt', { textContent: text }), value, chart);
    }
    return list;
  }

  #button(text: string, act: () => void | Promise<void>): HTMLButtonElement {
    const button = make('button', { type: 'button', textContent: text });
    button.addEventListener('click', () => void act());
    return button;
  }

  async #copy(): Promise<void> {
    if (!this.tf) return;
    const report = reportOf(this.tf);
    try {
      await navigator.clipboard.writeText(report);
      setText(this.#told, 'Copied.');
    } catch {
      console.info(report);
      setText(this.#told, 'Not allowed to copy: it is on the console.');
    }
  }

  #open(): void {
    if (!this.tf) return;
    const { debug } = this.tf;
    if (!debug?.enabled) setText(this.#told, 'Only the debug build has one.');
    else setText(this.#told, openReport(debug.toHTML()) ? '' : 'The browser opened no window.');
  }
}

/** Puts the element into a corner of the page, and gives it. */
export function showMemory(tf: Watched, { place = 'bottom right', open = false } = {}): TenureMemory {
  const element = document.createElement('tenure-memory');
  element.tf = tf;
  element.setAttribute('place', place);
  element.toggleAttribute('open', open);
  document.body.append(element);
  return element;
}

// Two copies of the module in one page are no error.
if (globalThis.customElements && !customElements.get('tenure-memory')) customElements.define('tenure-memory', TenureMemory);

declare global {
  interface HTMLElementTagNameMap {
    'tenure-memory': TenureMemory;
  }
}

function make<K extends keyof HTMLElementTagNameMap>(name: K, properties: Partial<HTMLElementTagNameMap[K]> = {}): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}

function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
