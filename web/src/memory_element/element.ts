import { formatCount, formatBytes } from '../debug/records.js';
import { openReport } from './report_window.js';
import { SiteRows } from './site_rows.js';
import { Sparkline } from './sparkline.js';
import { styleSheet } from './style.js';
import { read, getReport, type Reading, type Watched } from './watched.js';

const kIntervalMs = 500;
const kMaxReadings = 120;
/** Number of consecutive readings with growing bytes that look like a leak. */
const kMinGrowing = 10;

// Without a page, as in server-side rendering, importing the module must not throw.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<tenure-memory>`: live charts of tensors, bytes and GPU bytes and, in the debug build, the lines that created the
 * live tensors. It observes the engine in its property `tf`, by default the global `tf` of a classic script. The
 * attribute `place` is a corner, such as "top left", or "here" for the normal flow. The attribute `open` expands it.
 */
export class TenureMemory extends Base {
  /** Attributes of which changes are observed. */
  static readonly observedAttributes = ['open'];

  readonly #charts = {
    tensors: new Sparkline('Tensors', String, kMaxReadings),
    bytes: new Sparkline('Bytes', formatBytes, kMaxReadings),
    gpuBytes: new Sparkline('GPU bytes', formatBytes, kMaxReadings),
  };
  readonly #values = new Map<string, HTMLElement>();
  readonly #head = make('button', { type: 'button', className: 'head' });
  readonly #title = make('b');
  readonly #mark = make('span', { textContent: '▸' });
  readonly #body = make('div', { className: 'body', hidden: true });
  readonly #sites = new SiteRows();
  readonly #notice = make('p');
  readonly #readings: Reading[] = [];
  #tf: Watched | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet()];
    this.#mark.setAttribute('aria-hidden', 'true');
    this.#notice.setAttribute('role', 'status');
    this.#head.append(this.#title, this.#mark);
    this.#head.addEventListener('click', () => this.toggleAttribute('open'));
    const section = make('section');
    section.setAttribute('aria-label', 'Memory of tensors');
    const actions = make('div', { className: 'actions' });
    actions.append(
      this.#button('Copy report', () => this.#copy()),
      this.#button('Open report', () => this.#open()),
      this.#notice,
    );
    this.#body.append(this.#figures(), this.#sites.element, actions);
    section.append(this.#head, this.#body);
    root.append(section);
    this.attributeChangedCallback();
  }

  /** The engine that it observes. */
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
    // An own property `tf` that was set before the element was defined would shadow the accessor.
    if (Object.hasOwn(this, 'tf')) {
      const { tf } = this;
      delete this.tf;
      this.tf = tf;
    }
    this.refresh();
    this.#timer = setInterval(() => {
      if (!document.hidden) this.refresh();
    }, kIntervalMs);
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

  /** Takes a reading and shows it. Called automatically twice a second. */
  refresh(): void {
    const { tf } = this;
    if (!tf) {
      setText(this.#title, 'Tenure: set the property tf');
      return;
    }
    const reading = read(tf);
    if (this.#readings.push(reading) > kMaxReadings) this.#readings.shift();
    setText(this.#title, `${formatCount(reading.tensors)}, ${formatBytes(reading.bytes)}`);
    this.#head.classList.toggle('grows', this.#grows());
    if (this.#body.hidden) return;
    for (const [name, chart] of Object.entries(this.#charts))
      chart.show(this.#readings.map((one) => one[name as keyof Reading]));
    setText(this.#values.get('tensors')!, String(reading.tensors));
    setText(this.#values.get('bytes')!, formatBytes(reading.bytes));
    setText(this.#values.get('gpuBytes')!, formatBytes(reading.gpuBytes));
    this.#sites.show(tf);
  }

  #grows(): boolean {
    const last = this.#readings.slice(-kMinGrowing);
    return last.length === kMinGrowing && last.every(({ bytes }, i) => i === 0 || bytes > last[i - 1]!.bytes);
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
    const report = getReport(this.tf);
    try {
      await navigator.clipboard.writeText(report);
      setText(this.#notice, 'Copied.');
    } catch {
      console.info(report);
      setText(this.#notice, 'Not allowed to copy: it is on the console.');
    }
  }

  #open(): void {
    if (!this.tf) return;
    const { debug } = this.tf;
    if (!debug?.enabled) setText(this.#notice, 'Only the debug build has one.');
    else setText(this.#notice, openReport(debug.toHTML()) ? '' : 'The browser opened no window.');
  }
}

/** Adds the element to a corner of the page, and returns it. */
export function showMemory(tf: Watched, { place = 'bottom right', open = false } = {}): TenureMemory {
  const element = document.createElement('tenure-memory');
  element.tf = tf;
  element.setAttribute('place', place);
  element.toggleAttribute('open', open);
  document.body.append(element);
  return element;
}

// A second copy of the module in a page must not throw.
if (globalThis.customElements && !customElements.get('tenure-memory'))
  customElements.define('tenure-memory', TenureMemory);

declare global {
  interface HTMLElementTagNameMap {
    'tenure-memory': TenureMemory;
  }
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}

function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
