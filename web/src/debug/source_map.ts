/** A position in a source. Lines and columns count from 1. */
export interface OriginalPosition {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The text of the source, if the map has it and keeps it. */
  readonly code: string | undefined;
}

/** The JSON of a source map: https://tc39.es/ecma426. */
interface RawMap {
  readonly sources?: readonly (string | null)[];
  readonly sourcesContent?: readonly (string | null)[];
  readonly sourceRoot?: string;
  readonly mappings?: string;
  readonly sections?: readonly { offset: { line: number; column: number }; map: RawMap }[];
}

/** A mapping: column of the generated line, index of the source, and line and column there, all from 0. */
type Segment = readonly [number, number, number, number];

const kDigits = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, i) => [digit, i]),
);

/** A parsed source map. */
export class SourceMap {
  readonly #sources: string[] = [];
  /** Texts of the sources, if they are kept. */
  readonly #code: (string | null | undefined)[] = [];
  /** Mappings by the line of the generated file, from 0. */
  readonly #lines: Segment[][] = [];

  /** Parses the text of a map at a URL. Keeps the texts of the sources if `keepsCode`. Throws if the text is not a source map. */
  constructor(
    text: string,
    url: string,
    readonly keepsCode = false,
  ) {
    // The specification allows the prefix )]}', which prevents its execution as a script.
    this.#add(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')) as RawMap, url, 0, 0);
  }

  /** Returns the source position of a line and column of the generated file, from 1; undefined if the map has none. */
  originOf(line: number, column: number): OriginalPosition | undefined {
    const found = this.#lines[line - 1]?.filter(([from]) => from < column).at(-1);
    const source = found && this.#sources[found[1]];
    if (source === undefined) return undefined;
    return { source, line: found![2] + 1, column: found![3] + 1, code: this.#code[found![1]] ?? undefined };
  }

  #add(map: RawMap, url: string, firstLine: number, firstColumn: number): void {
    for (const { offset, map: part } of map.sections ?? [])
      this.#add(part, url, firstLine + offset.line, offset.column);
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
        const steps = decodeVlq(text);
        steps.slice(0, 4).forEach((step, k) => (last[k]! += step));
        if (steps.length >= 4) segments.push([...last]);
      }
    }
  }
}

/**
 * Decodes base 64 VLQ numbers. A digit has five bits, the lowest digit first, and a sixth bit that is set if more follow. The
 * lowest bit of a number is its sign.
 */
function decodeVlq(text: string): number[] {
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
