import { assert } from '../util/checks.js';
import { parseRow, type Dialect } from './csv_row.js';
import { Dataset } from './dataset.js';
import { setEntry } from '../util/entries.js';
import type { Pipeline, Stage } from './pipeline.js';
import { URLDataSource, type DataSource } from './sources.js';
import { TextLineDataset } from './text_line.js';

/** What is known of a column. */
export interface ColumnConfig {
  /** An empty value is an error. */
  required?: boolean;
  dtype?: 'float32' | 'int32' | 'bool' | 'string' | 'complex64';
  /** Stands for an empty value. */
  default?: unknown;
  /** The column belongs to the labels: elements are then {xs, ys}. */
  isLabel?: boolean;
}

/** How a CSV text is read. */
export interface CSVConfig {
  /** Whether the first line names the columns; true by default. */
  hasHeader?: boolean;
  columnNames?: string[];
  columnConfigs?: Record<string, ColumnConfig>;
  /** Leaves out the columns that columnConfigs does not name. */
  configuredColumnsOnly?: boolean;
  /** Between values; a comma by default. */
  delimiter?: string;
  /** Any run of blanks is between values. */
  delimWhitespace?: boolean;
}

type Row = Record<string, unknown>;
export type CSVElement = Row | { xs: Row; ys: Row };

/**
 * The lines of a CSV text as objects of the columns' values; with labels, as {xs, ys}.
 * @example
 * const url = URL.createObjectURL(new Blob(['size,price\n1,20\n3,40\n']));
 * const table = tf.data.csv(url, { columnConfigs: { price: { isLabel: true } } });
 * await table.columnNames(); // ['size', 'price']
 * await table.toArray(); // [{ xs: { size: 1 }, ys: { price: 20 } }, { xs: { size: 3 }, ys: { price: 40 } }]
 * URL.revokeObjectURL(url);
 */
export class CSVDataset extends Dataset<CSVElement> {
  readonly #source: DataSource;
  readonly #config: CSVConfig;
  readonly #dialect: Dialect;
  #names: Promise<string[]> | undefined;

  constructor(source: DataSource, config: CSVConfig = {}) {
    super();
    assert(
      !config.delimWhitespace || config.delimiter === undefined || config.delimiter === null,
      () => 'Delimiter should not be provided when delimWhitespace is true.',
    );
    this.#source = source;
    this.#config = config;
    this.#dialect = {
      delimiter: config.delimWhitespace ? ' ' : config.delimiter || ',',
      collapses: config.delimWhitespace === true,
    };
  }

  /** The names of the columns that elements have. Throws where they do not fit the file. */
  async columnNames(): Promise<string[]> {
    const names = await this.#allNames();
    return this.#config.configuredColumnsOnly ? Object.keys(this.#config.columnConfigs ?? {}) : names;
  }

  /** @internal */
  override async open(pipeline: Pipeline): Promise<Stage<CSVElement>> {
    const names = await this.#allNames();
    const lines = new TextLineDataset(this.#source);
    const rows = this.#config.hasHeader === false ? lines : lines.skip(1);
    return rows.map((line) => this.#elementOf(line, names)).open(pipeline);
  }

  #allNames(): Promise<string[]> {
    // A failed read may be tried again.
    this.#names ??= this.#readNames().catch((error: unknown) => {
      this.#names = undefined;
      throw error;
    });
    return this.#names;
  }

  async #readNames(): Promise<string[]> {
    const given = this.#config.columnNames;
    const header = this.#config.hasHeader === false ? undefined : await this.#readHeader();
    const names = given ?? header;
    if (!names) throw new Error('Column names must be provided if there is no header line.');
    assert(
      !given || !header || given.length === header.length,
      () =>
        `The length of provided columnNames (${names.length}) does not match the length of the header line read from ` +
        `file (${header!.length}).`,
    );
    const repeated = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
    assert(repeated.length === 0, () => `Duplicate column names found: ${repeated.toString()}`);
    for (const key of Object.keys(this.#config.columnConfigs ?? {})) {
      if (names.includes(key)) continue;
      throw new Error(
        `The key "${key}" provided in columnConfigs does not match any of the column names (${names.toString()}).`,
      );
    }
    return names;
  }

  async #readHeader(): Promise<string[]> {
    const [line] = await new TextLineDataset(this.#source).take(1).toArray();
    if (line === undefined) throw new Error('No data was found for CSV parsing.');
    return parseRow(line, this.#dialect);
  }

  #elementOf(line: string, names: readonly string[]): CSVElement {
    const values = parseRow(line, this.#dialect);
    if (values.length !== names.length) {
      throw new Error(
        `Invalid row in csv file. Should have ${names.length} elements in a row, but got ${values.toString()}`,
      );
    }
    const xs: Row = {};
    const ys: Row = {};
    for (const [i, name] of names.entries()) {
      const config = this.#configOf(name);
      if (this.#config.configuredColumnsOnly && !config) continue;
      setEntry(config?.isLabel ? ys : xs, name, parseValue(values[i]!, name, config, line));
    }
    return Object.keys(ys).length === 0 ? xs : { xs, ys };
  }

  #configOf(name: string): ColumnConfig | undefined {
    const configs = this.#config.columnConfigs;
    return configs && Object.hasOwn(configs, name) ? configs[name] : undefined;
  }
}

function parseValue(text: string, name: string, config: ColumnConfig | undefined, line: string): unknown {
  if (text === '') {
    if (config?.default !== undefined) return config.default;
    if (config?.required || config?.isLabel) throw new Error(`Required column ${name} is empty in this line: ${line}`);
    return undefined;
  }
  if (config?.dtype === 'bool') return text === '1' || text.toLowerCase() === 'true' ? 1 : 0;
  const number = Number(text);
  if (Number.isNaN(number)) return text;
  return config?.dtype === 'int32' ? Math.floor(number) : number;
}

/**
 * The lines of a CSV file behind a URL as objects of the columns' values.
 * @example
 * const url = URL.createObjectURL(new Blob(['width,height\n1,2\n3,4\n'])); // of a file that the user chose, say
 * await tf.data.csv(url).toArray(); // [{ width: 1, height: 2 }, { width: 3, height: 4 }]
 * URL.revokeObjectURL(url);
 */
export function csv(source: RequestInfo | URL, config: CSVConfig = {}): CSVDataset {
  return new CSVDataset(new URLDataSource(source), config);
}
