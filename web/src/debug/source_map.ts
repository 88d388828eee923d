/** Where something stands in a source: lines and columns count from 1. */
export interface Origin {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The text of the source, if the map brings it and was asked to keep it. */
  readonly code: string | undefined;
}

/** As in a file: https://tc39.es/ecma426. */
interface RawMap {
  readonly sources?: readonly (string | null)[];
  readonly sourcesContent?: readonly (string | null)[];
  readonly sourceRoot?: string;
  readonly mappings?: string;
  readonly sections?: readonly { offset: { line: number; column: number }; map: RawMap }[];
}

/** A column of a generated line, the number of a source, and a line and a column there, all from 0. */
type Segment = readonly [number, number, number, number];

const kDigits = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, i) => [digit, i]));

/** What a generated file was made of. */
export class SourceMap {
  readonly #sources: string[] = [];
  /** Of the sources, where they are kept. */
  readonly #code: (string | null | undefined)[] = [];
  /** By lines of the generated file, from 0. */
  readonly #lines: Segment[][] = [];

  /** Of a map's text, which stands at a URL. Keeps the text of the sources if `keepsCode`. Throws for what is no source map. */
  constructor(text: string, url: string, readonly keepsCode = false) {
    // A prefix keeps others from running it as a script.
    this.#add(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')) as RawMap, url, 0, 0);
  }

  /** Where a place of the generated file comes from, its line and column from 1; undefined where the map does not say. */
  originOf(line: number, column: number): Origin | undefined {
    const found = this.#lines[line - 1]?.filter(([from]) => from < column).at(-1);
    const source = found && this.#sources[found[1]];
    if (source === undefined) return undefined;
    return { source, line: found![2] + 1, column: found![3] + 1, code: this.#code[found![1]] ?? undefined };
  }

  #add(map: RawMap, url: string, firstLine: number, firstColumn: number): void {
    for (const { offset, map: part } of map.sections ?? []) this.#add(part, url, firstLine + offset.line, offset.column);
    const root = map.sourceRoot ? `${map.sourceRoot.replace(/\/$/, '')}/` : '';
    const firstSource = this.#sources.length;
    for (const [i, source] of (map.sources ?? []).entries()) {
      this.#sources.push(new URL(root + String(source), url).href);
      this.#code.push(this.keepsCode ? map.sourcesContent?.[i] : undefined);
    }
    const last = [0, firstSource, 0, 0] as [number, number, number, number];
    for (const [i, line] of (map.mappings ?? '').split(';').entries()) {
      const segments = (this.#lines[firstLine + i] ??= []);
      last[0] = i === 0 ? firstColumn : 0;
      for (const text of line.split(',')) {
        const steps = numbersIn(text);
        steps.slice(0, 4).forEach((step, k) => (last[k]! += step));
        if (steps.length >= 4) segments.push([...last]);
      }
    }
  }
}

/** Base 64 digits of five bits each, the lowest first, and a sixth that says that more follow; the first bit is the sign. */
function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const digit = kDigits.get(character);
    if (digit === undefined) throw new Error(`a source map has '${character}' in its mappings`);
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value % 2 ? -(value - 1) / 2 : value / 2);
    value = shift = 0;
  }
  return numbers;
}
