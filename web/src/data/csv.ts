import { assert } from '../util/checks.js';
import { parseRow, type Dialect } from './csv_row.js';
import { Dataset } from './dataset.js';
import { setEntry } from '../util/entries.js';
import type { Pipeline, Stage } from './pipeline.js';
import { URLDataSource, type DataSource } from './sources.js';
import { TextLineDataset } from './text_line.js';

/** Options of a column. */
export interface ColumnConfig {
  /** Throws for an empty value; false by default. */
  required?: boolean;
  /**
   * Type of the values. 'int32' rounds down; 'bool' is 1 for "1" and "true", else 0. By default, text that is a number
   * becomes one.
   */
  dtype?: 'float32' | 'int32' | 'bool' | 'string' | 'complex64';
  /** Value in place of an empty one. */
  default?: unknown;
  /** Makes the column a label: elements are then {xs, ys}. An empty value throws, unless there is a default. */
  isLabel?: boolean;
}

/** Options of csv(). */
export interface CSVConfig {
  /** True if the first line names the columns, as by default. */
  hasHeader?: boolean;
  /** Names of the columns, in place of those of the first line. */
  columnNames?: string[];
  /** Options of columns, by name. */
  columnConfigs?: Record<string, ColumnConfig>;
  /** Leaves out the columns that columnConfigs does not name; false by default. */
  configuredColumnsOnly?: boolean;
  /** Character between values; a comma by default. */
  delimiter?: string;
  /** Treats any run of spaces as one delimiter; false by default. */
  delimWhitespace?: boolean;
}

type Row = Record<string, unknown>;
/** An element of a CSVDataset: values by column, or {xs, ys} if there are labels. */
export type CSVElement =
  | Row
  | {
      /** Features: values by column. */
      xs: Row;
      /** Labels: values by column. */
      ys: Row;
    };

/**
 * A dataset of the lines of a CSV text, as objects of values by column; with labels, as {xs, ys}.
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

  /** Resolves to the names of the columns that elements have. Rejects if the configured names do not match the file. */
  async columnNames(): Promise<string[]> {
    const names = await this.#allNames();
    return this.#config.configuredColumnsOnly ? Object.keys(this.#config.columnConfigs ?? {}) : names;
  }

  /** @internal */
  override async open(pipeline: Pipeline): Promise<Stage<CSVElement>> {
    const names = await this.#allNames();
    const lines = new TextLineDataset(this.#source);
    const rows = this.#config.hasHeader === false ? lines : lines.skip(1);
    return rows.map((line) => this.#toElement(line, names)).open(pipeline);
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

  #toElement(line: string, names: readonly string[]): CSVElement {
    const values = parseRow(line, this.#dialect);
    if (values.length !== names.length) {
      throw new Error(
        `Invalid row in csv file. Should have ${names.length} elements in a row, but got ${values.toString()}`,
      );
    }
    const xs: Row = {};
    const ys: Row = {};
    for (const [i, name] of names.entries()) {
      const config = this.#getColumnConfig(name);
      if (this.#config.configuredColumnsOnly && !config) continue;
      setEntry(config?.isLabel ? ys : xs, name, parseValue(values[i]!, name, config, line));
    }
    return Object.keys(ys).length === 0 ? xs : { xs, ys };
  }

  #getColumnConfig(name: string): ColumnConfig | undefined {
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
 * Returns a dataset of the lines of a CSV file at a URL, as objects of values by column.
 * @example
 * const url = URL.createObjectURL(new Blob(['width,height\n1,2\n3,4\n'])); // of a file that the user chose, say
 * await tf.data.csv(url).toArray(); // [{ width: 1, height: 2 }, { width: 3, height: 4 }]
 * URL.revokeObjectURL(url);
 */
export function csv(source: RequestInfo | URL, config: CSVConfig = {}): CSVDataset {
  return new CSVDataset(new URLDataSource(source), config);
}
