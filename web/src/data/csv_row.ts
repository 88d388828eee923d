/** Separators of the values of a line. */
export interface Dialect {
  /** Character between values. */
  delimiter: string;
  /** True if consecutive delimiters count as one. */
  collapses: boolean;
}

type ParserState = 'before' | 'plain' | 'quoted' | 'behind quote' | 'plain in quotes';

/** Next state after a quote. */
const kAfterQuote: Record<ParserState, ParserState> = {
  before: 'quoted',
  plain: 'plain',
  quoted: 'behind quote',
  'behind quote': 'quoted',
  'plain in quotes': 'quoted',
};
/** Next state after a character that is no quote and ends no value. */
const kAfterOther: Record<ParserState, ParserState> = {
  before: 'plain',
  plain: 'plain',
  quoted: 'quoted',
  'behind quote': 'plain in quotes',
  'plain in quotes': 'plain in quotes',
};

/**
 * Splits a line into values. A quoted value may contain delimiters, and ends at a quote before a delimiter. As in
 * TensorFlow.js, the text between its outer quotes is returned unchanged, doubled quotes included.
 */
export function parseRow(line: string, { delimiter, collapses }: Dialect): string[] {
  const values: string[] = [];
  let state: ParserState = 'before';
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (state === 'before') start = c === '"' || c === delimiter ? i + 1 : i;
    const isEnd = c === delimiter && (state === 'plain' || state === 'behind quote');
    if (isEnd) {
      values.push(line.substring(start, state === 'plain' ? i : i - 1));
      state = 'before';
      start = i + 1;
    } else if (c === delimiter && state === 'before') {
      if (!collapses) values.push('');
    } else {
      state = (c === '"' ? kAfterQuote : kAfterOther)[state];
    }
  }
  return [...values, line.substring(start, state === 'behind quote' ? line.length - 1 : line.length)];
}
